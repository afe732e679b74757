interface Link {
  readonly row: number;
  before: Link;
  after: Link;
}

/** A list in which a row is found, taken out and put elsewhere at the same cost, however long it is. Rows stand in it once. */
export class PlacedList {
  /** Stands before the first and behind the last. */
  readonly #ends: Link;
  readonly #links = new Map<number, Link>();

  constructor(rows: readonly number[]) {
    const ends = { row: -1 } as Link;
    ends.before = ends;
    ends.after = ends;
    this.#ends = ends;
    this.append([...new Set(rows)]);
  }

  remove(rows: readonly number[]): void {
    for (const row of rows) {
      const link = this.#links.get(row);
      if (!link) continue;
      link.before.after = link.after;
      link.after.before = link.before;
      this.#links.delete(row);
    }
  }

  prepend(rows: readonly number[]): void {
    this.#insert(rows, this.#ends);
  }

  append(rows: readonly number[]): void {
    this.#insert(rows, this.#ends.before);
  }

  /** Puts rows before the first of others, or behind the last of them; false where none of these is in the list. */
  place(rows: readonly number[], at: 'before' | 'after', others: readonly number[]): boolean {
    const outermost = this.#outermost(at, new Set(others));
    if (outermost) this.#insert(rows, at === 'before' ? outermost.before : outermost);
    return outermost !== undefined;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let link = this.#ends.after; link !== this.#ends; link = link.after) yield link.row;
  }

  #insert(rows: readonly number[], behind: Link): void {
    let last = behind;
    for (const row of rows) {
      const link: Link = { row, before: last, after: last.after };
      last.after.before = link;
      last.after = link;
      this.#links.set(row, link);
      last = link;
    }
  }

  /** Rows of one document mostly stand side by side: only where they don't, the list is gone through. */
  #outermost(at: 'before' | 'after', others: ReadonlySet<number>): Link | undefined {
    const edges = [...others].flatMap((row) => {
      const link = this.#links.get(row);
      return link && !others.has(link[at].row) ? [link] : [];
    });
    if (edges.length < 2) return edges[0];
    const inward = at === 'before' ? 'after' : 'before';
    let link = this.#ends[inward];
    while (!others.has(link.row)) link = link[inward];
    return link;
  }
}
