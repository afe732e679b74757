import type { Socket } from 'node:net';

/**
 * The driver. Where there is no navigator, as in Node 20, it makes a Response to find out where it runs, for which Node
 * loads all of `fetch`: a fourteenth of a start. It is shown the one that later versions have.
 */
export function postgresDriver(): typeof import('pg') {
  if ('navigator' in globalThis) return require('pg');
  const navigator = { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  try {
    return require('pg');
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator');
  }
}

/**
 * Has a connection end whose reader throws, as at a text that is longer than V8 makes one: whoever has asked is told. Thrown where
 * data arrive, it would end the process.
 */
export function endIfUnreadable(stream: Socket): void {
  for (const read of stream.listeners('data')) {
    stream.off('data', read as (piece: Buffer) => void);
    stream.on('data', (piece) => {
      try {
        read(piece);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }
}
