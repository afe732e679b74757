import type { ContentType } from './content-type';
import { newlyServed } from './served-types';

const types = (...uids: string[]) => uids.map((uid) => ({ uid }) as ContentType);
const uidsOf = (found: readonly ContentType[]): string[] => found.map(({ uid }) => uid);

function notes() {
  const texts = new Map<string, string>();
  const written: string[] = [];
  return {
    written,
    remembered: {
      read: async (key: string) => texts.get(key),
      write: async (key: string, text: string) => {
        written.push(text);
        texts.set(key, text);
      },
    },
  };
}

test('a type is new until that is remembered, and once more after it was not served', async () => {
  const store = notes();
  const first = await newlyServed(store, 'status', types('b', 'a'));
  expect(uidsOf(first.types)).toEqual(['b', 'a']);
  expect(uidsOf((await newlyServed(store, 'status', types('a'))).types)).toEqual(['a']);
  await first.remember();
  const again = await newlyServed(store, 'status', types('a', 'b'));
  expect(uidsOf(again.types)).toEqual([]);
  await again.remember();
  expect(store.written).toEqual(['["a","b"]']);
  await (await newlyServed(store, 'status', types('b'))).remember();
  expect(uidsOf((await newlyServed(store, 'status', types('a', 'b'))).types)).toEqual(['a']);
});

test('what one attribute serves is not what another does', async () => {
  const store = notes();
  await (await newlyServed(store, 'status', types('a'))).remember();
  expect(uidsOf((await newlyServed(store, 'locale', types('a'))).types)).toEqual(['a']);
});

test('where nothing outlives the process, nothing is from another time', async () => {
  const { types: found, remember } = await newlyServed({}, 'status', types('a'));
  expect(found).toEqual([]);
  await remember();
});
