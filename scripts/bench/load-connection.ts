import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from './answer-reader';
import type { BenchRequest } from './requests';

/** Milliseconds until an answer of which nothing more comes is given up. */
const longestSilence = 300_000;

/** A request as it is sent, spelt once for all times that it is. */
export function requestBytes(
  { method, path, headers: own, body }: BenchRequest,
  host: string,
  headers: Readonly<Record<string, string>>,
): Buffer {
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  const all = { host, ...headers, ...own, ...(length !== undefined && { 'content-length': length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1');
  return body === undefined ? head : Buffer.concat([head, typeof body === 'string' ? Buffer.from(body) : body]);
}

interface Asked {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** One client: it sends one request at a time, over a connection that is opened again where it breaks. */
export class LoadConnection {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | undefined;
  #asked: Asked | undefined;

  constructor({ hostname, port }: URL) {
    this.#host = hostname;
    this.#port = Number(port);
  }

  ask(bytes: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#socket ??= this.#opened();
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #opened(): Socket {
    const reader = new AnswerReader();
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    const end = (error: Error): void => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      socket.destroy();
      const asked = this.#asked;
      this.#asked = undefined;
      asked?.reject(error);
    };
    const take = (chunk: Buffer): void => {
      const answer = reader.take(chunk);
      if (!answer) return;
      if (answer.isLast) {
        this.#socket = undefined;
        socket.destroy();
      }
      const asked = this.#asked;
      this.#asked = undefined;
      asked?.resolve(answer);
    };
    socket.setTimeout(longestSilence, () => end(new Error(`nothing came for ${longestSilence / 1_000} seconds`)));
    socket.on('data', (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        end(error as Error);
      }
    });
    socket.on('error', end);
    socket.on('close', () => end(new Error('the connection was closed')));
    return socket;
  }
}
