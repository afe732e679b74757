import type { Freshness, Moment } from './freshness';

interface Entry<Value> {
  readonly moment: Moment;
  value: Value | Promise<Value>;
}

/**
 * Keeps what was read of the database for as long as it holds, for so many keys at once. What is being read already is
 * not read a second time.
 */
export function createKept<Key, Value>(
  { holds }: Freshness,
  most: number,
  read: (key: Key) => Value | Promise<Value>,
): (key: Key, now: Moment) => Value | Promise<Value> {
  const entries = new Map<Key, Entry<Value>>();

  function keep(key: Key, entry: Entry<Value>): Value | Promise<Value> {
    entries.delete(key);
    if (entries.size >= most) entries.delete(entries.keys().next().value!);
    entries.set(key, entry);
    return entry.value;
  }

  return function get(key, now) {
    const found = entries.get(key);
    if (found && holds(found.moment, now)) return found.value;
    const entry: Entry<Value> = { moment: now, value: read(key) };
    if (entry.value instanceof Promise)
      entry.value.then(
        (value) => {
          entry.value = value;
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key);
        },
      );
    return keep(key, entry);
  };
}
