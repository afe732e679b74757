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
import { type RowInput, rowWith, sameInput } from './row-input';
import { type Twin, twinsOfParts } from './twin-rows';

interface Put {
  readonly type: ContentType;
  readonly chosen: readonly Chosen[];
  /** The rows to be changed; one is added where there are none. */
  readonly rows: readonly Row[];
  readonly documentId: string;
  readonly values: Row;
  readonly input: RowInput;
  /** The values of its own that a copy has which is added with a new row; none is, unless given. */
  readonly twin: Row | undefined;
}

/** The rows that hold now what was to be put there, and the components that nothing holds any more. */
interface Done {
  readonly ids: readonly number[];
  readonly dropped: RowsOfTypes;
  /** The copy that was added, with copies of its components; neither is tied to anything yet. */
  readonly twin: Twin | undefined;
}

/** Writes values, links and components into rows. */
export async function putRows(put: Put, { transaction, registry, found }: Finding): Promise<Done> {
  const { type, chosen, rows, documentId, values, input, twin } = put;
  const isNew = rows.length === 0;
  const inputs = isNew ? [input] : rows.map((_, at) => (at === 0 ? input : sameInput(input)));
  const own = rowWith(values, { documentId });
  const copy = twin && { row: rowWith(own, twin), input: sameInput(input) };

  async function stored(): Promise<number[]> {
    if (isNew) return transaction.insert(type, copy ? [own, copy.row] : [own]);
    // By their ids: a database that looks for them otherwise may lock the rows of other variants, too.
    const id = rowIds(rows);
    await transaction.update(type, { id }, values);
    return id;
  }
  async function structured(ids: readonly number[], added: Promise<AddedParts>): Promise<RowsOfTypes> {
    if (input.links.length === 0 && input.parts.length === 0) return new Map();
    const rivals = { where: tiedVariants(type, chosenVariant(type, chosen)) };
    const assumed = assumedVariant(type, registry);
    const holding = inputs.map((each, at) => ({ row: ids[at]!, input: each, isNew }));
    return applyStructure(type, holding, { transaction, registry, found, assumed, rivals, added });
  }

  const storing = stored();
  const adding = addParts(copy ? [...inputs, copy.input] : inputs, transaction);
  const [all, added, dropped] = await together([storing, adding, storing.then((ids) => structured(ids, adding))]);
  const ids = all.slice(0, inputs.length);
  if (!twin) return { ids, dropped, twin };
  const twins = new Map([[ids[0]!, { id: all[1]!, row: copy!.row }]]);
  return {
    ids,
    dropped,
    twin: { values: twin, rows: new Map([[type, twins], ...twinsOfParts(input, copy!.input, added)]) },
  };
}
