import type { Bound, Comparison, ScalarStorage, TextMatch } from '../../../core';
import type { Apart } from './apart';
import type { Marks } from './marks';
import type { TextNotes } from './notes';

export type DialectName = 'sqlite' | 'mysql' | 'postgres';

/** A value on its way to the driver: the slot it comes from, and how this database wants it spelt. */
export interface Parameter {
  readonly slot: number;
  readonly spell: (value: Bound, all: readonly Bound[]) => unknown;
}

/** Collects the parameters of a statement, for placeholders without numbers in the order in which its text mentions them. */
export interface Parameters {
  /** Adds one and returns its placeholder. */
  add(slot: number, spell: Parameter['spell']): string;
}

export interface TextCondition {
  readonly match: TextMatch;
  readonly caseless: boolean;
  readonly slot: number;
}

/** Texts of rows that a database makes by itself whenever one is written, by whatever program. */
export interface Renderings {
  /** Whether every program that writes into the database can spell nearly all such values. */
  isSpelt(storage: ScalarStorage): boolean;
  /** A column as JSON text, in a way that all of them have; NULL where it doesn't do. */
  json(column: string, storage: ScalarStorage): string;
  /**
   * A text made of pieces; NULL where one that is needed is, or what is kept can't be relied on. `standing` adds the number that
   * the schema must still have.
   */
  kept(pieces: readonly string[], needed: readonly string[], standing: () => string): string;
}

/** The slots that say where a part of a list starts, and how long it is. */
export interface PageWindow {
  readonly start: number;
  readonly limit: number;
}

/** What is to be selected of a list: something for each link, and the places of the rows that are in it, in their order. */
export interface BehindPage {
  readonly link: string;
  place(): string;
}

/** An order by what a select of that name tells of its rows. */
export type OrderTold = (name: string) => string;

/** Where a part of a list ends: how its rows are selected then, what is joined before them, and what is asked of them. */
export interface JoinedEnd {
  readonly select: string;
  readonly before: string;
  readonly condition: string;
}

/**
 * How one database spells what the plans mean. Expressions that spell JSON must give the bytes of `JSON.stringify`;
 * where SQL can't, the value stands between U+0001 and U+0002, for `sentinels.ts` to render.
 */
