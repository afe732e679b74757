import { registryOf, things } from '../content.fixture';
import type { ContentType } from '../content-type';
import type { TypeDefinition } from '../definition';
import type { Dimension } from '../dimension';
import { nestedKinds } from '../nested';
import type { LockKey, Row, RowMatch, StoreTransaction } from '../store';
import { documentKey, documentsLinked, documentsNamed, findLastingRows } from './document-locks';
import type { LinkChange } from './link-change';
import type { Finding } from './resolve-links';

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

const edition: Dimension = {
  name: 'edition',
  replaces: true,
  attribute: { name: 'edition', definition: { type: 'string' } },
  appliesTo: ({ options }) => options['isEdited'] === true,
  choose: () => ({ any: true }),
};
const market: Dimension = {
  ...edition,
  name: 'market',
  replaces: false,
  attribute: { ...edition.attribute, name: 'market' },
};

const named = (name: string, options: object, attributes: TypeDefinition['attributes'] = {}): TypeDefinition =>
  things(attributes, {
    uid: `api::${name}.${name}`,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { ...options },
  });
const toBooks = { books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book' } };
const registry = registryOf([named('book', { isEdited: true }, toBooks), named('shelf', {}, toBooks)], {
  kinds: nestedKinds,
  dimensions: [edition],
});
const [book, shelf] = [registry.get('api::book.book'), registry.get('api::shelf.shelf')];
const books = ({ nested }: ContentType, change: LinkChange) => [{ nested: nested.get('books')!, change }];
const byIds = (...ids: readonly string[]): LinkChange => ({
  set: ids.map((documentId) => ({ documentId, parameters: {} })),
});
const key = (documentId: string): LockKey => ({ shared: documentKey(book, documentId) });

describe('whoever links what may be replaced meanwhile', () => {
  test('shares its document, once', () => {
    expect(documentsLinked(shelf, books(shelf, byIds('a', 'b', 'a')), registry)).toEqual([key('a'), key('b')]);
  });

  test('shares what he links no longer, too, and where it comes to stand', () => {
    const [ref, anchor, gone] = ['a', 'b', 'c'].map((documentId) => ({ documentId, parameters: {} }));
    const change: LinkChange = {
      connect: [{ ref: ref!, position: { at: 'before', anchor: anchor!, told: {} } }],
      disconnect: [gone!],
    };
    const keys = documentsLinked(shelf, books(shelf, change), registry);
    expect(keys).toHaveLength(3);
    expect(keys).toEqual(expect.arrayContaining(['a', 'b', 'c'].map(key)));
  });

  test('does not, where what he links it from is replaced likewise', () => {
    expect(documentsLinked(book, books(book, byIds('a')), registry)).toEqual([]);
  });

  test('does not, where variants are never replaced', () => {
    const changed = registryOf([named('book', { isEdited: true }), named('shelf', {}, toBooks)], {
      kinds: nestedKinds,
      dimensions: [market],
    });
    const source = changed.get('api::shelf.shelf');
    expect(documentsLinked(source, books(source, byIds('a')), changed)).toEqual([]);
  });

  test('shares 100 documents at most, and of more none', () => {
    const ids = Array.from({ length: 101 }, (_, at) => `d${at}`);
    expect(documentsLinked(shelf, books(shelf, byIds(...ids.slice(1))), registry)).toHaveLength(100);
    expect(documentsLinked(shelf, books(shelf, byIds(...ids)), registry)).toEqual([]);
  });
});

describe('rows that are named by number', () => {
  /** The rows of each look, one after the other; what is locked may be new or not. */
  function finding(looks: Row[][], isNew = true): { finding: Finding; locked: LockKey[]; asked: RowMatch[] } {
    const [locked, asked]: [LockKey[], RowMatch[]] = [[], []];
    const transaction = {
      async rows(_: ContentType, match: RowMatch) {
        asked.push(match);
        return looks.shift()!;
      },
      async lock(...keys: LockKey[]) {
        locked.push(...keys);
        return isNew && keys.length > 0;
      },
    };
    const made = {
      transaction: transaction as unknown as StoreTransaction,
      registry,
      found: new Map(),
      owners: new Map(),
    };
    return { finding: made, locked, asked };
  }
  const row = (id: number): Row => ({ id, documentId: `d${id}` });
  const change: LinkChange = { set: [{ id: 1 }, { id: 2 }] };
  const find = (from: ContentType, to: Finding) => {
    const all = books(from, change);
    return findLastingRows({ type: from, own: all, all }, to);
  };

  test.each([['what has other versions', shelf] as const, ['what has the same', book] as const])(
    'are looked up again once their documents are shared, by %s',
    async (_, from) => {
      const { finding: to, locked, asked } = finding([[row(1), row(2)], [row(1)]]);
      expect(await find(from, to)).toBe(
        '1 relation(s) of type api::book.book associated with this entity do not exist',
      );
      expect(locked).toEqual([key('d1'), key('d2')]);
      expect(asked).toHaveLength(2);
      expect([...to.found.values()]).toEqual([[1]]);
      expect([...to.owners.values()]).toEqual(['d1']);
    },
  );

  test('are not, where these were shared before', async () => {
    const { finding: to, asked } = finding([[row(1), row(2)]], false);
    expect(await find(shelf, to)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test('are not, where none is there', async () => {
    const { finding: to, locked, asked } = finding([[]]);
    expect(await find(shelf, to)).toMatch(/^2 relation/);
    expect([locked.length, asked.length]).toEqual([0, 1]);
  });
});
