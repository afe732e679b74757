const refuse = (): never => {
  throw new TypeError('Content types are fixed once they are made; tap content.type to change their definitions.');
};

/** A map that can only be read from now on, whatever its type once was. */
export const frozenMap = <Key, Value>(map: Map<Key, Value>): ReadonlyMap<Key, Value> =>
  Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }));

/** Freezes plain data down to its last leaf. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}
