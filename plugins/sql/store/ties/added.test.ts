import fc from 'fast-check';
import { type ContentType, grouped, type Nested, type StoreTransaction, type Tie } from '../../../../core';
import { watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { unknowing } from '../unknowing.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

const names = ['item', 'owner', 'tag', 'passport'] as const;
type Name = (typeof names)[number];
type Ids = Record<Name, number[]>;

const typeOf = (name: Name): ContentType => app.registry.get(`api::${name}.${name}`);
const linksOf = (name: Name): Nested[] => [...typeOf(name).nested.values()].filter(({ storage }) => storage === 'link');
let documents = 0;
const rowOf = (name: string) => ({ name, documentId: `document ${++documents}` });

const told = (ties: readonly Tie[]): unknown[] =>
  ties.map(({ owner, target, uid, back, shownBy }) => ({ owner, target, uid, back, shownBy }));

async function all(transaction: StoreTransaction, ids: Ids): Promise<unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const type = typeOf(name);
    if (ids[name].length > 0) found[name] = await transaction.rows(type, { id: ids[name] });
    for (const id of ids[name]) {
      for (const nested of linksOf(name)) {
        const ties = await transaction.ties(type, nested, [id]);
        found[`${name} ${id} ${nested.name}`] = told(ties);
        for (const uid of nested.targets) {
          const target = ids[uid.split('.').at(-1) as Name];
          found[`${name} ${nested.name} ${target}`] = told(await transaction.tiesTo(type, nested, uid, target));
        }
      }
    }
    for (const nested of linksOf(name).filter(({ many }) => many))
      for (const [target, ties] of grouped(await transaction.ties(type, nested, ids[name]), (tie) => tie.target)) {
        const owners = ties.map(({ owner }) => owner);
        const before = await transaction.before(type, nested, owners, target, 1);
        found[`${name} ${nested.name} before ${target}`] = before.sort((one, other) => one.owner - other.owner);
      }
  }
  return found;
}

