import type { DialectName } from '../dialects/dialect';
import { renderedBy } from '../layout/identifiers';
import type { Layout, Table } from '../layout/layout';
import {
  addColumn,
  addIndex,
  addRowIndex,
  type Change,
  createTable,
  forgetRendered,
  renderRows,
  replaceIndex,
  widenRowIndex,
} from './changes';
import { heddleTables, rowIndexName } from './heddle-tables';
import type { Existing, ExistingTable } from './introspect';
import { lookupsOn } from './lookups-on';
import type { MadeBy } from './made-by';
import { renderedOn, type Triggers, triggersOf } from './rendered-rows';

/**
 * What the database lacks. Of a table that is there only missing columns count, with the indexes and keys of those
 * columns: an index that an owner removed from an older column stays removed. Heddle's own lookups are always added.
 */
export function changesOf(dialect: DialectName, layout: Layout, existing: Existing, madeBy: MadeBy): Change[] {
  const wanted = [...heddleTables(dialect), ...layout.tables];
  const known = new Set(wanted.map(({ name }) => name));
  return [
    ...wanted.flatMap((table) => {
      const there = existing.get(table.name);
      if (!there) return [createTable(table, textsOf(dialect, table, existing))];
      return [...missingIn(dialect, table, there, madeBy), ...changedRenderings(dialect, table, there, existing)];
    }),
    ...[...existing].flatMap(([name, { triggers }]) => (known.has(name) ? [] : forgotten(name, triggers, existing))),
  ];
}

/** The columns of a table's texts, where those are there. */
function textsOf(dialect: DialectName, table: Table, existing: Existing): ReadonlySet<string> | undefined {
  const rendered = renderedOn(dialect, table);
  return rendered && existing.get(rendered.table)?.columns;
}

function forgotten(table: string, triggers: Triggers, existing: Existing): Change[] {
  if (triggers.size === 0) return [];
  const texts = new Set([...triggers.keys()].map((name) => renderedBy(name)!));
  return [
    forgetRendered(
      table,
      [...triggers.keys()],
      [...texts].filter((name) => existing.has(name)),
    ),
  ];
}

function changedRenderings(dialect: DialectName, table: Table, there: ExistingTable, existing: Existing): Change[] {
  const rendered = renderedOn(dialect, table);
  if (!rendered) return forgotten(table.name, there.triggers, existing);
  const wanted = triggersOf(table.name, rendered);
  const isKept = [...wanted].every(([name, sql]) => there.triggers.get(name) === sql);
  const texts = textsOf(dialect, table, existing);
  return isKept && texts ? [] : [renderRows(table.name, rendered, texts)];
}

function missingIn(dialect: DialectName, table: Table, there: ExistingTable, madeBy: MadeBy): Change[] {
  const missing = table.columns.filter(({ name }) => !there.columns.has(name));
  const names = new Set(missing.map(({ name }) => name));
  const indexes = table.indexes.filter(
    ({ name, columns }) => !there.indexes.has(name) && columns.some((column) => names.has(column)),
  );
  const wanted = lookupsOn(dialect, table, there.longColumns);
  const lookups = wanted.filter(({ name }) => !there.indexes.has(name));
  const outdated = wanted.filter(
    ({ name, columns, orderedBy, narrow }) =>
      (orderedBy !== undefined && there.nullsLast.has(name)) ||
      (narrow && there.indexes.has(name) && columns.some((column) => !there.narrow.has(`${name} ${column}`))),
  );
  const hasRowIndex = there.indexes.has(rowIndexName(table.name));
  const rowIndex = table.documents && madeBy === 'heddle' && !hasRowIndex;
  const widened = hasRowIndex && table.variants?.some((column) => names.has(column));
  return [
    ...missing.map((column) => {
      const key = table.foreignKeys.find((each) => each.column === column.name);
      return addColumn(table.name, column, key);
    }),
    ...[...indexes, ...lookups].map((each) => addIndex(table.name, each)),
    ...outdated.map((each) => replaceIndex(table.name, each)),
    ...(rowIndex ? [addRowIndex(table.name, table.variants)] : []),
    ...(widened ? [widenRowIndex(table.name, table.variants!)] : []),
  ];
}
