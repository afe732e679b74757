import type { Worker } from 'node:cluster';

/** What Node's primary and its workers say to one another about connections. */
interface Told {
  readonly act?: string;
  /** Names what is asked … */
  readonly seq?: number;
  /** … and what is answered. */
  readonly ack?: number;
}

interface Connection {
  close(): void;
}

/**
 * Node's primary hands each connection to a worker, and closes its own end once the worker says that it took it. A worker that
 * ends before it could say so leaves the connection open with nobody to answer: whoever asked would wait until they give up.
 * Here such a connection is closed, as those are that the worker had taken.
 */
export function closeUntaken({ process: child }: Pick<Worker, 'process'>): void {
  const untaken = new Map<number, Connection>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let isGone = false;
  child.send = (told: Told, connection?: unknown, ...rest: unknown[]): boolean => {
    if (told.act === 'newconn' && told.seq !== undefined) {
      if (isGone) {
        (connection as Connection).close();
        return false;
      }
      untaken.set(told.seq, connection as Connection);
    }
    return send(told, connection, ...rest);
  };
  child.on('internalMessage', ({ ack }: Told) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  child.once('exit', () => {
    isGone = true;
    for (const connection of untaken.values()) connection.close();
    untaken.clear();
  });
}
