import { client, makePlace, openApp, openBoth, openForeign, uid } from './database-app.fixture';

/** Index → its definition, on PostgreSQL. */
async function definitionsOf(knex: ReturnType<typeof openForeign>): Promise<Record<string, string>> {
  const { rows } = await knex.raw("select indexname, indexdef from pg_indexes where indexname like 'h_things_%'");
  return Object.fromEntries(
    (rows as { indexname: string; indexdef: string }[]).map(({ indexname, indexdef }) => [indexname, indexdef]),
  );
}

const onPostgres = client === 'postgres' ? test : test.skip;

onPostgres(
  'indexes have the order of lists, and those that an earlier start made otherwise are made anew',
  async () => {
    const next = { type: 'relation', relation: 'manyToMany', target: uid };
    const place = await makePlace({ code: { type: 'string', unique: true }, n: { type: 'integer' }, next });
    const app = await openApp(place);
    for (const code of ['b', null, 'a']) await app.things.create({ code });
    await app.close();
    const knex = openForeign(place);
    const ordered = {
      h_things_code_idx: expect.stringContaining('(code NULLS FIRST, id, published_at, locale)'),
      h_things_next_lnk_thing_id_idx: expect.stringContaining('(thing_id, thing_ord NULLS FIRST, id, inv_thing_id)'),
    };
    expect(await definitionsOf(knex)).toMatchObject(ordered);
    await knex.raw('drop index h_things_code_idx, h_things_next_lnk_thing_id_idx');
    await knex.raw('create index h_things_code_idx on things (code, id, published_at, locale)');
    await knex.raw(
      'create index h_things_next_lnk_thing_id_idx on things_next_lnk (thing_id, thing_ord, id, inv_thing_id)',
    );
    await knex.raw("delete from heddle_meta where key='layout'");

    const again = await openApp(place);
    expect(await definitionsOf(knex)).toMatchObject(ordered);
    expect((await again.things.find({ sort: 'code' })).map(({ code }) => code)).toEqual([null, 'a', 'b']);
    await knex.raw('set enable_seqscan = off');
    const plan = await knex.raw('explain select id from things order by code nulls first, id limit 1');
    expect(JSON.stringify(plan.rows)).toMatch(/Index Only Scan using h_things_code_idx/);
    expect(JSON.stringify(plan.rows)).not.toMatch(/Sort/);
    await knex.destroy();
    await again.close();
    await place.remove();
  },
);

const narrowSql = {
  mysql: `select column_name as name from information_schema.statistics
    where table_schema = database() and index_name = 'h_things_narrow' order by seq_in_index`,
  postgres: "select attname as name from pg_attribute where attrelid = 'h_things_narrow'::regclass order by attnum",
};

(client === 'sqlite' ? test.skip : test)(
  'the index that stands for a table has what lists ask of rows, but for texts, and is made anew where a column is missing',
  async () => {
    const { place, app, foreign, close } = await openBoth({
      name: { type: 'string' },
      n: { type: 'integer' },
      flag: { type: 'boolean' },
    });
    const columns = async (): Promise<string[]> => {
      const answer = await foreign.raw(narrowSql[client as 'mysql']);
      return (client === 'mysql' ? answer[0] : answer.rows).map(({ name }: { name: string }) => name);
    };
    const whole = ['published_at', 'locale', 'n', 'flag', 'created_at', 'updated_at'];
    if (client === 'postgres') whole.push('id');
    expect(await columns()).toEqual(whole);
    await app.things.create({ name: 'kept', n: 3 });
    await foreign.raw(`drop index h_things_narrow${client === 'mysql' ? ' on things' : ''}`);
    await foreign.raw('create index h_things_narrow on things (published_at, locale, n)');
    const wider = client === 'mysql' ? 'modify flag longtext' : 'alter flag type text using flag::text';
    await foreign.raw(`alter table things ${wider}`);
    await foreign.raw("delete from heddle_meta where ?? = 'layout'", ['key']);
    const again = await openApp(place);
    expect(await columns()).toEqual(whole.filter((name) => name !== 'flag'));
    expect(await again.things.find({ filters: { n: { $gt: 2 } }, sort: 'n', fields: ['name'] })).toMatchObject([
      { name: 'kept' },
    ]);
    await again.close();
    await close();
  },
);
