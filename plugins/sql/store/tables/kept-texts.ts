import { Lru } from '../../../../core';

/** Texts of one kind of statement that are kept, and how long one may be. */
const keptOfAKind = 500;
const longestText = 16_000;

/**
 * The texts of statements that depend on what is written: each is made once, and handed out as the same string again, by
 * which a connection finds what it has prepared.
 */
export function createTexts(): (key: string, make: () => string) => string {
  const texts = new Lru<string>(keptOfAKind);
  return (key, make) => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = make();
    if (text.length <= longestText) texts.set(key, text);
    return text;
  };
}
