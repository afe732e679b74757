import { type Answer, AnswerReader } from './answer-reader';

const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const inPieces =
  'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6;part=2\r\n, all!\r\n0\r\nTrailer: x\r\n\r\n';
const empty = 'HTTP/1.1 204 No Content\r\n\r\n';
const last = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

const shown = ({ status, body, isLast }: Answer) => [status, body().toString(), isLast];

/** What a reader makes of texts that come one after the other, each in parts of so many bytes. */
function readIn(size: number, texts: readonly string[]): unknown[] {
  const reader = new AnswerReader();
  const answers: unknown[] = [];
  for (const bytes of texts.map((text) => Buffer.from(text))) {
    for (let at = 0; at < bytes.length; at += size) {
      const answer = reader.take(bytes.subarray(at, at + size));
      if (answer) answers.push(shown(answer));
    }
  }
  return answers;
}

test.each([1, 2, 3, 7, 64, 1_000])('the answers of one connection, cut after every %i bytes', (size) => {
  expect(readIn(size, [plain, inPieces, empty, plain, last])).toEqual([
    [200, 'hello', false],
    [201, 'hello, all!', false],
    [204, '', false],
    [200, 'hello', false],
    [503, '', true],
  ]);
});

test.each([
  ['HTTP/1.1 200 OK\r\n\r\n', 'an answer does not say how long it is'],
  ['SSH-2.0-OpenSSH\r\n\r\n', 'an answer begins with "SSH-2.0-OpenSSH"'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhello', 'an answer is longer than it says'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nhello', 'an answer is longer than it says'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n', 'a piece of an answer begins with "hello"'],
])('%j is refused', (text, message) => {
  expect(() => new AnswerReader().take(Buffer.from(text))).toThrow(message);
});
