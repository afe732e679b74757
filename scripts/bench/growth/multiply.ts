import type { Client, Place } from '../databases';
import { type Run, withStatements } from '../statements';

/** A table whose rows are copied, and what differs in a copy; ids move by so many for each copy as the table had. */
interface Copied {
  readonly table: string;
  /** Columns that hold the id of a copied row, by the table of that row. */
  readonly leadTo?: Readonly<Record<string, string>>;
  /** Other columns, as an expression of the row `b` and the copy's number `n.n`. */
  readonly instead?: Readonly<Record<string, (client: Client) => string>>;
  readonly where?: string;
}

const text = (...parts: readonly string[]): string => `concat(${parts.join(',')})`;

/** Copies of one document lie far from each other in time, and so do not tie with their original. */
const later =
  (column: string) =>
  (client: Client): string => {
    if (client === 'sqlite') return `b.${column}+n.n*1000`;
    return client === 'mysql' ? `b.${column}+interval n.n second` : `b.${column}+n.n*interval '1 second'`;
  };

const nothing = (): string => 'null';

/** What a document of the benchmark consists of, less what makes a million of them large without being looked at. */
const copied: readonly Copied[] = [
  {
    table: 'articles',
    instead: {
      document_id: (client) =>
        text(
          'substring(b.document_id,1,16)',
          client === 'sqlite' ? "printf('%08d',n.n)" : "lpad(cast(n.n as char(8)),8,'0')",
        ),
      slug: () => text('b.slug', "'-'", 'n.n'),
      created_at: later('created_at'),
      updated_at: later('updated_at'),
      published_at: later('published_at'),
      body: nothing,
      content: nothing,
    },
  },
  { table: 'articles_author_lnk', leadTo: { article_id: 'articles' } },
  { table: 'articles_categories_lnk', leadTo: { article_id: 'articles' } },
  { table: 'articles_tags_lnk', leadTo: { article_id: 'articles' } },
  { table: 'components_shared_seos' },
  {
    table: 'articles_cmps',
    leadTo: { entity_id: 'articles', cmp_id: 'components_shared_seos' },
    where: "b.component_type='shared.seo'",
  },
];

/** Copies made by one statement. */
const atOnce = 25;

/** What makes a connection that only fills fast. */
const hasty: Readonly<Record<Client, readonly string[]>> = {
  sqlite: [
    'pragma journal_mode=off',
    'pragma synchronous=off',
    'pragma cache_size=-1000000',
    'pragma foreign_keys=off',
  ],
  mysql: ['set foreign_key_checks=0', 'set unique_checks=0', "set time_zone='+00:00'"],
  postgres: ['set session_replication_role=replica', 'set synchronous_commit=off', "set time zone 'UTC'"],
};

const tidied: Readonly<Record<Client, string>> = {
  sqlite: 'pragma journal_mode=wal',
  mysql: `analyze table ${copied.map(({ table }) => table).join(',')}`,
  postgres: 'vacuum analyze',
};

/** Columns that are kept, in the catalog of each database. */
const columnsIn: Readonly<Record<Client, (table: string) => string>> = {
  sqlite: (table) => `select name from pragma_table_info('${table}')`,
  mysql: (table) =>
    `select column_name as name from information_schema.columns where table_schema=database() and table_name='${table}' and generation_expression is null`,
  postgres: (table) =>
    `select column_name as name from information_schema.columns where table_schema=current_schema() and table_name='${table}'`,
};

async function idsOf(run: Run): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { table } of copied) {
    const [row] = await run(`select max(id) as last from ${table}`);
    ids.set(table, Number(row?.['last'] ?? 0));
  }
  return ids;
}

function copyStatement(
  client: Client,
  { table, leadTo = {}, instead = {}, where }: Copied,
  columns: readonly string[],
  ids: ReadonlyMap<string, number>,
  [first, last]: readonly [number, number],
): string {
  const quote = client === 'mysql' ? '`' : '"';
  const name = (column: string): string => `${quote}${column}${quote}`;
  const moved = (column: string, by: string): string => `b.${name(column)}+n.n*${ids.get(by)}`;
  const values = columns.map((column) => {
    if (column === 'id') return moved('id', table);
    const target = leadTo[column];
    return target ? moved(column, target) : (instead[column]?.(client) ?? `b.${name(column)}`);
  });
  const numbers = `with recursive n(n) as (select ${first} union all select n+1 from n where n<${last})`;
  const condition = `b.id<=${ids.get(table)}${where ? ` and ${where}` : ''}`;
  return `insert into ${name(table)} (${columns.map(name).join(',')}) ${numbers} select ${values.join(',')} from n cross join ${name(table)} b where ${condition} order by n.n,b.id`;
}

/** Makes of each article so many: rows, links and components are copied by the database. */
export const multiply = (place: Place, times: number): Promise<void> =>
  withStatements(place, async (run) => {
    const { client } = place;
    for (const statement of hasty[client]) await run(statement);
    const ids = await idsOf(run);
    for (const each of copied) {
      const columns = (await run(columnsIn[client](each.table))).map(({ name }) => String(name));
      for (let first = 1; first < times; first += atOnce)
        await run(copyStatement(client, each, columns, ids, [first, Math.min(first + atOnce, times) - 1]));
      if (client === 'postgres')
        await run(`select setval(pg_get_serial_sequence('${each.table}','id'),(select max(id) from ${each.table}))`);
    }
  });

/** Leaves no row that was deleted behind, and statistics of those that are there, as a server's own upkeep would. */
export const tidy = (place: Place): Promise<unknown> => withStatements(place, (run) => run(tidied[place.client]));
