import { together } from '../../together';
import type { ContentType } from '../content-type';
import type { Chosen } from '../query/choices';
import type { Row } from '../store';
import { applyStructure } from './apply-structure';
import type { AddedParts } from './building';
import { addParts } from './embedded-parts';
import type { RowsOfTypes } from './remove-rows';
import { assumedVariant, chosenVariant, type Finding, tiedVariants } from './resolve-links';
import type { RowInput } from './row-input';

interface Put {
  readonly type: ContentType;
  readonly chosen: readonly Chosen[];
  /** The rows to be changed; one is added where there are none. */
  readonly rows: readonly Row[];
  readonly documentId: string;
  readonly values: Row;
  readonly input: RowInput;
}

/** The rows that hold now what was to be put there, and the components that nothing holds any more. */
interface Done {
  readonly ids: readonly number[];
  readonly dropped: RowsOfTypes;
}

/** Writes values, links and components into rows. */
export async function putRows(put: Put, { transaction, registry, found }: Finding): Promise<Done> {
  const { type, chosen, rows, documentId, values, input } = put;
  const isNew = rows.length === 0;
  let ids = rows.map(({ id }) => Number(id));
  let added: AddedParts | undefined;
  if (isNew)
    [ids, added] = await together([
      transaction.insert(type, [{ ...values, documentId }]),
      addParts([input], transaction),
    ]);
  // By their ids: a database that looks for them otherwise may lock the rows of other variants, too.
  else await transaction.update(type, { id: ids }, values);
  if (input.links.length === 0 && input.parts.length === 0) return { ids, dropped: new Map() };
  const structured = ids.map((row) => ({ row, input, isNew }));
  const rivals = { where: tiedVariants(type, chosenVariant(type, chosen)) };
  const assumed = assumedVariant(type, registry);
  const building = { transaction, registry, found, assumed, rivals, added };
  return { ids, dropped: await applyStructure(type, structured, building) };
}
