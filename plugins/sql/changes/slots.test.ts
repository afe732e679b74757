import { postgres } from '../dialects/postgres';
import { createSlots, type Writing } from './slots';

/** A connection on which rows are added and written, and what was said on it. */
function connection() {
  const said: string[] = [];
  const run: Writing['run'] = async ({ sql }, values) => {
    said.push(`${sql.split(' ')[0]} ${values[0]}`);
    return { changes: 1, firstId: 7 };
  };
  return { said, run };
}

test('a row is written again once it is known how the transaction before ended, and its count goes on', async () => {
  const slots = createSlots(postgres);
  const { said, run } = connection();
  const told = async () => {
    const entry = slots.entry(['things']);
    await entry.tell({ run });
    return entry;
  };
  (await told()).committed();
  (await told()).undone();
  (await told()).undone();
  (await told()).committed();
  expect(said).toEqual(['insert 1', 'update 2', 'update 2', 'update 2']);
  await told();
  // Nobody knows how that one ended.
  await told();
  expect(said.slice(4)).toEqual(['update 3', 'insert 1']);
});

test('what is told once more, behind what came since, is told in the same row', async () => {
  const slots = createSlots(postgres);
  const { said, run } = connection();
  const entries = [slots.entry(['things']), slots.entry(['others'])];
  for (const entry of entries) await entry.tell({ run });
  entries[1]!.committed();
  await entries[0]!.tell({ run });
  entries[0]!.committed();
  for (let at = 0; at < 2; at += 1) await slots.entry(['things']).tell({ run });
  expect(said).toEqual(['insert 1', 'insert 1', 'update 2', 'update 3', 'update 2']);
});

test('a row that could not be written is written by the next', async () => {
  const slots = createSlots(postgres);
  const { said, run } = connection();
  const first = slots.entry(['things']);
  await first.tell({ run });
  first.committed();
  const second = slots.entry(['things']);
  await expect(second.tell({ run: () => Promise.reject(new Error('deadlock')) })).rejects.toThrow('deadlock');
  second.undone();
  await slots.entry(['things']).tell({ run });
  expect(said).toEqual(['insert 1', 'update 2']);
});

test('a row that was added by what was undone is not looked for', async () => {
  const slots = createSlots(postgres);
  const { said, run } = connection();
  for (let at = 0; at < 2; at += 1) {
    const entry = slots.entry(['things']);
    await entry.tell({ run });
    entry.undone();
  }
  expect(said).toEqual(['insert 1', 'insert 1']);
});
