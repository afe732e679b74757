import { client, type Opened, openBoth } from './database-app.fixture';

// Which writes are committed with the reading of their answer.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const onServers = client === 'sqlite' ? describe.skip : describe;

onServers('a write is committed with the reading of its answer', () => {
  let app: Opened;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ app, close } = await openBoth({ name: { type: 'string' } }));
  });
  afterAll(() => close());

  /** How many transactions ended so while some work was done. */
  async function endedBy(work: () => Promise<unknown>): Promise<number> {
    const { database } = app;
    const { transaction } = database;
    let ended = 0;
    database.transaction = ((inside: Parameters<typeof transaction>[0]) =>
      transaction.call(database, (connection) => {
        const { lastRows } = connection;
        return inside({
          ...connection,
          lastRows:
            lastRows &&
            ((statement, values) => {
              ended += 1;
              return lastRows(statement, values);
            }),
        });
      })) as typeof transaction;
    try {
      await work();
    } finally {
      database.transaction = transaction;
    }
    return ended;
  }

  test('where the document is new', async () => {
    let id = '';
    const create = async (): Promise<void> => {
      id = String((await app.things.create({ name: 'new' }))['documentId']);
    };
    expect(await endedBy(create)).toBe(1);
    expect(await app.things.findOne(id)).toMatchObject({ name: 'new' });
  });

  test('not where it was there before, nor once other processes are told', async () => {
    const { documentId } = await app.things.create({ name: 'there' });
    expect(await endedBy(() => app.things.update(String(documentId), { name: 'changed' }))).toBe(0);
    await app.database.changes.begin();
    expect(await endedBy(() => app.things.create({ name: 'told' }))).toBe(0);
  });
});
