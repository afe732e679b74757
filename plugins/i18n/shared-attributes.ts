import type { Attribute, AttributeDefinition, Bound, ContentType } from '../../core';

export const isPerLocale = ({ pluginOptions }: AttributeDefinition): boolean =>
  (pluginOptions as { i18n?: { localized?: boolean } } | undefined)?.i18n?.localized === true;

/** The values that a document has in common in all its locales. */
export const sharedAttributes = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ system, definition }) => !system && !isPerLocale(definition));

/** A stored value as a body would give it. */
export const bodyValue = ({ kind }: Attribute, value: Bound): unknown =>
  kind.storage === 'json' && value !== null ? JSON.parse(String(value)) : value;
