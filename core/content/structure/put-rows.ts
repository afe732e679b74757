import { together } from '../../together';
import type { ContentType } from '../content-type';
import type { Chosen } from '../query/choices';
import { rowIds } from '../row-id';
import type { Row } from '../store';
import { applyStructure } from './apply-structure';
import type { AddedParts } from './building';
import { addParts } from './embedded-parts';
import type { RowsOfTypes } from './remove-rows';
import { assumedVariant, chosenVariant, type Finding, tiedVariants } from './resolve-links';
import { type RowInput, sameInput } from './row-input';

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
  const inputs = isNew ? [input] : rows.map((_, at) => (at === 0 ? input : sameInput(input)));

  async function stored(): Promise<number[]> {
    if (isNew) return transaction.insert(type, [Object.assign({}, values, { documentId })]);
    // By their ids: a database that looks for them otherwise may lock the rows of other variants, too.
    const id = rowIds(rows);
    await transaction.update(type, { id }, values);
    return id;
  }
  async function structured(ids: readonly number[], added: Promise<AddedParts>): Promise<RowsOfTypes> {
    if (input.links.length === 0 && input.parts.length === 0) return new Map();
    const rivals = { where: tiedVariants(type, chosenVariant(type, chosen)) };
    const assumed = assumedVariant(type, registry);
    const holding = ids.map((row, at) => ({ row, input: inputs[at]!, isNew }));
    return applyStructure(type, holding, { transaction, registry, found, assumed, rivals, added });
  }

  const storing = stored();
  const added = addParts(inputs, transaction);
  const [ids, , dropped] = await together([storing, added, storing.then((ids) => structured(ids, added))]);
  return { ids, dropped };
}
