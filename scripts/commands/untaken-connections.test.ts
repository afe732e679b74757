import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { settleUntaken } from './untaken-connections';

const connection = () => ({ close: jest.fn() });

const sent = jest.fn(() => true);
let child: EventEmitter & { send(...told: unknown[]): boolean };

beforeEach(() => {
  sent.mockClear();
  child = Object.assign(new EventEmitter(), { send: sent });
  settleUntaken({ process: child } as unknown as Pick<Worker, 'process'>);
});

const hand = (seq: number, handed: object): boolean => child.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq }, handed);

test('a connection that a worker took, or declined, is left alone when it ends', async () => {
  const [taken, declined] = [connection(), connection()];
  expect(hand(1, taken)).toBe(true);
  hand(2, declined);
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: true });
  child.emit('exit');
  // Said before it ended, and read after that.
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 2, accepted: false });
  await turn();
  expect(taken.close).not.toHaveBeenCalled();
  expect(declined.close).not.toHaveBeenCalled();
  expect(sent).toHaveBeenCalledTimes(2);
});

test('a connection is closed that a worker was handed before or after it ended', async () => {
  const [before, after] = [connection(), connection()];
  hand(1, before);
  child.emit('exit');
  expect(hand(2, after)).toBe(false);
  await turn();
  expect(before.close).toHaveBeenCalledTimes(1);
  expect(after.close).toHaveBeenCalledTimes(1);
  expect(sent).toHaveBeenCalledTimes(1);
});

test('a connection that a worker can not receive is one that it took', () => {
  const handed = connection();
  hand(1, handed);
  const told = jest.fn();
  child.on('internalMessage', told);
  child.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
  expect(told).toHaveBeenCalledWith({ cmd: 'NODE_CLUSTER', ack: 1, accepted: true });
  // Once it can, those that follow are waited for again.
  hand(2, connection());
  told.mockClear();
  child.emit('internalMessage', { cmd: 'NODE_HANDLE_ACK' });
  expect(told).toHaveBeenCalledTimes(1);
});

test.each([0, 1])('that a worker that ended is disconnected is told once, if Node tells it %i times', async (times) => {
  const told = jest.fn();
  child.on('disconnect', told);
  child.emit('exit');
  if (times > 0) child.emit('disconnect');
  await turn();
  expect(told).toHaveBeenCalledTimes(1);
});

test('other messages pass with all that is said about them', () => {
  const done = jest.fn();
  child.send({ act: 'disconnect', seq: 1 }, undefined, {}, done);
  expect(sent).toHaveBeenCalledWith({ act: 'disconnect', seq: 1 }, undefined, {}, done);
  child.emit('exit');
  expect(child.send({ cmd: 'else' })).toBe(true);
});