export interface Dialect {
  readonly name: DialectName;
  id(name: string): string;
  placeholder(number: number): string;
  concat(parts: readonly string[]): string;
  literal(text: string): string;
  /** A text made of others, marked as `unfit` where the database has no room for it and says NULL. */
  fitting(text: string): string;
  /** Columns that give all documents of a page as one JSON list, in bytes, and their number; absent where each is a row. */
  readonly wholePage?: (text: string) => string;
  /** The same database, spelling JSON so that its marks are unmistakable whatever a column holds; where that costs time. */
  readonly careful?: Dialect;
  /** Absent where texts of rows are not kept, or not to be relied on. */
  readonly renderings?: Renderings;
  /** The texts of all rows of a group in this order, or as they come, with commas between; an empty text for none. */
  joinedTexts(text: string, order: string | undefined): string;
  /** The same of a part of the rows only, for a database whose subqueries in FROM don't see the row around them. */
  readonly joinedPage?: (text: string, order: string, window: PageWindow, parameters: Parameters) => string;
  /** What keeps a list from being gone through behind a part of it: of its rows, those whose `place` is behind the part are left out. */
  readonly pageEnd?: (
    behind: BehindPage,
    window: PageWindow,
    place: string,
    alias: string,
    parameters: Parameters,
  ) => JoinedEnd;
  /** Absent where what is tied to a row is read by a select of its own, as the planner likes. */
  readonly apart?: Apart;
  /** Joins rows to what stands before it, which is gone through first, in its order. */
  readonly joinAfter: string;
  /** Rows joined to a page come in its order, and needn't be ordered again; where this is absent, the page tells what orders them. */
  readonly pageKeepsOrder?: boolean;
  /**
   * Whether an id is among those that a select finds, which is run first and whole; absent where no condition makes the
   * planner do that, but only a join.
   */
  readonly foundFirst?: (id: string, select: string) => string;
  /** What is looked for with each row that is gone through; absent where the planner does that. */
  readonly foundForEach?: (exists: string) => string;
  /**
   * A column that orders the copies of a row, where the planner would go through any index that has all columns asked for
   * in place of the one that finds the rows: one that is in none. Absent where it doesn't; the id will do.
   */
  readonly copyOrder?: string;
  /** What follows a table that is to be gone through in the order of an index; absent where the planner sees by itself when to. */
  readonly byIndex?: (index: string) => string;
  /**
   * Whether the planner goes through an index that has the order of a list, and looks up rows until a page is full, however few of them
   * meet what is asked.
   */
  readonly trustsOrder?: boolean;
  /** A column for which the planner should not choose an index: few values are in many rows, or it is for something else. */
  unindexed(column: string): string;
  /** The same of a column of texts, of which some planners know no better before they have looked at the table. */
  unindexedText(column: string): string;
  /** A column as JSON text, `null` included. */
  json(column: string, storage: ScalarStorage): string;
  compare(column: string, storage: ScalarStorage, comparison: Comparison, slot: number, parameters: Parameters): string;
  /**
   * Whether a column has one of very many values, for a database that takes the longer for a statement the more comparisons have
   * been in it before; absent where each is compared.
   */
  readonly among?: (
    column: string,
    storage: ScalarStorage,
    slots: readonly number[],
    negated: boolean,
    parameters: Parameters,
  ) => string;
  text(column: string, storage: ScalarStorage, condition: TextCondition, parameters: Parameters): string;
  /** Rows without a value come first; `isFilled` says that there are none, so that any index has the order. */
  order(column: string, descending: boolean, isFilled?: boolean): string;
  /**
   * A value that a group is ordered by, with one that is less than any in place of NULL; absent where groups are ordered as rows are.
   */
  readonly orderedInGroup?: (value: string, storage: ScalarStorage) => string;
  /** As much of a value as the database looks at when it orders by it, where that is not all. */
  readonly orderedBy?: (value: string, storage: ScalarStorage) => string;
  /** An index is read in the order that it was made for, or in its reverse: one down by a value and up by ids would be sorted. */
  readonly isOneWay?: boolean;
  /** Ends a subquery that the planner should run as it stands. */
  readonly fence: string;
  /**
   * A part of what an ordered select finds: as many rows as a slot says, behind as many as another says. The order is told to where the
   * part is selected from once more.
   */
  window(select: string, start: number, limit: number, parameters: Parameters, order?: OrderTold): string;
  /**
   * The same part of at most so many rows, of a size that is written out; a database that has this plans a statement anew at
   * each run unless its text says how many rows are looked at.
   */
  readonly windowWithin?: (
    select: string,
    rows: number,
    size: number,
    start: number,
    parameters: Parameters,
    order?: OrderTold,
  ) => string;
  /** `limit …`, one more than the slot says: whether there is more behind what is shown. */
  oneMore(limit: number, parameters: Parameters): string;
  readonly marks: Marks;
  /** A document's text as a column of its own, in bytes where the driver hands them over as they are. */
  row(text: string): string;
  /** A number as one that sums and means are made of. */
  asFloat(column: string): string;
  /** Whether a row's place, counted from 1, is in the part that the slots say. */
  between(place: string, start: number, limit: number, parameters: Parameters): string;
  /**
   * Statements travel to a server, so that one about several documents costs less than one about each. Dearly: so much less that
   * clients do well to wait for each other; cheaply where short reads go there in one piece anyway.
   */
  readonly travels?: 'cheaply' | 'dearly';
  /**
   * The text of a list, of which the length is counted among that of all lists that so many relations lead to, so that a statement
   * ends where these are too long; absent where the connection counts what it is sent.
   */
  readonly counted?: (text: string, relations: number) => string;
  /**
   * Whether a row is one of those that a select finds, which is run once, however many rows are asked about; absent where the
   * planner does so itself.
   */
  readonly amongAll?: (subject: string, id: string, from: string) => string;
  /** A condition that all rows meet, and that ends a statement which has taken too long; absent where a server ends it. */
  readonly inTime?: (column: string) => string;
  /** From a page of ids called `p` to its rows called `t`: one row of the table for each id. */
  joined(page: string, table: string): string;
  /** Keeps what a statement finds for others that are sent before it is answered; absent where it is answered at once. */
  readonly notes?: TextNotes;
  /** An expression whose text is equal wherever the same data can be seen; absent where the database has none. */
  readonly snapshot?: string;
  /** A value as a column of this storage takes it. */
  store(value: Bound, storage: ScalarStorage): unknown;
  /** A column as `load` takes it. */
  raw(column: string, storage: ScalarStorage): string;
  /** A driver's value as the rest of Heddle knows it. */
  load(value: unknown, storage: ScalarStorage): Bound;
}

export const plusOne: Parameter['spell'] = (value) => Number(value) + 1;

export const symbols: Readonly<Record<Comparison, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

export const asIs: Parameter['spell'] = (value) => value;

/** Lower case in ASCII only, so that every database folds alike. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Arguments in groups, for functions that take a limited number. */
export function nested(name: string, parts: readonly string[], most: number): string {
  if (parts.length <= most) return `${name}(${parts.join(',')})`;
  const groups: string[] = [];
  for (let at = 0; at < parts.length; at += most) groups.push(`${name}(${parts.slice(at, at + most).join(',')})`);
  return nested(name, groups, most);
}

/** JSON as it is compared: written the one way in which it is stored. */
export function storedJson(value: Bound): string {
  try {
    return JSON.stringify(JSON.parse(String(value)));
  } catch {
    return JSON.stringify(String(value));
  }
}

/** For equality, JSON as it is stored; for order, where any text is meant, that text. */
export const comparableJson = (value: Bound, comparison: Comparison): string =>
  comparison === 'eq' || comparison === 'ne' ? storedJson(value) : String(value);
