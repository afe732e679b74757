import { type AttributeDefinition, type AttributeKind, type Check, definePlugin, UnfitValue, z } from 'heddle';

/** `#abc` and `#AABBCC` mean the same, and are kept the same: `#aabbcc`. */
function normalized(given: unknown): string | undefined {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(String(given))?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length < 6 ? digits.replace(/./g, '$&$&') : digits}`;
}

const opaqueLength = '#aabbcc'.length;

/** Made once for each attribute, with what its schema file says. */
const checkOf = ({ alpha }: AttributeDefinition): Check => {
  const example = alpha ? '#a1b2c3 or #a1b2c380' : '#a1b2c3';
  return (given, label) => {
    const value = normalized(given);
    return value !== undefined && (alpha === true || value.length === opaqueLength)
      ? { value }
      : { refusals: [{ message: `${label} must be a color such as ${example}`, value: given }] };
  };
};

const color: AttributeKind = {
  name: 'color',
  // Stores and GraphQL know storages, and need not know this kind.
  storage: 'string',
  typeName: 'string',
  options: z.object({ alpha: z.boolean().optional() }),
  check: checkOf,
  toFilter(given) {
    const value = normalized(given);
    if (value === undefined) throw new UnfitValue('A filter on a color takes a color such as #a1b2c3.');
    return value;
  },
};

/** An attribute kind: `{ "type": "color" }`, with `"alpha": true` where colors may be translucent. */
export default definePlugin({
  name: 'color',
  apply({ hooks }) {
    hooks.content.kinds.tap('color', (kinds) => kinds.add('color', color));
  },
});
