import { type Bound, flattened, type Mark, type PreparedRead, type ReadPlan, type StoreAnswer } from '../../../../core';
import { tablesRead } from '../../changes/read-tables';
import type { Database, Rows } from '../../database/database';
import { isMissingIndex } from '../../database/failures';
import type { Dialect, DialectName } from '../../dialects/dialect';
import { renderMarked, renderMarkedBytes } from '../../dialects/sentinels';
import { answering, seeking } from '../select/bounds';
import { groupsStatement } from '../select/groups-sql';
import { joinedTexts, listedBytes, type Page } from '../select/joined-texts';
import {
  type BoundStatement,
  countStatement,
  loneRowStatement,
  pageAfterStatement,
  pageStatement,
} from '../select/read-sql';
import type { Scope, Sought, Way } from '../tables/scope';
import type { SqlTransaction } from '../writes/sql-transaction';
import type { Choices } from './choices';
import { prepareTogether } from './documents-together';
import { findFew } from './few-matching';
import { forWindows, type StatementFor } from './known-windows';
import { type Counted, leastOf, type PageRead, prepareTotal, toldByPage } from './list-total';
import { findOrdered } from './ordered-ids';
import { findWay, soughtLink } from './sought-links';
import type { Totals } from './totals';
import type { WayFinder } from './way-finder';

/** Where rows are read from: the database, or a transaction. */
type RowsFrom = Pick<Database, 'rows'>;

type PageRow = readonly [bytes: Buffer, count: number, version?: string];

/** One row with all documents of a page that came in rows of their own. */
const inOneRow = (rows: Rows): PageRow => [listedBytes(rows), rows.length];

/** What JSON has no number for, as a text that is that number again. */
const markOf = (value: unknown): Mark =>
  value === Number.POSITIVE_INFINITY ? '9e999' : value === Number.NEGATIVE_INFINITY ? '-9e999' : (value as Mark);

/** Where a page ended that has more behind it: what its last row tells besides its text and version. */
const lastOf = (rows: Rows, shown: Rows): Mark[] | undefined =>
  rows.length > shown.length ? shown.at(-1)?.slice(2).map(markOf) : undefined;

/** Says of statements what they read; nothing where one of them seems to read no table, for then that can't be told. */
const readsOf =
  (dialect: DialectName, isTable: (name: string) => boolean, ...statements: readonly BoundStatement[]) =>
  (): readonly string[] | undefined => {
    const found = statements.map(({ sql }) => tablesRead(sql, dialect, isTable));
    return found.every(({ length }) => length > 0) ? [...new Set(flattened(found))] : undefined;
  };

/** Reads documents in groups, which have no total: what is read of them is told. */
function prepareGroups(groups: StatementFor, database: Database, isTable: (name: string) => boolean): PreparedRead {
  return {
    size: groups.size,
    reads: readsOf(database.dialect.name, isTable, groups.general),
    async run(bound, transaction): Promise<StoreAnswer> {
      const inside = (transaction as SqlTransaction | undefined)?.connection;
      const page = groups.of(bound);
      const rows = await (inside ?? database).rows(page, page.parameters.values(bound));
      return joinedTexts(rows, database);
    },
  };
}

