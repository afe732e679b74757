import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFor, databaseKeys } from '../config';
import { client } from '../store/database-app.fixture';

/** A way to the server on which nothing comes or goes any more once it is told so. */
async function wayTo(port: number) {
  const sockets: Socket[] = [];
  const way = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return {
    port: (way.address() as AddressInfo).port,
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      way.close();
    },
  };
}

// A file does not fall silent.
const onServers = client === 'sqlite' ? test.skip : test;

onServers.each([
  ['while nothing is asked', false, 5_500],
  ['in the middle of a transaction', true, 12_000],
])(
  'a database whose server falls silent %s is closed all the same',
  async (_when, isAsked, most) => {
    const isMysql = client === 'mysql';
    const way = await wayTo(isMysql ? 3306 : 5432);
    const name = isMysql ? 'mysql' : 'postgres';
    const connection = {
      host: '127.0.0.1',
      port: way.port,
      database: name,
      user: isMysql ? 'root' : name,
      password: '',
    };
    const reach = databaseKeys.connection.parse({ client, connection });
    const database = databaseFor({ connection: reach, maxAnswerBytes: 1_000_000 }, '/nowhere');
    try {
      await database.open();
      for (let time = 0; time < 6; time++) {
        await database.rows({ sql: 'select 1' }, []);
        await sleep(50);
      }
      const work =
        isAsked &&
        database
          .transaction(async (connection) => {
            await connection.rows({ sql: 'select 1' }, []);
            way.fallSilent();
            await connection.rows({ sql: 'select 2' }, []);
          })
          .catch((error: unknown) => error);
      await sleep(50);
      way.fallSilent();
      const begun = performance.now();
      await database.close();
      expect(performance.now() - begun).toBeLessThan(most);
      if (work) expect(await work).toMatchObject({ status: 503 });
    } finally {
      way.close();
    }
  },
  30_000,
);
