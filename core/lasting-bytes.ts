/** Is told how much more is kept, or less. */
type Grew = (bytes: number) => void;

interface Kept {
  /** By what name what was made. */
  readonly things: Map<string, unknown>;
  /** Bytes that these take, with what was made of them. */
  size: number;
  grew: Grew | undefined;
}

/** Bytes that will be sent again and again, with what was made of them. */
const kept = new WeakMap<Buffer, Kept>();

/** Things made of the same bytes that are remembered at once. */
const mostMade = 6;

/**
 * Marks bytes that are kept to be sent again, so that what is made of them is made once; whoever keeps them may ask to be told
 * what that takes.
 */
export function lasting(bytes: Buffer, grew?: Grew): Buffer {
  const known = kept.get(bytes);
  if (!known) kept.set(bytes, { things: new Map(), size: 0, grew });
  else if (grew) known.grew = grew;
  return bytes;
}

/** Bytes that keep no others in memory: short ones share theirs with whatever was made at that time. */
export function bytesAlone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= 2 * bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function grow(known: Kept, more: number): void {
  known.size += more;
  known.grew?.(more);
}

function forget(known: Kept): void {
  known.things.clear();
  grow(known, -known.size);
}

/** Makes something of bytes: once, of those that last, unless it fails. Other bytes that are made of them last, too. */
export function madeOf<T>(bytes: Buffer, name: string, make: () => T): T {
  const known = kept.get(bytes);
  if (!known) return make();
  const { things } = known;
  const found = things.get(name);
  if (found !== undefined) return found as T;
  const made = make();
  if (things.size >= mostMade) forget(known);
  const result = Buffer.isBuffer(made) ? bytesAlone(made) : made;
  things.set(name, result);
  const grewBy = (more: number): void => {
    if (things.get(name) === result) grow(known, more);
  };
  if (Buffer.isBuffer(result)) {
    lasting(result, grewBy);
    if (result.buffer !== bytes.buffer) grewBy(result.length);
  }
  if (result instanceof Promise)
    result.then(
      (value) => grewBy(Buffer.isBuffer(value) ? value.length : 0),
      () => things.delete(name),
    );
  return result as T;
}
