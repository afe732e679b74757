import { answerBeyond } from '../../../database/failures';

/** Shorter parts are copied byte by byte: to have them copied costs more than that. */
const longPart = 48;

/** Bytes that are put together one part after the other, of which there may be so many at most. */
export class GrowingBytes {
  #bytes: Buffer;
  length = 0;

  /** Begins with room for about as many as there will be. */
  constructor(
    room: number,
    private readonly most: number,
  ) {
    this.#bytes = Buffer.allocUnsafe(Math.max(room, longPart));
  }

  #makeRoom(length: number): void {
    if (length > this.most) throw answerBeyond(this.most);
    const larger = Buffer.allocUnsafe(Math.min(2 * length, this.most));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }

  /** Adds a part of others. */
  add(part: Uint8Array, start = 0, end = part.length): void {
    const length = this.length + end - start;
    if (length > this.#bytes.length) this.#makeRoom(length);
    const bytes = this.#bytes;
    if (end - start < longPart) for (let from = start, to = this.length; from < end; ) bytes[to++] = part[from++]!;
    else bytes.set(start === 0 && end === part.length ? part : part.subarray(start, end), this.length);
    this.length = length;
  }

  addByte(byte: number): void {
    if (this.length === this.#bytes.length) this.#makeRoom(this.length + 1);
    this.#bytes[this.length++] = byte;
  }

  /** Those from one place to another, until more are added. */
  part(start: number, end: number): Buffer {
    return this.#bytes.subarray(start, end);
  }
}
