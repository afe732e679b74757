import { spawnSync } from 'node:child_process';
import { rowId, rowIds } from './row-id';

test('the number of a row, whatever a database says it as', () => {
  expect([{ id: 3 }, { id: '4' }].map(rowId)).toEqual([3, 4]);
  expect(rowIds([{ id: 3 }, { id: '4' }])).toEqual([3, 4]);
});

test('a list of numbers holds no doubles once V8 has compiled what makes it', () => {
  const program = `
    const rowId = ${rowId};
    const make = { rowIds: ${rowIds}, map: (rows) => rows.map(({ id }) => Number(id)) };
    const rows = [{ id: 3 }, { id: 4 }];
    // V8 takes the field for one that holds numbers only unless it has seen it hold something else.
    const unlike = { id: 'x' };
    console.log(JSON.stringify(Object.values(make).map((ids) => {
      %PrepareFunctionForOptimization(ids);
      for (let run = 0; run < 100; run += 1) ids(rows);
      %OptimizeFunctionOnNextCall(ids);
      ids(rows);
      return %HasDoubleElements(ids(rows));
    })));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--allow-natives-syntax', '-e', program], {
    encoding: 'utf8',
  });
  // The second shows that the first could be otherwise.
  expect([stderr, stdout.trim()]).toEqual(['', '[false,true]']);
});
