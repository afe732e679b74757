/** Opens and closes a value that SQL could not spell. Neither occurs in valid JSON. */
export const open = '\u0001';
export const close = '\u0002';

/** Stands for a text that a database could not make, for want of room. */
export const unfit = '\u0003';

function rendered(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    // Not ours to judge: what another writer left in a JSON column is shown as text.
    return JSON.stringify(raw);
  }
}

/** Renders the marked values of a text that a database made. */
export function renderMarked(text: string): string {
  let at = text.indexOf(open);
  if (at < 0) return text;
  let result = '';
  let from = 0;
  while (at >= 0) {
    const end = text.indexOf(close, at);
    result += text.slice(from, at) + rendered(text.slice(at + 1, end));
    from = end + 1;
    at = text.indexOf(open, from);
  }
  return result + text.slice(from);
}
