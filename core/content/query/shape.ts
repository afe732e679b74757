/**
 * Splits what a request asks into its shape, which decides the plan, and its values, which are bound to it. Two
 * requests of one shape differ only in scalars; null, and the truth given to `$null` and `$notNull`, belong to the
 * shape because they change the condition.
 */
export interface Shaped {
  readonly shape: string;
  readonly values: readonly unknown[];
}

const falsy = new Set<unknown>([null, undefined, '', '0', 'f', 'false', 0, false]);
const plainKey = /^[\w$]+$/;

/** How the operators `$null` and `$notNull` read their value. */
export const meansYes = (value: unknown): boolean => !falsy.has(value);

export const isNullOperator = (key: string): boolean => key === '$null' || key === '$notNull';

/** A moment that code filters by, as a request would write it; one that is none is left to whoever reads it. */
export const dateText = (date: Date): string => (Number.isNaN(date.getTime()) ? String(date) : date.toISOString());

function walk(value: unknown, values: unknown[]): string {
  if (value === null || value === undefined) return '~';
  if (typeof value !== 'object' || value instanceof Date) {
    values.push(value instanceof Date ? dateText(value) : value);
    return '?';
  }
  if (Array.isArray(value)) return `[${value.map((item) => walk(item, values)).join()}]`;
  let text = '{';
  for (const [key, child] of Object.entries(value)) {
    text += plainKey.test(key) ? key : JSON.stringify(key);
    text += isNullOperator(key) ? (meansYes(child) ? '+,' : '-,') : `:${walk(child, values)},`;
  }
  return `${text}}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface PopulateWalk {
  readonly values: unknown[];
  /** Each filter inside, with the place of its first value. */
  readonly places: Map<object, number>;
}

/** Code may give one object in several places, whose values are bound once. */
function walkFilters(filters: object, { places, values }: PopulateWalk): string {
  const known = places.get(filters);
  if (known !== undefined) return `=${known}`;
  places.set(filters, values.length);
  return walk(filters, values);
}

/**
 * Names and options of a populate belong to the shape; only the filters inside hold values, those included that stand where
 * a name belongs.
 */
function walkPopulate(populate: unknown, into: PopulateWalk): string {
  if (!isRecord(populate)) return JSON.stringify(populate) ?? '';
  return `{${Object.entries(populate)
    .map(([name, node]) => {
      const misplaced = name === 'filters' && isRecord(node) ? walkFilters(node, into) : '';
      return `${JSON.stringify(name)}:${misplaced}${walkNode(node, into)}`;
    })
    .join()}}`;
}

function walkNode(node: unknown, into: PopulateWalk): string {
  if (!isRecord(node)) return JSON.stringify(node) ?? '';
  const parts = Object.entries(node).map(([key, value]) => {
    if (key === 'populate') return `p${walkPopulate(value, into)}`;
    if (key === 'on' && isRecord(value)) return `o${walkPopulate(value, into)}`;
    if (key !== 'filters' || !isRecord(value)) return `${JSON.stringify(key)}:${JSON.stringify(value) ?? ''}`;
    return `f${walkFilters(value, into)}`;
  });
  return `{${parts.join()}}`;
}

export interface ShapedPopulate extends Shaped {
  readonly places: ReadonlyMap<object, number>;
}

export function shapeOfPopulate(populate: unknown): ShapedPopulate {
  const into: PopulateWalk = { values: [], places: new Map() };
  return {
    shape: populate === undefined ? '' : walkPopulate(populate, into),
    values: into.values,
    places: into.places,
  };
}

export function shapeOf(filters: unknown): Shaped {
  const values: unknown[] = [];
  return { shape: walk(filters, values), values };
}
