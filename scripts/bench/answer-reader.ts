/** An answer, as far as a load looks at it. */
export interface Answer {
  readonly status: number;
  readonly body: () => Buffer;
  /** The service closes the connection behind it. */
  readonly isLast: boolean;
}

const nothing: Buffer = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

const longer = () => new Error('an answer is longer than it says');

const chunkLine = /^([\da-f]+)[ \t]*(?:;|$)/i;
const withoutBody: readonly number[] = [204, 304];

/** A body of which each piece tells its length, up to one that is empty, and lines behind that. */
class ChunkedBody {
  readonly pieces: Buffer[] = [];
  /** What is still to come of a piece, with the end of its line. */
  #missing = 0;
  /** A line that has not come whole; all of them once the last piece is there. */
  #line = nothing;
  #isOver = false;

  /** Whether the body is there with what has come. */
  take(bytes: Buffer): boolean {
    let rest = bytes;
    while (!this.#isOver && rest.length > 0) rest = this.#missing > 0 ? this.#takePiece(rest) : this.#takeLine(rest);
    if (!this.#isOver) return false;
    this.#line = Buffer.concat([this.#line, rest]);
    const end = this.#line.indexOf(headEnd);
    if (end >= 0 && end + headEnd.length < this.#line.length) throw longer();
    return end >= 0;
  }

  #takePiece(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, this.#missing);
    this.#missing -= taken.length;
    const content = taken.length - Math.max(0, lineEnd.length - this.#missing);
    if (content > 0) this.pieces.push(taken.subarray(0, content));
    return bytes.subarray(taken.length);
  }

  #takeLine(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.#line, bytes]);
    const end = all.indexOf(lineEnd);
    this.#line = end < 0 ? all : nothing;
    if (end < 0) return nothing;
    const line = all.toString('latin1', 0, end);
    const [, digits] = chunkLine.exec(line) ?? [];
    if (digits === undefined) throw new Error(`a piece of an answer begins with ${JSON.stringify(line.slice(0, 40))}`);
    const size = Number.parseInt(digits, 16);
    this.#isOver = size === 0;
    this.#missing = size === 0 ? 0 : size + lineEnd.length;
    // The end of the last piece's line belongs to the empty line that ends the body.
    return all.subarray(size === 0 ? end : end + lineEnd.length);
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
    if (this.#missing < 0) throw longer();
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
