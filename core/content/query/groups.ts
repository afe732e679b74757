import { forbidden, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { refuseKey } from './keys';
import { type Reader, type Step, stepInto } from './reader';
import { asIs } from './slots';

export type Measured = 'avg' | 'sum' | 'min' | 'max';

/** What is told of a group of documents. */
export type AskedMeasure = { readonly of: 'count' } | { readonly of: Measured; readonly attribute: string };

/**
 * Documents in groups, in the place of documents: an answer's items are lists of the values that make a group and what
 * is told of it; or, with `part`, of those values and one of its documents.
 */
export interface AskedGroups {
  /** What makes a group: the values of attributes, or the documents tied through nested attributes. */
  readonly by: readonly { readonly name: string; readonly nulls: boolean }[];
  readonly tells: readonly AskedMeasure[];
  /** The part of each group's documents that is shown, as the read shows and sorts documents. */
  readonly part?: { readonly start: number; readonly limit: number };
  /** Where groups are told and not shown: how many are read, and one more where there are more. */
  readonly most?: number;
}

/** A value that makes a group; where documents are tied, their `documentId`. */
export interface GroupKey {
  readonly attribute: Attribute;
  readonly through?: Step;
  /** Whether documents without the value are a group, too. */
  readonly nulls: boolean;
}

export type Measure = { readonly of: 'count' } | { readonly of: Measured; readonly attribute: Attribute };

/** How a plan groups documents. */
export interface Groups {
  readonly by: readonly GroupKey[];
  readonly tells: readonly Measure[];
  /** Slots of the part of each group's documents; absent where groups are told and not shown. */
  readonly part?: { readonly start: number; readonly limit: number };
  /** The slot of the number of groups; absent where all are read. */
  readonly most?: number;
}

/** What tells groups apart from others, and the values that are bound for them. */
export function shapeOfGroups(groups: AskedGroups | undefined): { shape: string; values: number[] } {
  if (!groups) return { shape: '', values: [] };
  const { by, tells, part, most } = groups;
  return {
    shape: JSON.stringify([by, tells, part !== undefined, most !== undefined]),
    values: [...(part ? [part.start, part.limit] : []), ...(most === undefined ? [] : [most])],
  };
}

const numbers = new Set(['integer', 'biginteger', 'float', 'decimal']);

function attributeIn(type: ContentType, name: string): Attribute {
  const attribute = type.attributes.get(name);
  if (!attribute || attribute.hidden || attribute.kind.opaque) throw refuseKey(type, name, 'fields');
  return attribute;
}

/** Compiles how a read groups documents; takes the slots of the values in it. */
export function compileGroups(reader: Reader, type: ContentType, asked: AskedGroups): Groups {
  const { by, tells, part, most } = asked;
  const keys = by.map(({ name, nulls }): GroupKey => {
    if (type.attributes.has(name)) return { attribute: attributeIn(type, name), nulls };
    const nested = type.nested.get(name);
    if (!nested || nested.hidden) throw refuseKey(type, name, 'fields');
    const through = stepInto(reader, type, name);
    if (!through) throw forbidden();
    return { attribute: through.type.attributes.get('documentId')!, through, nulls };
  });
  const measures = tells.map((tell): Measure => {
    if (tell.of === 'count') return tell;
    const attribute = attributeIn(type, tell.attribute);
    if ((tell.of === 'avg' || tell.of === 'sum') && !numbers.has(attribute.kind.storage))
      throw validationError(`${tell.of} is of numbers, and ${attribute.name} is none.`);
    return { of: tell.of, attribute };
  });
  return {
    by: keys,
    tells: measures,
    ...(part && { part: { start: reader.slots.next(asIs), limit: reader.slots.next(asIs) } }),
    ...(most !== undefined && { most: reader.slots.next(asIs) }),
  };
}
