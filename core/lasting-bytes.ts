/** What was made of bytes that will be sent again and again. */
interface Lasting {
  readonly things: Map<string, unknown>;
  /** How many bytes these things are, with what was made of them in turn. */
  size: number;
  /** Told of each change of that. */
  grew?: (bytes: number) => void;
}

/**
 * What was made stands at the bytes themselves, and goes with them. It leads back to them by what tells of its size: in a
 * WeakMap both would stay until V8 looks for all garbage, for among what is young it takes what such a map leads to for alive.
 */
const lastingOf = Symbol('lasting');

type Bytes = Buffer & { [lastingOf]?: Lasting };

/** Things made of the same bytes that are remembered at once. Some take as much memory as the bytes themselves. */
const mostMade = 3;

function grow(of: Lasting, bytes: number): void {
  of.size += bytes;
  of.grew?.(bytes);
}

/**
 * Marks bytes that are kept to be sent again, so that what is made of them is made once. Whoever keeps them may want to be
 * told by how many bytes that comes to more, or to less.
 */
export function lasting(bytes: Bytes, grew?: (bytes: number) => void): Buffer {
  let known = bytes[lastingOf];
  if (!known) {
    known = { things: new Map(), size: 0 };
    // Not enumerable: who compares bytes, or prints them, has nothing to do with it.
    Object.defineProperty(bytes, lastingOf, { value: known });
  }
  if (grew) {
    known.grew = grew;
    if (known.size > 0) grew(known.size);
  }
  return bytes;
}

/** Small ones share memory with others, of which they are no part. */
const isPart = (made: Buffer, of: Buffer): boolean =>
  made.buffer === of.buffer &&
  made.byteOffset >= of.byteOffset &&
  made.byteOffset + made.length <= of.byteOffset + of.length;

/** A part of bytes takes no memory of its own. */
const ownSize = (made: Buffer, of: Buffer): number => (isPart(made, of) ? 0 : made.length);

/** Makes something of bytes: once, of those that last, unless it fails. Other bytes that are made of them last, too. */
export function madeOf<T>(bytes: Bytes, name: string, make: () => T): T {
  const known = bytes[lastingOf];
  if (!known) return make();
  const { things } = known;
  const found = things.get(name);
  if (found !== undefined) return found as T;
  const result = make();
  if (things.size >= mostMade) {
    things.clear();
    grow(known, -known.size);
  }
  things.set(name, result);
  const isKept = (): boolean => things.get(name) === result;
  const take = (made: unknown): void => {
    if (!Buffer.isBuffer(made) || made === bytes || !isKept()) return;
    grow(known, ownSize(made, bytes));
    lasting(made, (more) => isKept() && grow(known, more));
  };
  if (result instanceof Promise) result.then(take, () => isKept() && things.delete(name));
  else take(result);
  return result;
}
