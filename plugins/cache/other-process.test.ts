import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { client } from '../sql/store/database-app.fixture';
import { hits, idOf, makePlace } from './cached-app.fixture';

const driver = require.resolve(Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-v12');

/** Writes each number that it is told, and tells it once it is committed. */
const program = `
  const database = new (require(${JSON.stringify(driver)}))(process.argv[1], { timeout: 5000 });
  const update = database.prepare('update authors set bio = ?');
  require('node:readline').createInterface(process.stdin).on('line', (number) => {
    update.run(number);
    console.log(number);
  });
`;

(client === 'sqlite' ? test : test.skip)(
  'what another process commits shows in the first answer that is asked for after that',
  async () => {
    const place = await makePlace();
    const here = await place.start();
    const path = `/api/authors/${idOf(await here.send('post', '/api/authors', { name: 'Ann' }))}?fields=bio`;
    const other = spawn(process.execPath, ['-e', program, place.name], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const lines = createInterface(other.stdout);
      for (let number = 1; number <= 50; number += 1) {
        // Of two reads between its writes, the second is answered by what was kept.
        await here.ask(path);
        expect(await hits(here, () => here.ask(path))).toBe(1);
        const told = once(lines, 'line');
        other.stdin.write(`${number}\n`);
        expect(await told).toEqual([`${number}`]);
        expect((await here.ask(path)).body.data.bio).toBe(`${number}`);
        // Own writes in between don't hide those of others.
        if (number % 5 === 0) await here.send('post', '/api/authors', { name: `Author ${number}` });
      }
    } finally {
      other.stdin.end();
      await once(other, 'exit');
      await place.remove();
    }
  },
  60_000,
);
