import type { ContentRegistry, DocumentAddition, StoreTransaction } from '../../core';
import { mostBytesLeft } from '../../core/young-garbage.fixture';
import { createEarlyTwins } from './early-twins';

const registry = { types: new Map() } as unknown as ContentRegistry;

const additionIn = (transaction: StoreTransaction) => ({ links: [], transaction }) as unknown as DocumentAddition;

test('what was looked up ahead is given away once', () => {
  const early = createEarlyTwins();
  const [one, other] = [{}, {}] as [StoreTransaction, StoreTransaction];
  early.begin(additionIn(one), registry);
  expect(early.take(other)).toBeUndefined();
  expect(early.take(one)).toBeDefined();
  expect(early.take(one)).toBeUndefined();
});

test('a transaction goes with what else is young', async () => {
  const early = createEarlyTwins();
  const size = 50_000;
  const create = (): void => {
    const transaction = { bytes: Buffer.alloc(size) } as unknown as StoreTransaction;
    early.begin(additionIn(transaction), registry);
    expect(early.take(transaction)).toBeDefined();
  };
  expect(await mostBytesLeft(300, create)).toBeLessThan(20 * size);
});
