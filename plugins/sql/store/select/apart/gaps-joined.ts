import type { Rows } from '../../../database/database';
import { behindPlace, gapMark, nextText } from '../../../dialects/apart';
import type { Gap } from './gaps';

/** Texts in the order of the rows that they belong to. */
interface Belonging {
  readonly texts: readonly string[];
  next: number;
}

const textsIn = (all: unknown): readonly string[] => (all === null ? [] : (all as string).split(nextText));

/**
 * Rows of whole documents, out of a row for the texts of the documents and one for those of each gap: the number of the gap, 0 for
 * the documents, the texts, and what is told with a document. Documents are gone through in their order, and so are
 * the texts of each gap.
 */
export function filledByPlaces(rows: Rows, gaps: readonly Gap[]): Rows {
  const all: Belonging[] = [];
  for (const [number, texts] of rows) all[number as number] = { texts: textsIn(texts), next: 0 };
  /** Of one document: put together at once, they make one text and not one of many in each other. */
  let parts: string[];

  /** Adds what belongs to a row into a gap, and passes by what belongs to a row that is not shown. */
  function fill(number: number, place: number): void {
    const { many, missing } = gaps[number - 1]!;
    const belonging = all[number]!;
    const { texts } = belonging;
    let shown = 0;
    if (many) parts.push('[');
    for (; belonging.next < texts.length; belonging.next++) {
      const text = texts[belonging.next]!;
      const mark = text.indexOf(behindPlace);
      const at = Number(text.slice(0, mark));
      if (at > place) break;
      // A tie may lead to nothing that is shown.
      if (at < place || mark === text.length - 1 || (shown > 0 && !many)) continue;
      if (shown++ > 0) parts.push(',');
      add(text, mark + 1, belonging.next + 1);
    }
    if (many) parts.push(']');
    else if (shown === 0) parts.push(missing);
  }

  /** Adds the rest of a row's text, with its gaps filled. */
  function add(text: string, start: number, place: number): void {
    let from = start;
    for (let at = text.indexOf(gapMark, from); at >= 0; at = text.indexOf(gapMark, from)) {
      const end = text.indexOf(gapMark, at + 1);
      parts.push(text.slice(from, at));
      fill(Number(text.slice(at + 1, end)), place);
      from = end + 1;
    }
    parts.push(text.slice(from));
  }

  const told = rows.find(([number]) => number === 0)!.slice(2);
  return all[0]!.texts.map((text) => {
    const mark = text.indexOf(behindPlace);
    parts = [];
    add(text, mark + 1, Number(text.slice(0, mark)));
    return [parts.join(''), ...told];
  });
}
