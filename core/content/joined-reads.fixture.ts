import type { StoreAnswer } from './store';

export const textOf = ({ json }: StoreAnswer): string => json.toString();

export const answerOf = (text: string): StoreAnswer => ({ json: Buffer.from(text), count: 1 });

/** Readings that say their number, and end when they are told to. */
export function slowReads() {
  const ends: (() => void)[] = [];
  const run = async (): Promise<StoreAnswer> => {
    const json = Buffer.from(String(ends.length + 1));
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return { json, count: 1 };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { run, ends, turn };
}

/** Waiting ends where a test says so, not because the machine was busy meanwhile. */
export const stopTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
