import { type Attribute, type ContentType, flatMapped } from '../../../core';

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Whether nothing is said: no condition, no operator. Left out of a group, it makes no branch that everything fulfils. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

const groups = new Set(['and', 'or', 'not']);

/** What is compared with: scalars may come as objects of JavaScript. */
const plainly = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  return Array.isArray(value) ? value.map(plainly) : value;
};

function conditions({ kind }: Attribute, given: unknown): unknown {
  const value = (operand: unknown): unknown => {
    if (kind.storage === 'json' && isRecord(operand)) return JSON.stringify(operand);
    // A day, as which its scalar takes the midnight that it begins with.
    if (kind.storage === 'date' && operand instanceof Date) return operand.toISOString().slice(0, 10);
    return plainly(operand);
  };
  const compared = (operand: unknown): unknown => (Array.isArray(operand) ? operand.map(value) : value(operand));
  const ofObject = (operators: unknown): unknown =>
    isRecord(operators)
      ? Object.fromEntries(
          Object.entries(operators)
            .map(([key, operand]) => [`$${key}`, key === 'not' ? ofObject(operand) : compared(operand)] as const)
            .filter(([key, operand]) => key !== '$not' || !isNothing(operand)),
        )
      : plainly(operators);
  return ofObject(given);
}

/** What is denied of a thing that is tied stands in a group there: bare, it would be about which thing it is. */
function inside(filters: unknown): unknown {
  if (!isRecord(filters) || !('$not' in filters)) return filters;
  const { $not, $and = [], ...others } = filters;
  return { ...others, $and: [...($and as unknown[]), { $not }] };
}

/** Filters of an argument as operations take them: the operators begin with `$`. */
export function filtersFrom(
  type: ContentType,
  given: unknown,
  typeOf: (uid: string) => ContentType | undefined,
): unknown {
  if (!isRecord(given)) return undefined;
  const group = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(group).filter((each) => !isNothing(each)) : filtersFrom(type, value, typeOf);
  function named(key: string, value: unknown): [string, unknown] {
    if (groups.has(key)) return [`$${key}`, group(value)];
    const nested = type.nested.get(key);
    const attribute = type.attributes.get(key);
    if (!nested) return [key, attribute ? conditions(attribute, value) : value];
    const target = typeOf(nested.targets[0] ?? '');
    return [key, target && inside(filtersFrom(target, value, typeOf))];
  }
  return Object.fromEntries(
    flatMapped(Object.entries(given), ([key, value]): [string, unknown][] => {
      const [name, condition] = named(key, value);
      return isNothing(condition) ? [] : [[name, condition]];
    }),
  );
}
