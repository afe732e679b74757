/** What is sent through a port that is closed reaches nobody, and takes with it what it holds. */
const { port1: closed } = new MessageChannel();
closed.close();

/**
 * Gives a buffer's memory back that V8 would keep until it looks for garbage, and the C library from then on. It is empty
 * afterwards, unless it is a part of a larger one.
 */
export function discard({ buffer, byteLength }: Buffer): void {
  if (buffer.byteLength === byteLength) closed.postMessage(undefined, [buffer as ArrayBuffer]);
}
