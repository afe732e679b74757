/** What an object of an answer has under a key itself: every object has a `constructor` besides. */
export const own = <Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
