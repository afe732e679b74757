// How what is tied to the rows of a page is read apart from them, for all of them at once. None of the marks occurs in JSON.

/** Stands between the place of the row that a text belongs to and the text. */
export const behindPlace = '\u0004';
/** Stands between texts. */
export const nextText = '\u0005';
/** Stands around the number of a gap, which such texts are put into. */
export const gapMark = '\u0006';

/**
 * Where the database joins the texts, which it finds by places of rows. Placeholders have numbers, for parts of such a statement
 * are not written in its order.
 */
export interface ApartJoined {
  readonly as: 'joined';
  /** Joins what a select finds by each row before it, where the planner might look through all rows, and often. */
  each(select: string, alias: string): string;
  /** The texts of a select's rows in one, in this order, each with the place of the row that it belongs to. */
  texts(place: string, text: string, order: string): string;
  /** A named select of the ids that another one finds, which finds nothing else, and of their places. */
  page(name: string, ids: string): string;
}

/** Where each text is a row, with the id of the row that it belongs to. */
export interface ApartInRows {
  readonly as: 'rows';
  /** What is set for such a statement: has what is joined looked for by each row before it. */
  readonly settings: string;
  /** A column that notes under a name which ids a select finds, in this order; each once, where there is none. NULL for too many. */
  noted(name: string, id: string, from: string, order?: string): string;
  /** Rows to select from, called by an alias: each such `id`, with its place `n`. */
  notedIds(name: string, alias: string): string;
}

export type Apart = ApartJoined | ApartInRows;
