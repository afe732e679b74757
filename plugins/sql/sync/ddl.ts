import type { DialectName } from '../dialects/dialect';
import type { ForeignKey, Index, Table } from '../layout/layout';
import type { Change } from './changes';
import { columnDefinition } from './ddl-columns';
import { rowIndexColumns, rowIndexName } from './heddle-tables';
import { lookupsOn } from './lookups-on';
import type { MadeBy } from './made-by';
import { quote, quoteAll } from './quote';
import { forgettingStatements, renderedOn, renderingStatements } from './rendered-rows';

/** The statements of one change. What must wait until all tables are there is in `later`. */
export interface Statements {
  readonly now: readonly string[];
  readonly later: readonly string[];
}

export function statementsOf(dialect: DialectName, change: Change, madeBy: MadeBy): Statements {
  switch (change.kind) {
    case 'createTable':
      return tableStatements(dialect, change.definition, madeBy, change.texts);
    case 'addColumn': {
      const { table, column, foreignKey } = change;
      const inline = foreignKey && dialect === 'sqlite' ? ` ${reference(dialect, foreignKey, 'inline')}` : '';
      const add = `alter table ${quote(dialect, table)} add column ${columnDefinition(dialect, column, madeBy)}${inline}`;
      const later = foreignKey && dialect !== 'sqlite' ? [foreignKeyStatement(dialect, table, foreignKey)] : [];
      return { now: [add], later };
    }
    case 'addIndex':
      return { now: [indexStatement(dialect, change.table, change.index)], later: [] };
    case 'replaceIndex': {
      const on = dialect === 'mysql' ? ` on ${quote(dialect, change.table)}` : '';
      const drop = `drop index ${quote(dialect, change.index.name)}${on}`;
      return { now: [drop, indexStatement(dialect, change.table, change.index)], later: [] };
    }
    case 'addRowIndex':
      return { now: [rowIndexStatement(dialect, change.table, change.variants)], later: [] };
    case 'renderRows':
      return { now: renderingStatements(change.table, change.rendered, change.there), later: [] };
    case 'forgetRendered':
      return { now: forgettingStatements(change.triggers, change.texts), later: [] };
    case 'widenRowIndex':
      return { now: widenedRowIndex(dialect, change.table, change.variants), later: [] };
  }
}

function tableStatements(
  dialect: DialectName,
  table: Table,
  madeBy: MadeBy,
  texts: ReadonlySet<string> | undefined,
): Statements {
  const name = quote(dialect, table.name);
  const ownRows = table.documents === true && madeBy === 'heddle';
  const columns = table.columns.map((column) => columnDefinition(dialect, column, madeBy));
  const keys = table.foreignKeys.map((key) => reference(dialect, key, 'table'));
  const allIndexes = [...table.indexes, ...lookupsOn(dialect, table)];
  if (dialect === 'mysql') {
    // All in one statement: MariaDB writes each of them to disk on its own.
    const indexes = allIndexes.map(
      (each) => `${each.unique ? 'unique ' : ''}key ${quote(dialect, each.name)} (${quoteAll(dialect, each.columns)})`,
    );
    const rowParts = ownRows ? rowIndexParts(table.name, table.variants) : [];
    const collation = madeBy === 'heddle' ? ' default character set utf8mb4 collate utf8mb4_bin' : '';
    return {
      now: [`create table ${name} (${[...columns, ...rowParts, ...indexes, ...keys].join(', ')})${collation}`],
      later: [],
    };
  }
  const indexes = allIndexes.map((each) => indexStatement(dialect, table.name, each));
  const rowIndex = ownRows ? [rowIndexStatement(dialect, table.name, table.variants)] : [];
  if (dialect === 'sqlite') {
    const rendered = renderedOn(dialect, table);
    const renderings = rendered ? renderingStatements(table.name, rendered, texts) : [];
    const create = `create table ${name} (${[...columns, ...keys].join(', ')})`;
    return { now: [create, ...indexes, ...rowIndex, ...renderings], later: [] };
  }
  return {
    now: [`create table ${name} (${columns.join(', ')})`, ...indexes, ...rowIndex],
    later: table.foreignKeys.map((key) => foreignKeyStatement(dialect, table.name, key)),
  };
}

function indexStatement(dialect: DialectName, table: string, { name, columns, unique, orderedBy }: Index): string {
  // PostgreSQL alone puts rows without a value last in an index, where no order by it wants them.
  const spelt = columns.map((column) => {
    const isFirst = dialect === 'postgres' && column === orderedBy;
    return `${quote(dialect, column)}${isFirst ? ' nulls first' : ''}`;
  });
  const on = `(${spelt.join(', ')})`;
  if (unique && dialect === 'postgres') {
    return `alter table ${quote(dialect, table)} add constraint ${quote(dialect, name)} unique ${on}`;
  }
  return `create ${unique ? 'unique ' : ''}index ${quote(dialect, name)} on ${quote(dialect, table)} ${on}`;
}

function reference(dialect: DialectName, key: ForeignKey, place: 'table' | 'inline'): string {
  const own = place === 'table' ? ` foreign key (${quote(dialect, key.column)})` : '';
  const other = `${quote(dialect, key.table)} (${quote(dialect, 'id')})`;
  return `constraint ${quote(dialect, key.name)}${own} references ${other} on delete ${key.onDelete}`;
}

const foreignKeyStatement = (dialect: DialectName, table: string, key: ForeignKey): string =>
  `alter table ${quote(dialect, table)} add ${reference(dialect, key, 'table')}`;

function rowIndexKey(table: string, variants: readonly string[]): string {
  const columns = ['document_id', rowIndexColumns.locale, rowIndexColumns.live, ...variants];
  return `unique key \`${rowIndexName(table)}\` (${quoteAll('mysql', columns)})`;
}

function rowIndexParts(table: string, variants: readonly string[] = []): string[] {
  const { live, locale } = rowIndexColumns;
  return [
    `\`${live}\` tinyint(1) as (\`published_at\` is not null) virtual`,
    `\`${locale}\` varchar(255) as (ifnull(\`locale\`, '')) virtual`,
    rowIndexKey(table, variants),
  ];
}

function rowIndexStatement(dialect: DialectName, table: string, variants: readonly string[] = []): string {
  const name = quote(dialect, rowIndexName(table));
  const on = quote(dialect, table);
  if (dialect === 'mysql')
    return `alter table ${on} ${rowIndexParts(table, variants)
      .map((part) => `add ${part}`)
      .join(', ')}`;
  const [documentId, locale, publishedAt] = ['document_id', 'locale', 'published_at'].map((each) =>
    quote(dialect, each),
  );
  const parts = [documentId, `coalesce(${locale}, '')`, `(${publishedAt} is not null)`];
  const more = variants.map((column) => quote(dialect, column));
  return `create unique index ${name} on ${on} (${[...parts, ...more].join(', ')})`;
}

function widenedRowIndex(dialect: DialectName, table: string, variants: readonly string[]): string[] {
  const name = quote(dialect, rowIndexName(table));
  const on = quote(dialect, table);
  if (dialect === 'mysql') return [`alter table ${on} drop key ${name}, add ${rowIndexKey(table, variants)}`];
  return [`drop index ${name}`, rowIndexStatement(dialect, table, variants)];
}
