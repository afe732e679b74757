import type { Worker } from 'node:cluster';

/** What Node's primary and its workers say to one another about connections. */
interface Told {
  readonly cmd?: string;
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
 * Node's primary hands a worker one connection at a time: it closes its own end, and hands over the next, once the worker says
 * that it took it. That may never be said. If the worker ends before, the connection stays open with nobody to answer, and whoever
 * asked would wait until they give up: here it is closed, as those are that the worker had taken. Nor does Node always notice then
 * that nothing reaches the worker any more: it would keep the port open after all of them had stopped. If the worker has too
 * many files open to receive the connection, it would get no other one ever again: here it counts as taken, and is closed.
 */
export function settleUntaken({ process: child }: Pick<Worker, 'process'>): void {
  const untaken = new Map<number, Connection>();
  let isGone = false;
  let isDisconnected = false;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
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
  child.on('internalMessage', ({ cmd, ack }: Told) => {
    if (ack !== undefined) untaken.delete(ack);
    if (cmd !== 'NODE_HANDLE_NACK') return;
    // What is said so hands over the next one.
    for (const seq of [...untaken.keys()])
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: true });
  });
  child.once('disconnect', () => {
    isDisconnected = true;
  });
  child.once('exit', () => {
    isGone = true;
    // What it said last is read first: a connection that it declined goes to another.
    setImmediate(() => {
      for (const connection of untaken.values()) connection.close();
      untaken.clear();
      if (!isDisconnected) child.emit('disconnect');
    });
  });
}
