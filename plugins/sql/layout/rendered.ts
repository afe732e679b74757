import { createHash } from 'node:crypto';

import { renderedName } from './identifiers';
import type { Rendered, RenderedColumn } from './layout';
import type { LayoutModel, ScalarStorage } from './model';
import type { Place } from './places';

/** What is kept of the texts of a model's rows. */
export function renderedOf(
  { shown = [] }: LayoutModel,
  table: string,
  places: Readonly<Record<string, Place>>,
): Rendered | undefined {
  const columns = shown.map((key): RenderedColumn | undefined => {
    const place = places[key];
    return place?.in === 'column' ? { key, column: place.column, storage: place.storage } : undefined;
  });
  const found = columns.filter((column) => column !== undefined);
  if (found.length === 0 || found.length < columns.length) return undefined;
  const hash = createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 8);
  return { table: renderedName(table), hash, columns: found };
}

/** A piece of a row's text, behind its id: the same for all rows; or kept in a column, as one value of which NULL says nothing. */
export type Piece =
  | { readonly known: string }
  | { readonly in: string; readonly parts: readonly (string | RenderedColumn)[] }
  | { readonly in: string; readonly value: RenderedColumn };

/** With fewer, looking a text up costs as much as making it. */
const fewest = 3;

/** Of more, an expression would be nested more deeply than a database allows. */
const mostParts = 200;

/**
 * The pieces of a row's text, where not all values of some storages can be spelt whenever a row is written; none where keeping
 * the others is not worth it.
 */
export function piecesOf({ hash, columns }: Rendered, isSpelt: (storage: ScalarStorage) => boolean): Piece[] {
  if (columns.filter(({ storage }) => isSpelt(storage)).length < fewest) return [];
  const pieces: Piece[] = [];
  let parts: (string | RenderedColumn)[] = [];
  let kept = 0;
  const next = (): string => `t_${hash}_${kept++}`;
  function settle(): void {
    if (parts.some((part) => typeof part !== 'string')) pieces.push({ in: next(), parts });
    else if (parts.length > 0) pieces.push({ known: parts.join('') });
    parts = [];
  }
  for (const column of columns) {
    parts.push(`,${JSON.stringify(column.key)}:`);
    if (isSpelt(column.storage)) parts.push(column);
    if (parts.length >= mostParts) settle();
    if (!isSpelt(column.storage)) {
      settle();
      pieces.push({ in: next(), value: column });
    }
  }
  settle();
  return pieces;
}
