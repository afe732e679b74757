import type { ContentType } from '../content-type';
import { invalidKey } from './keys';

const names = (populate: unknown): string[] => {
  if (typeof populate === 'string')
    return populate
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  if (Array.isArray(populate)) return populate.filter((item) => typeof item === 'string');
  return typeof populate === 'object' && populate !== null ? Object.keys(populate) : [];
};

/**
 * Refuses to populate what isn't there. Attributes that no plugin serves may be named, as everything of theirs vanishes.
 */
export function checkPopulate(type: ContentType, populate: unknown): void {
  for (const name of names(populate)) {
    const [first] = name.split('.');
    const isText = typeof populate === 'string' || Array.isArray(populate);
    if (name !== '*' && !type.dormant.has(first!)) throw invalidKey(name, isText ? name : null, 'populate');
  }
}
