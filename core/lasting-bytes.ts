/** Bytes that will be sent again and again, and by what name what was made of them. */
const made = new WeakMap<Buffer, Map<string, unknown>>();

/** Things made of the same bytes that are remembered at once. Some take as much memory as the bytes themselves. */
const mostMade = 3;

/** Marks bytes that are kept to be sent again, so that what is made of them is made once. */
export function lasting(bytes: Buffer): Buffer {
  if (!made.has(bytes)) made.set(bytes, new Map());
  return bytes;
}

/** Makes something of bytes: once, of those that last, unless it fails. Other bytes that are made of them last, too. */
export function madeOf<T>(bytes: Buffer, name: string, make: () => T): T {
  const known = made.get(bytes);
  if (!known) return make();
  const found = known.get(name);
  if (found !== undefined) return found as T;
  const result = make();
  if (known.size >= mostMade) known.clear();
  known.set(name, result);
  if (Buffer.isBuffer(result)) lasting(result);
  if (result instanceof Promise) result.catch(() => known.delete(name));
  return result;
}
