import { type Attribute, type AttributeDefinition, type Bound, type ContentType, Sealed } from '../../core';

export const isPerLocale = ({ pluginOptions }: AttributeDefinition): boolean =>
  (pluginOptions as { i18n?: { localized?: boolean } } | undefined)?.i18n?.localized === true;

/** The values that a document has in common in all its locales. */
export const sharedAttributes = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ system, definition }) => !system && !isPerLocale(definition));

/** A stored value as a body would give it. */
export function bodyValue({ kind }: Attribute, value: Bound): unknown {
  if (value === null) return null;
  // Nobody can check again what was given for it.
  if (kind.concealed) return new Sealed(String(value));
  return kind.storage === 'json' ? JSON.parse(String(value)) : value;
}
