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
  return { table: renderedName(table), columns: found };
}

/** A piece of a row's text, behind its id: the same for all rows; or kept in a column, as one value of which NULL says nothing. */
export type Piece =
  | { readonly known: string }
  | { readonly in: string; readonly parts: readonly (string | RenderedColumn)[] }
  | { readonly in: string; readonly value: RenderedColumn };

/** With fewer, looking a text up costs as much as making it. */
const fewest = 3;

/**
 * The pieces of a row's text, where not all values of some storages can be spelt whenever a row is written; none where keeping
 * the others is not worth it.
 */
export function piecesOf({ columns }: Rendered, isSpelt: (storage: ScalarStorage) => boolean): Piece[] {
  if (columns.filter(({ storage }) => isSpelt(storage)).length < fewest) return [];
  const pieces: Piece[] = [];
  let parts: (string | RenderedColumn)[] = [];
  let kept = 0;
  function settle(): void {
    if (parts.some((part) => typeof part !== 'string')) pieces.push({ in: `t${kept++}`, parts });
    else if (parts.length > 0) pieces.push({ known: parts.join('') });
    parts = [];
  }
  for (const column of columns) {
    parts.push(`,${JSON.stringify(column.key)}:`);
    if (isSpelt(column.storage)) parts.push(column);
    else {
      settle();
      pieces.push({ in: `t${kept++}`, value: column });
    }
  }
  settle();
  return pieces;
}
