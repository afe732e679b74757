import { registryOf, things } from '../content.fixture';
import { nestedKinds } from '../nested';
import { documentKey, documentsNamed, findRows } from './resolve-links';

test('a single type that a body names is locked as those do who write it without naming it', () => {
  const relation = (form: string, side: object) => ({ type: 'relation', relation: form, ...side });
  const definitions = [
    things({
      home: relation('oneToOne', { target: 'api::home.home', inversedBy: 'thing' }),
      peer: relation('manyToOne', { target: 'api::thing.thing', inversedBy: 'peers' }),
      peers: relation('oneToMany', { target: 'api::thing.thing', mappedBy: 'peer' }),
      owner: relation('manyToOne', { target: 'plugin::shop.owner', inversedBy: 'things' }),
    }),
    things(
      { thing: relation('oneToOne', { target: 'api::thing.thing', mappedBy: 'home' }) },
      {
        uid: 'api::home.home',
        modelKind: 'singleType',
        collectionName: 'homes',
        info: { singularName: 'home', pluralName: 'homes', displayName: 'Home' },
      },
    ),
  ];
  const registry = registryOf(definitions, { kinds: nestedKinds });
  const [thing, home] = [registry.get('api::thing.thing'), registry.get('api::home.home')];
  const body = { home: 'h', peer: 'p', owner: 'o' };
  expect(documentsNamed(thing, body, registry)).toEqual([
    documentKey(home, undefined),
    { shared: documentKey(thing, 'p') },
  ]);
});

test('the time to look up rows grows as their number does', async () => {
  const relation = { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' };
  const registry = registryOf([things({ related: relation })], { kinds: nestedKinds });
  const nested = registry.get('api::thing.thing').nested.get('related')!;
  const change = { set: Array.from({ length: 200_000 }, (_, at) => ({ id: at + 1 })) };
  const transaction = { rows: async () => [] } as never;
  const begun = performance.now();
  const complaint = await findRows([{ nested, change }], {
    transaction,
    registry,
    found: new Map(),
    owners: new Map(),
  });
  expect(complaint).toMatch(/^200000 relation/);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
