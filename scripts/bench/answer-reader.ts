/** An answer, as far as a load looks at it. */
export interface Answer {
  readonly status: number;
  readonly body: () => Buffer;
  /** The service closes the connection behind it. */
  readonly isLast: boolean;
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

const chunkLine = /^([\da-f]+)[ \t]*(?:;|$)/i;
const withoutBody: readonly number[] = [204, 304];

/** Finds where a body ends of which each piece tells its length. */
class ChunkedBody {
  readonly pieces: Buffer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #isOver = false;

  /** Whether the body is there with what has come. */
  take(bytes: Buffer): boolean {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (!this.#isOver && this.#takePiece());
    return this.#isOver && this.#takeTrailers();
  }

  #takePiece(): boolean {
    const end = this.#rest.indexOf(lineEnd);
    if (end < 0) return false;
    const line = this.#rest.toString('latin1', 0, end);
    const [, digits] = chunkLine.exec(line) ?? [];
    if (digits === undefined) throw new Error(`a piece of an answer begins with ${JSON.stringify(line.slice(0, 40))}`);
    const size = Number.parseInt(digits, 16);
    const begin = end + lineEnd.length;
    if (size === 0) this.#isOver = true;
    else if (this.#rest.length < begin + size + lineEnd.length) return false;
    else this.pieces.push(this.#rest.subarray(begin, begin + size));
    this.#rest = this.#rest.subarray(size === 0 ? end : begin + size + lineEnd.length);
    return true;
  }

  /** Lines behind the last piece, up to an empty one; the end of the last piece's line is still there. */
  #takeTrailers(): boolean {
    return this.#rest.indexOf(headEnd) >= 0;
  }
}

/** A body whose length was told ahead. */
class CountedBody {
  readonly pieces: Buffer[] = [];
  #missing: number;

  constructor(length: number) {
    this.#missing = length;
  }

  take(bytes: Buffer): boolean {
    if (bytes.length > 0) this.pieces.push(bytes);
    this.#missing -= bytes.length;
    if (this.#missing < 0) throw new Error('an answer is longer than it says');
    return this.#missing === 0;
  }
}

function bodyOf(status: number, head: string): CountedBody | ChunkedBody {
  if (withoutBody.includes(status)) return new CountedBody(0);
  const [, length] = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return new CountedBody(Number(length));
  if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) return new ChunkedBody();
  throw new Error('an answer does not say how long it is');
}

/**
 * Reads the answers that come over one connection to one request after the other. It looks for nothing but the status and the
 * end: what a client spends on an answer is time that the service seems to take.
 */
export class AnswerReader {
  #head: Buffer | undefined;
  #body: CountedBody | ChunkedBody | undefined;
  #status = 0;
  #isLast = false;

  /** The answer, if it is there with what has come. */
  take(bytes: Buffer): Answer | undefined {
    const more = this.#body ? bytes : this.#readHead(bytes);
    const body = this.#body;
    if (!body || !more || !body.take(more)) return undefined;
    const { pieces } = body;
    this.#body = undefined;
    return { status: this.#status, body: () => Buffer.concat(pieces), isLast: this.#isLast };
  }

  /** What has come behind the head; undefined until that is there. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = all.indexOf(headEnd);
    this.#head = end < 0 ? all : undefined;
    if (end < 0) return undefined;
    const head = all.toString('latin1', 0, end);
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
    if (status === undefined) throw new Error(`an answer begins with ${JSON.stringify(head.slice(0, 40))}`);
    this.#status = Number(status);
    this.#isLast = /\r\nconnection:[ \t]*close/i.test(head);
    this.#body = bodyOf(this.#status, head);
    return all.subarray(end + headEnd.length);
  }
}
