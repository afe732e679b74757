import { client, makePlace, openApp, openForeign, uid } from './database-app.fixture';

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