/** A plan's statements, made once; running it only binds values. */
export function prepareRead(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  database: Database,
  kept: { readonly totals: Totals; readonly choices: Choices<Way> },
  isTable: (name: string) => boolean,
): PreparedRead {
  const { groups } = plan;
  const { careful, name } = database.dialect;
  if (groups) {
    const grouped = (dialect: Dialect) => answering(groupsStatement({ ...plan, groups }, tableOf, dialect), plan);
    return prepareGroups(forWindows(careful ?? database.dialect, grouped), database, isTable);
  }
  const { after } = plan;
  const alone = loneRowStatement(plan, tableOf, database.dialect);
  const loneRow = alone && answering(alone, plan);
  const link = loneRow ? undefined : soughtLink(plan, tableOf);
  const statement = (dialect: Dialect, sought?: Sought): BoundStatement =>
    answering(
      after
        ? pageAfterStatement({ ...plan, after }, tableOf, dialect, sought)
        : pageStatement(plan, tableOf, dialect, sought),
      plan,
    );
  const soughtBy = (way: Way): Sought | undefined =>
    way === 'inOrder' || way === 'sorted' ? { way } : link && { some: link, way };
  const by = (way: Way): StatementFor => forWindows(database.dialect, (dialect) => statement(dialect, soughtBy(way)));
  const page = by('each');
  const finder = link
    ? findWay(plan, link, tableOf, database.dialect)
    : (findOrdered(plan, tableOf, database.dialect) ?? findFew(plan, tableOf, database.dialect));
  const pages = new Map(finder?.ways.map((way) => [way, way === 'each' ? page : by(way)]));
  // All that match are counted, so that looking them up never reads more than going through the list.
  const count = seeking(
    countStatement(plan, tableOf, database.dialect, link && { some: link, way: 'first' }),
    plan.where,
  );
  const totals = prepareTotal(count, () => tablesRead(count.sql, name, isTable), database, kept.totals);
  let carefulPage: BoundStatement | undefined;

  /** Without the one beyond, which tells that there are more. */
  const shownOf = (rows: Rows, bound: readonly Bound[]): Rows =>
    after ? rows.slice(0, Number(bound[plan.limit])) : rows;

  const wholeOf = (rows: Rows): PageRow => (after ? inOneRow(rows) : (rows[0] as unknown as PageRow));

  /** One row with all documents; read again with care where something is no JSON that should be. */
  async function wholePage(rows: Rows, from: RowsFrom, bound: readonly Bound[]): Promise<Page> {
    const [bytes, count] = wholeOf(rows);
    const json = renderMarkedBytes(bytes);
    if (json) return { json, count };
    carefulPage ??= statement(careful!);
    const reread = await from.rows(carefulPage, carefulPage.parameters.values(bound));
    const [again, found] = wholeOf(shownOf(reread, bound));
    return { json: Buffer.from(renderMarked(again.toString())), count: found };
  }

  /** The version of the data: behind all documents in one row, else behind the text of each. */
  const versionOf = (rows: Rows) => rows[0]?.[careful && !after ? 2 : 1] as string | undefined;

  const isEmpty = (rows: Rows): boolean => (careful ? wholeOf(rows)[1] : rows.length) === 0;

  const pageOf = careful ? wholePage : (rows: Rows): Page => joinedTexts(rows, database);

  /** Rows of whole documents, also where the texts of these are put together here. */
  function rowsOf(chosen: StatementFor, from: RowsFrom, bound: readonly Bound[]): Rows | Promise<Rows> {
    const read = chosen.of(bound);
    const { filled } = read;
    const rows = from.rows(read, read.parameters.values(bound));
    return filled ? Promise.resolve(rows).then((all) => filled(all, database.maxAnswerBytes)) : rows;
  }

  /**
   * Whether a read in a transaction never takes more than the statement of its page, and shows nothing but what its rows hold: what
   * others hold may come to more than a server answers, which is told when the answer is there.
   */
  const mayCommit = !careful && !link && !plan.total && plan.populate.length === 0 && plan.entries === undefined;

  /** The rows of a page by a certain index, or as the planner will where that is gone. */
  async function rowsByIndex(way: Way, key: string, from: RowsFrom, bound: readonly Bound[]): Promise<Rows> {
    try {
      return await rowsOf(pages.get(way)!, from, bound);
    } catch (error) {
      if (!isMissingIndex(error)) throw error;
      kept.choices.keep(key, 'each');
      return rowsOf(page, from, bound);
    }
  }

  /** The rows of a page, by the way that reads least. */
  async function rowsBy(ways: WayFinder, from: RowsFrom, bound: readonly Bound[]): Promise<Rows> {
    const key = ways.keyOf(bound);
    const way = await kept.choices.of(key, () => ways.choose(from, bound));
    if (way === 'inOrder' || way === 'sorted') return rowsByIndex(way, key, from, bound);
    const rows = await rowsOf(pages.get(way)!, from, bound);
    // The links are those of several rows by now, of none, or at their end.
    return way === 'along' && isEmpty(rows) ? rowsOf(pages.get('first')!, from, bound) : rows;
  }

  /** What a document's only row shows. Its page, where there are several, or the page does not begin with the first. */
  async function loneOf(statement: BoundStatement, from: RowsFrom, bound: readonly Bound[]): Promise<Rows> {
    if (Number(bound[plan.start]) !== 0 || Number(bound[plan.limit]) < 1) return rowsOf(page, from, bound);
    const rows = await from.rows(statement, statement.parameters.values(bound));
    return wholeOf(rows)[1] > 1 ? rowsOf(page, from, bound) : rows;
  }

  /** What is asked for, in the way that reads least. */
  async function rowsFor(bound: readonly Bound[], from: RowsFrom, isInside: boolean): Promise<Rows> {
    if (loneRow) return loneOf(loneRow, from, bound);
    // In a transaction a statement that fails is the last one: none is tried.
    if (finder && (link || !isInside)) return rowsBy(finder, from, bound);
    return rowsOf(page, from, bound);
  }

  /** How many there are, counted only where the page does not tell. */
  async function totalOf(bound: readonly Bound[], page: Counted, how: PageRead): Promise<number> {
    const told = toldByPage(plan, bound, page);
    if (told === undefined) {
      const { inside, version, seen } = how;
      return totals.of(bound, { inside, version, seen, least: leastOf(plan, bound, page) });
    }
    totals.unasked();
    return told;
  }

  const run: PreparedRead['run'] = async (bound, transaction, isLast = false) => {
    const inside = (transaction as SqlTransaction | undefined)?.connection;
    const { lastRows } = (isLast && mayCommit && inside) || {};
    const from = lastRows ? { rows: lastRows } : (inside ?? database);
    const seen = plan.total && !inside ? totals.look() : undefined;
    const rows = await rowsFor(bound, from, inside !== undefined);
    const shown = shownOf(rows, bound);
    const last = after && lastOf(rows, shown);
    const answered = await pageOf(shown, from, bound);
    const { json, count } = answered;
    const total = plan.total ? await totalOf(bound, answered, { inside, version: versionOf(rows), seen }) : undefined;
    // Not `{ ...answered, total, last }`: on Node 20 each such object has a hidden class of its own.
    return { json, count, total, last };
  };

  const together = prepareTogether(plan, tableOf, database, run);
  const statements = [...new Set([page, ...pages.values()])];

  return {
    size: statements.reduce((total, { size }) => total + size, count.sql.length + (loneRow?.sql.length ?? 0)),
    reads: readsOf(name, isTable, count, ...statements.map(({ general }) => general), ...(finder?.statements ?? [])),
    run,
    ...(together && { together }),
  };
}