const pick = fc.nat();
const place = fc.record({ name: fc.constantFrom(...names), nested: pick, owner: pick });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('insert' as const), name: fc.constantFrom(...names) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('tie' as const),
      place,
      targets: fc.array(pick, { maxLength: 3 }),
      // Where they stand in the targets' own lists; most often at the end.
      back: fc.option(fc.constantFrom(0.5, 1, 2, 7), { freq: 4, nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retie' as const), place, from: pick, to: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('handOver' as const), place, to: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('place' as const), place, moved: pick, after: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('update' as const), name: fc.constantFrom(...names), row: pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom(...names), row: pick }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const at = <Item>(list: readonly Item[], index: number): Item | undefined => list[index % list.length];

async function play(transaction: StoreTransaction, ids: Ids, made: Step): Promise<void> {
  if (made.do === 'insert') {
    ids[made.name].push(...(await transaction.insert(typeOf(made.name), [rowOf('one'), rowOf('two')])));
    return;
  }
  if (made.do === 'update' || made.do === 'delete') {
    const id = at(ids[made.name], made.row);
    if (id === undefined) return;
    if (made.do === 'update') return transaction.update(typeOf(made.name), { id }, { name: 'changed' });
    ids[made.name] = ids[made.name].filter((each) => each !== id);
    return transaction.delete(typeOf(made.name), { id });
  }
  const { name } = made.place;
  const [type, nested, owner] = [typeOf(name), at(linksOf(name), made.place.nested)!, at(ids[name], made.place.owner)];
  const uid = nested.targets[0]!;
  const targets = ids[uid.split('.').at(-1) as Name];
  if (owner === undefined || targets.length === 0) return;
  if (made.do === 'tie') {
    const chosen = [...new Set(made.targets.map((each) => at(targets, each)!))].slice(0, nested.many ? undefined : 1);
    const given = made.back === undefined ? {} : { back: made.back };
    await transaction.tie(type, nested, [{ owner, targets: chosen.map((target) => ({ target, uid, ...given })) }]);
  } else if (made.do === 'retie') {
    await transaction.retie(type, nested, {
      uid,
      from: at(targets, made.from)!,
      to: at(targets, made.to)!,
      mayBeBoth: true,
    });
  } else if (made.do === 'handOver') {
    const to = at(ids[name], made.to)!;
    const held = await transaction.ties(type, nested, [to]);
    if (held.length === 0) await transaction.handOver(type, [nested], { from: owner, to });
  } else {
    const list = (await transaction.ties(type, nested, [owner])).map(({ target }) => target);
    const [moved, after] = [at(list, made.moved), at(list, made.after)];
    if (moved !== undefined && moved !== after) await transaction.place(type, nested, owner, moved, after);
  }
}

test('what a transaction knows of what it added is what the database tells', async () => {
  const old: Ids = { item: [], owner: [], tag: [], passport: [] };
  await app.store.transaction(async (transaction) => {
    for (const name of names) old[name] = [...(await transaction.insert(typeOf(name), [rowOf('old')]))];
    const item = typeOf('item');
    for (const name of ['tags', 'owner', 'next']) {
      const nested = item.nested.get(name)!;
      const uid = nested.targets[0]!;
      const [target] = old[uid.split('.').at(-1) as Name] as [number];
      await transaction.tie(item, nested, [{ owner: old.item[0]!, targets: [{ target, uid }] }]);
    }
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 3, maxLength: 12 }), async (steps) => {
      const undone = new Error('undone');
      const work = app.store.transaction(async (transaction) => {
        const ids: Ids = { item: [...old.item], owner: [...old.owner], tag: [...old.tag], passport: [...old.passport] };
        for (const [at, [each, isAsked]] of steps.entries()) {
          await play(transaction, ids, each);
          if (!isAsked && at < steps.length - 1) continue;
          const known = await all(transaction, ids);
          expect(known).toEqual(await all(unknowing(app, transaction), ids));
        }
        throw undone;
      });
      await expect(work).rejects.toBe(undone);
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('what was added is not read, nor what leads to it', async () => {
  const statements: string[] = [];
  const item = typeOf('item');
  const [owner, tags] = [item.nested.get('owner')!, item.nested.get('tags')!];
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  await app.store.transaction(async (transaction) => {
    const [id] = (await transaction.insert(item, [rowOf('new')])) as [number];
    const [tag] = (await transaction.insert(typeOf('tag'), [rowOf('new')])) as [number];
    await transaction.tie(item, tags, [{ owner: id, targets: [{ target: tag, uid: 'api::tag.tag' }], current: [] }]);
    statements.length = 0;
    expect(await transaction.rows(item, { id }, ['name'])).toEqual([{ name: 'new' }]);
    expect(await transaction.ties(item, owner, [id])).toEqual([]);
    const sought = { type: item, nested: tags, uid: 'api::tag.tag', targets: [tag], needsNoPlaces: true };
    expect((await transaction.tiesOf([sought])).map(told)).toMatchObject([[{ owner: id, target: tag }]]);
    expect(statements).toEqual([]);
    // Where they stand in the tags' own lists shows when they are there.
    expect(await transaction.tiesTo(item, tags, 'api::tag.tag', [tag])).toMatchObject([
      { owner: id, target: tag, back: 1 },
    ]);
    statements.length = 0;
    expect(await transaction.tiesTo(item, tags, 'api::tag.tag', [tag])).toMatchObject([{ back: 1 }]);
    expect(statements).toEqual([]);
    expect(await transaction.rows(item, { documentId: `document ${documents - 1}` }, ['name'])).toEqual([
      { name: 'new' },
    ]);
    expect(statements).toHaveLength(1);
  });
  unwatch();
});

test('of no rows, none is added', async () => {
  const ids = await app.store.transaction(async (transaction) => transaction.insert(typeOf('item'), []));
  expect(ids).toEqual([]);
});

test('of what adds very much, nothing is kept in mind, and all is read', async () => {
  const statements: string[] = [];
  const [item, tag] = [typeOf('item'), typeOf('tag')];
  const tags = item.nested.get('tags')!;
  const undone = new Error('undone');
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  const work = app.store.transaction(async (transaction) => {
    const [id] = (await transaction.insert(item, [rowOf('new')])) as [number];
    const many = await transaction.insert(
      tag,
      Array.from({ length: 10_000 }, () => rowOf('one of many')),
    );
    const targets = many.slice(0, 2).map((target) => ({ target, uid: tag.uid }));
    await transaction.tie(item, tags, [{ owner: id, targets }]);
    statements.length = 0;
    expect(await transaction.rows(item, { id }, ['name'])).toEqual([{ name: 'new' }]);
    expect(await transaction.ties(item, tags, [id])).toMatchObject(targets);
    expect(await transaction.rows(tag, { id: many[9_999]! }, ['name'])).toEqual([{ name: 'one of many' }]);
    expect(statements.filter((sql) => /^select .name. from/.test(sql))).toHaveLength(2);
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  unwatch();
});

test('rows are read in parts, by id', async () => {
  const item = typeOf('item');
  await app.store.transaction(async (transaction) => {
    const ids = await transaction.insert(item, ['a', 'b', 'c', 'd'].map(rowOf));
    const part = async (behind: number, most?: number): Promise<unknown[]> =>
      (await transaction.rows(item, { behind }, ['name'], most)).map(({ name }) => name);
    expect(await part(ids[0]! - 1, 2)).toEqual(['a', 'b']);
    expect(await part(ids[1]!, 3)).toEqual(['c', 'd']);
    expect(await part(ids[1]!)).toEqual(['c', 'd']);
    expect(await part(ids[3]!, 2)).toEqual([]);
  });
});
