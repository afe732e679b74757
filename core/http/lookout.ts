import cluster from 'node:cluster';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { processors } from '../processors';

/** Requests one after the other that each came soon after an answer: so many tell of somebody who will go on so. */
const habit = 8;

export interface Loop {
  /** Milliseconds since some moment. */
  now(): number;
  /** Has something done in the next turn of the event loop, which does not sleep until then. */
  soon(work: () => void): void;
}

const ownLoop: Loop = { now: () => performance.now(), soon: setImmediate };

/** How much longer than for a request it is worth being awake for what an answer waits for, a database for example. */
const timesLonger = 8;

/**
 * Keeps the event loop from falling asleep for so many milliseconds after an answer, where one request after the other has come
 * within that time, and for eight times as long while the only request is being answered, if the one before was answered within
 * that: to wake a processor takes as long as a tenth of a small request, and longer in virtual machines. While several are being
 * answered the loop may sleep, for then others work who may need the processor.
 */
export function lookingOut(listener: RequestListener, patience: number, loop: Loop = ownLoop): RequestListener {
  const connections = new Map<Socket, { unanswered: number }>();
  let beingAnswered = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let begunAt = Number.NEGATIVE_INFINITY;
  let isAnsweredSoon = false;
  let soonAfter = 0;
  let isAwake = false;

  const hasJustBegun = (): boolean => loop.now() - begunAt < patience * timesLonger;

  function isWorthIt(): boolean {
    if (beingAnswered === 0) return loop.now() - answeredAt < patience;
    return beingAnswered === 1 && isAnsweredSoon && hasJustBegun();
  }

  function stay(): void {
    if (isWorthIt()) loop.soon(stay);
    else isAwake = false;
  }

  function keepAwake(): void {
    if (soonAfter < habit || isAwake) return;
    isAwake = true;
    loop.soon(stay);
  }

  function connectionOf(socket: Socket) {
    const known = connections.get(socket);
    if (known) return known;
    const connection = { unanswered: 0 };
    connections.set(socket, connection);
    // Of several requests that wait on a connection which breaks, Node 20 tells the first one's answer only.
    socket.once('close', () => {
      beingAnswered -= connection.unanswered;
      connection.unanswered = 0;
      connections.delete(socket);
    });
    return connection;
  }

  function begin(): void {
    beingAnswered += 1;
    if (beingAnswered > 1) return;
    begunAt = loop.now();
    soonAfter = begunAt - answeredAt < patience ? soonAfter + 1 : 0;
    if (isAnsweredSoon) keepAwake();
  }

  function end(): void {
    beingAnswered -= 1;
    if (beingAnswered > 0) return;
    answeredAt = loop.now();
    isAnsweredSoon = hasJustBegun();
    keepAwake();
  }

  return (request, response) => {
    const connection = connectionOf(request.socket);
    connection.unanswered += 1;
    begin();
    response.once('close', () => {
      if (connection.unanswered === 0) return;
      connection.unanswered -= 1;
      end();
    });
    listener(request, response);
  };
}

/** With one processor, or where each may have its worker, who looks out takes the time of those he waits for. */
export const hasFreeProcessor = (isWorker = cluster.isWorker, all = processors()): boolean => !isWorker && all >= 2;
