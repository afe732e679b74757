/** The type of a role that is named only: lower case, words and numbers joined by underscores. */
export const roleType = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/(\p{L})(?=\p{N})/gu, '$1_')
    .replace(/(\p{N})(?=\p{L})(?!(?:st|nd|rd|th)(?!\p{L}))/gu, '$1_')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'role';

/** The first of `editor`, `editor_2`, `editor_3`… that is free. */
export function freeType(type: string, taken: ReadonlySet<string>): string {
  let free = type;
  for (let number = 2; taken.has(free); number += 1) free = `${type}_${number}`;
  return free;
}
