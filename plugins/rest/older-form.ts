import type { ContentRegistry, ContentType, Nested } from '../../core';

/** What documents and components show, in the older form that a request may ask for. */
type Shown = Readonly<Record<string, unknown>>;

const isCount = (value: unknown): value is { count: number } =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'count';

/** Components belong to what they stand in: they stay as they are, and only what they link is wrapped. */
const isEmbedded = ({ storage }: Nested): boolean => storage === 'component' || storage === 'zone';

/**
 * Documents in the older form: attributes in a key of their own, and what is linked in a key `data`, one or a list.
 */
export function createOlderForm(registry: ContentRegistry) {
  function linked(nested: Nested, value: unknown): unknown {
    const type = registry.types.get(nested.targets[0] ?? '');
    // What may be of any type says which, and is not wrapped.
    if (nested.storage === 'morph') return value;
    if (isCount(value)) return { data: { attributes: value } };
    if (value === null || !type) return { data: value };
    return {
      data: Array.isArray(value) ? value.map((one) => document(type, one as Shown)) : document(type, value as Shown),
    };
  }

  function embedded(nested: Nested, value: unknown): unknown {
    const one = (part: Shown): Shown => {
      const type = registry.types.get(String(part['__component'] ?? nested.targets[0]));
      return type ? attributesOf(type, part) : part;
    };
    if (Array.isArray(value)) return value.map((part) => one(part as Shown));
    return value === null ? null : one(value as Shown);
  }

  const attributesOf = (type: ContentType, shown: Shown): Shown =>
    Object.fromEntries(
      Object.entries(shown).map(([name, value]) => {
        const nested = type.nested.get(name);
        if (!nested) return [name, value];
        return [name, isEmbedded(nested) ? embedded(nested, value) : linked(nested, value)];
      }),
    );

  function document(type: ContentType, { id, documentId, ...attributes }: Shown): Shown {
    return { id, documentId, attributes: attributesOf(type, attributes) };
  }

  return (type: ContentType, data: Shown | readonly Shown[]): unknown =>
    Array.isArray(data) ? data.map((one: Shown) => document(type, one)) : document(type, data as Shown);
}

export type OlderForm = ReturnType<typeof createOlderForm>;
