/** The text that JavaScript makes of what a body may hold: of an object whose `toString` is none it makes none, but fails. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value)
    ? value.map((each) => (each === undefined || each === null ? '' : textOf(each))).join()
    : '[object Object]';
}
