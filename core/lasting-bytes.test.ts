import { lasting, madeOf } from './lasting-bytes';
import { mostBytesLeft } from './young-garbage.fixture';

test('of bytes that last things are made once, and so they are of bytes made of them', () => {
  const bytes = lasting(Buffer.from('text'));
  let runs = 0;
  const again = () => {
    const inner = madeOf(bytes, 'inner', () => bytes.subarray(1));
    return madeOf(inner, 'length', () => {
      runs += 1;
      return inner.length;
    });
  };
  expect([again(), again(), runs]).toEqual([3, 3, 1]);
  expect(lasting(bytes)).toBe(bytes);
  expect(again()).toBe(3);
  expect(runs).toBe(1);
});

test('things of other names are others, and even no is remembered', () => {
  const bytes = lasting(Buffer.from('text'));
  let runs = 0;
  const no = () =>
    madeOf(bytes, 'no', () => {
      runs += 1;
      return false;
    });
  expect([no(), no(), runs, madeOf(bytes, 'yes', () => true)]).toEqual([false, false, 1, true]);
});

test('what fails is made again', async () => {
  const bytes = lasting(Buffer.from('text'));
  let runs = 0;
  const made = () =>
    madeOf(bytes, 'later', async () => {
      if (++runs === 1) throw new Error('full');
      return runs;
    });
  await expect(made()).rejects.toThrow('full');
  expect([await made(), await made()]).toEqual([2, 2]);
});

test('of other bytes nothing is remembered', () => {
  const bytes = Buffer.from('text');
  let runs = 0;
  const count = () => madeOf(bytes, 'count', () => ++runs);
  expect([count(), count()]).toEqual([1, 2]);
});

test('only so many things are remembered', () => {
  const bytes = lasting(Buffer.from('text'));
  let runs = 0;
  const made = (name: string) => madeOf(bytes, name, () => ++runs);
  for (let index = 0; index < 100; index += 1) made(`${index}`);
  expect([made('99'), made('0')]).toEqual([100, 101]);
});

test('only a few things are remembered of the same bytes', () => {
  const bytes = lasting(Buffer.from('text'));
  let runs = 0;
  const first = () => madeOf(bytes, 'first', () => ++runs);
  first();
  for (const name of ['second', 'third', 'fourth']) madeOf(bytes, name, () => name);
  expect([first(), first()]).toEqual([2, 2]);
});

test('who keeps bytes is told what is made of them, and no longer of what is forgotten', async () => {
  const told: number[] = [];
  const bytes = lasting(Buffer.from('text'));
  const first = madeOf(bytes, 'first', () => Buffer.alloc(100));
  lasting(bytes, (more) => told.push(more));
  madeOf(bytes, 'part', () => bytes.subarray(1));
  await madeOf(first, 'packed', async () => Buffer.alloc(20));
  madeOf(first, 'tag', () => 'a tag');
  expect(told.filter(Boolean)).toEqual([100, 20]);
  madeOf(bytes, 'third', () => Buffer.alloc(3));
  madeOf(bytes, 'fourth', () => Buffer.alloc(4));
  expect(told.filter(Boolean)).toEqual([100, 20, 3, -123, 4]);
  madeOf(first, 'late', () => Buffer.alloc(50));
  expect(told.filter(Boolean)).toEqual([100, 20, 3, -123, 4]);
});

test('bytes that last are the same bytes to who compares them', () => {
  const bytes = lasting(Buffer.from('text'));
  madeOf(bytes, 'length', () => bytes.length);
  expect(bytes).toStrictEqual(Buffer.from('text'));
  expect(Object.getOwnPropertySymbols({ ...bytes })).toEqual([]);
});

test('what is made of bytes goes with what else is young', async () => {
  const size = 50_000;
  const send = (): void => {
    const bytes = lasting(Buffer.alloc(size));
    const body = madeOf(bytes, 'body', () => Buffer.concat([Buffer.from('data: '), bytes]));
    expect(madeOf(body, 'tag', () => body.length)).toBe(size + 6);
  };
  expect(await mostBytesLeft(300, send)).toBeLessThan(20 * size);
});

test('who keeps bytes is told of what is made of them, small bytes that share memory with them included', () => {
  const told: number[] = [];
  const memory = new ArrayBuffer(100);
  const [bytes, beside] = [Buffer.from(memory, 0, 3), Buffer.from(memory, 50, 12)];
  lasting(bytes, (more) => told.push(more));
  madeOf(bytes, 'part', () => bytes.subarray(1, 2));
  madeOf(bytes, 'body', () => beside);
  expect(told).toEqual([0, 12]);
});
