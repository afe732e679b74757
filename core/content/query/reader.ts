import { ExcessiveRequest } from '../../errors';
import type { ContentType } from '../content-type';
import { type ChoiceContext, parameterOf } from '../dimension';
import type { Nested } from '../nested';
import type { Operation } from '../operation';
import { type Chosen, choicePredicateOf } from './choices';
import { all, type Predicate, type SomePredicate } from './predicate';
import type { Slots } from './slots';

/** What the compilation of one read knows: the types, what the caller may see of them, and the request's parameters. */
export interface Reader {
  readonly operation: Operation;
  readonly slots: Slots;
  /** What the dimensions of the read's type select. */
  readonly chosen: readonly Chosen[];
  typeOf(uid: string): ContentType | undefined;
  /** All types that have documents of their own. */
  readonly documents: readonly ContentType[];
  /** Whether the caller may read documents of this type. */
  sees(uid: string): boolean;
  /** What stands in a nested attribute besides the types that it lists: shown, but no way that a query could name. */
  strays(nested: Nested): readonly ContentType[];
  /** The place of the first value of a filter inside `populate`. */
  placeOf(filters: object): number;
  /** Counts a way through a nested attribute, and refuses one too many. */
  readonly enter: Record<'conditions' | 'populate', () => void>;
}

/** What one read may ask for: beyond it, databases spend their time and memory on planning. */
const most = { conditions: 60, populate: 1_000 };
const saidOf = { conditions: 'Filters and sort look', populate: 'Populate looks' };

/** Bounds what one read asks for. */
export function createEntries(): Reader['enter'] {
  const counted = (what: keyof typeof most) => {
    let count = 0;
    return () => {
      if (++count > most[what])
        throw new ExcessiveRequest(
          `${saidOf[what]} into more than ${most[what]} relations, components and attachments.`,
        );
    };
  };
  return { conditions: counted('conditions'), populate: counted('populate') };
}

/**
 * The types behind a nested attribute that the caller may see: components and what is attached belong to what they stand
 * in. A link to anything leads to all types that have documents, of which a caller sees those with a permission.
 */
export function targetsOf(reader: Reader, { targets, storage }: Nested): ContentType[] {
  if (storage === 'morph' && targets.length === 0) return reader.documents.filter(({ uid }) => reader.sees(uid));
  return targets
    .map((uid) => reader.typeOf(uid))
    .filter(
      (type): type is ContentType =>
        type !== undefined && (storage === 'attached' || type.modelKind === 'component' || reader.sees(type.uid)),
    );
}

/** The variants of linked documents that this read shows, as a condition on them. */
export function shownVariants({ operation, slots }: Reader, type: ContentType): Predicate | undefined {
  const context: ChoiceContext = { action: operation.action, type: type.definition };
  const conditions = type.dimensions.flatMap((dimension) => {
    const choice = dimension.show?.(operation.query.parameters?.[parameterOf(dimension)], context);
    const attribute = type.attributes.get(dimension.attribute.name)!;
    const predicate = choice && choicePredicateOf({ attribute, choice }, (value) => slots.constant(value));
    return predicate ? [predicate] : [];
  });
  return conditions.length > 0 ? all(conditions) : undefined;
}

/** What a condition or an order looks at through a nested attribute. */
export type Step = Pick<SomePredicate, 'nested' | 'type' | 'among'>;

/** Attributes behind which there is nothing that a condition could look at. */
const closed = new Set<Nested['storage']>(['zone', 'morph']);

/** The way through a nested attribute of this name; undefined where the caller can't go it. */
export function stepInto(reader: Reader, type: ContentType, name: string): Step | undefined {
  const nested = type.nested.get(name);
  if (!nested || nested.hidden || closed.has(nested.storage)) return undefined;
  const [target] = targetsOf(reader, nested);
  if (!target) return undefined;
  reader.enter.conditions();
  return {
    nested: nested.storage === 'variants' ? withItself(nested) : nested,
    type: target,
    among: shownVariants(reader, target),
  };
}

/** To conditions, the variants of a document are all of them, the one in question included. */
const withItself = (nested: Nested): Nested => ({ ...nested, definition: { ...nested.definition, all: true } });
