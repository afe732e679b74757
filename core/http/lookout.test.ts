import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { testApplication } from '../testing/test-application';
import { hasFreeProcessor, lookingOut } from './lookout';

// When the event loop is kept awake for the next request: turns and time are those of the test.

const patience = 6;
/** Turns: the last of them finds that it is over. */
const wholeLookout = patience + 1;
const wholeAnswer = 8 * patience + 1;
let time: number;
let waiting: (() => void)[];
let ask: (socket?: EventEmitter) => EventEmitter;

beforeEach(() => {
  time = 0;
  waiting = [];
  const loop = { now: () => time, soon: (work: () => void) => void waiting.push(work) };
  const listener = lookingOut(() => undefined, patience, loop);
  const own = new EventEmitter();
  ask = (socket = own) => {
    const response = new EventEmitter();
    listener({ socket } as unknown as IncomingMessage, response as ServerResponse);
    return response;
  };
});

/** One request after the other, each so long after the answer to the one before. */
function come(count: number, pause: number): void {
  for (let index = 0; index < count; index += 1) {
    ask().emit('close');
    time += pause;
  }
}

/** Goes through turns of the loop, each a millisecond long, until it may sleep; answers how many. */
function turns(): number {
  let count = 0;
  while (waiting.length > 0) {
    for (const work of waiting.splice(0)) work();
    count += 1;
    time += 1;
    if (count > 100) throw new Error('the loop never sleeps');
  }
  return count;
}

test('it is awake after the answer to somebody who has come again and again, for as long as it was told', () => {
  come(8, 2);
  expect(turns()).toBe(0);
  ask().emit('close');
  expect(turns()).toBe(wholeLookout);
});

test('it sleeps where somebody comes later than that', () => {
  come(30, 7);
  expect(turns()).toBe(0);
});

test('who has stayed away once must come again and again before it is awake for him', () => {
  come(20, 2);
  turns();
  time += 10;
  come(8, 2);
  expect(turns()).toBe(0);
  come(1, 0);
  expect(turns()).toBe(wholeLookout);
});

test('it is awake for eight times as long while the only request of somebody is being answered', () => {
  come(8, 2);
  expect(turns()).toBe(0);
  const answer = ask();
  expect(turns()).toBe(wholeAnswer);
  answer.emit('close');
  expect(turns()).toBe(wholeLookout);
});

test('it sleeps while a request is being answered behind one that took longer than that', () => {
  come(8, 2);
  const slow = ask();
  time += wholeAnswer;
  slow.emit('close');
  expect(turns()).toBe(wholeLookout);
  time -= 2;
  const next = ask();
  expect(turns()).toBe(0);
  next.emit('close');
  turns();
  time -= 2;
  ask();
  expect(turns()).toBe(wholeAnswer);
});

test('that it is awake for requests which overlap ends with the time of the first', () => {
  come(9, 2);
  let last = ask();
  for (let begun = 0; begun < 3 * wholeAnswer; begun += 1) {
    time += 1;
    const next = ask();
    last.emit('close');
    last = next;
  }
  expect(turns()).toBe(1);
  expect(turns()).toBe(0);
});

test('it sleeps while one is being answered who has not come again and again', () => {
  come(7, 2);
  ask();
  expect(turns()).toBe(0);
});

test('it may sleep while several are being answered, and is awake for what comes behind that', () => {
  come(9, 2);
  const first = ask();
  const second = ask();
  expect(turns()).toBe(1);
  first.emit('close');
  expect(turns()).toBe(0);
  second.emit('close');
  expect(turns()).toBe(wholeLookout);
});

test('it looks out once, however many answers there are in a turn', () => {
  come(20, 0);
  expect(waiting).toHaveLength(1);
});

test('a connection that breaks leaves nothing that is being answered, whatever its answers tell', () => {
  come(9, 2);
  const socket = new EventEmitter();
  const first = ask(socket);
  ask(socket);
  const other = ask();
  socket.emit('close');
  first.emit('close');
  expect(turns()).toBe(wholeAnswer);
  other.emit('close');
  expect(turns()).toBe(wholeLookout);
});

test('workers have no processor to spare, nor has a machine with one', () => {
  expect(hasFreeProcessor(false, 2)).toBe(true);
  expect(hasFreeProcessor(false, 1)).toBe(false);
  expect(hasFreeProcessor(true, 8)).toBe(false);
});

/** The parts of some milliseconds behind requests in which the loop did not sleep: several, for machines are busy at times. */
async function wakefulness(lookout: number): Promise<number[]> {
  const app = await testApplication({ overrides: { server: { http: { lookout } } } });
  const parts: number[] = [];
  try {
    const { url } = await app.listen(0);
    for (let times = 0; times < 20; times += 1) {
      for (let asked = 0; asked < 12; asked += 1) await (await fetch(`${url}/_health`)).arrayBuffer();
      const before = performance.eventLoopUtilization();
      await sleep(5);
      parts.push(performance.eventLoopUtilization(before).utilization);
    }
  } finally {
    await app.remove();
  }
  return parts.sort((one, other) => one - other);
}

test('a service is on the lookout for as long as it is told', async () => {
  const parts = await wakefulness(10);
  // A busy machine keeps some from coming soon, and some from falling asleep.
  if (hasFreeProcessor()) expect(parts[14]).toBeGreaterThan(0.9);
  else expect(parts[0]).toBeLessThan(0.5);
});

test('or not at all', async () => {
  expect((await wakefulness(0))[0]).toBeLessThan(0.5);
});
