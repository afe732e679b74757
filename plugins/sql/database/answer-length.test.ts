import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { countAnswers, createCountedLists } from './answer-length';
import { longestStop } from './longest-read';

const most = 10;
const tooLong = expect.objectContaining({ status: 413 });

describe('lists', () => {
  test('those that as many relations lead to are counted together', () => {
    const lists = createCountedLists(most);
    lists.begin();
    lists.add(6, 1);
    lists.add(4, 1);
    expect(() => lists.add(1, 1)).toThrow(tooLong);
  });

  test('a list is not counted once more with what it is in', () => {
    const lists = createCountedLists(most);
    lists.begin();
    lists.add(6, 1);
    lists.add(8, 0);
  });

  test('each statement begins with none', () => {
    const lists = createCountedLists(most);
    for (let time = 0; time < 3; time++) {
      lists.begin();
      lists.add(10, 0);
    }
  });
});

test('very many lists, however short, are ended when they take very long', () => {
  jest.useFakeTimers();
  const lists = createCountedLists(most);
  const add = (): void => {
    for (let time = 0; time < 100; time++) lists.add(0, 1);
  };
  lists.begin();
  add();
  jest.advanceTimersByTime(longestStop + 1);
  expect(add).toThrow(`not answered within ${longestStop / 1_000} s`);
  lists.begin();
  add();
  jest.useRealTimers();
});

describe('answers of a server', () => {
  let stream: PassThrough & { bytesRead: number };
  let errors: unknown[];
  beforeEach(() => {
    stream = Object.assign(new PassThrough(), { bytesRead: 0 });
    stream.on('error', (error) => errors.push(error));
    errors = [];
  });

  const counted = () => countAnswers(stream as unknown as Socket, most);
  function receive(bytes: number): void {
    stream.bytesRead += bytes;
    stream.emit('data', Buffer.alloc(bytes));
  }
  const hasEnded = async (): Promise<boolean> => {
    await new Promise(setImmediate);
    return stream.destroyed;
  };

  test('one that is too long ends the connection as soon as that is seen', async () => {
    const answers = counted();
    answers.asked();
    receive(6);
    expect(await hasEnded()).toBe(false);
    receive(6);
    expect(await hasEnded()).toBe(true);
    expect(errors).toEqual([tooLong]);
  });

  test('one that was too long, and came to its end, is none', () => {
    const answers = counted();
    answers.asked();
    receive(11);
    expect(answers.answered).toThrow(tooLong);
  });

  test('one after the other, none is too long', async () => {
    const answers = counted();
    answers.asked();
    answers.asked();
    for (let time = 0; time < 2; time++) {
      receive(9);
      answers.answered();
    }
    answers.asked();
    receive(9);
    answers.answered();
    expect(await hasEnded()).toBe(false);
  });

  test('what others ask is not counted', async () => {
    const answers = counted();
    receive(100);
    expect(await hasEnded()).toBe(false);
    answers.asked();
    receive(10);
    answers.answered();
    receive(100);
    expect(await hasEnded()).toBe(false);
  });
});
