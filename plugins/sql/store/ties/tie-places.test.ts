import type { Nested, Tie } from '../../../../core';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { relation } from '../schemas.fixture';

// Ties that are kept elsewhere than in link tables: in columns, and with the type of what they lead to.

const info = (singularName: string) => ({ singularName, pluralName: `${singularName}s`, displayName: singularName });
const schema = (name: string, attributes: object) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: info(name),
    attributes: { name: { type: 'string' }, ...attributes },
  },
});

const files = {
  ...schema('note', {
    about: relation('morphToOne', {}),
    book: relation('manyToOne', { target: 'api::book.book', inversedBy: 'notes', useJoinTable: false }),
    leaf: relation('oneToOne', { target: 'api::leaf.leaf', inversedBy: 'note', useJoinTable: false }),
  }),
  ...schema('leaf', { note: relation('oneToOne', { target: 'api::note.note', mappedBy: 'leaf' }) }),
  ...schema('label', { on: relation('morphToMany', {}) }),
  ...schema('book', {
    notes: relation('oneToMany', { target: 'api::note.note', mappedBy: 'book' }),
    remark: relation('morphOne', { target: 'api::note.note', morphBy: 'about' }),
    labels: relation('morphMany', { target: 'api::label.label', morphBy: 'on' }),
  }),
};

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp(files);
});
afterAll(() => app.remove());

const idOf = (name: string) => `api::${name}.${name}`;

async function make(type: string, data: object = {}): Promise<{ documentId: string; id: number }> {
  const made = await app.documents.of(idOf(type)).create({ name: type, ...data });
  return { documentId: String(made['documentId']), id: Number(made['id']) };
}

const tiesOf = (type: string, name: string, owner: number): Promise<Omit<Tie, 'owner'>[]> =>
  app.store.transaction(async (transaction) => {
    const content = app.registry.get(idOf(type));
    const nested = content.nested.get(name) as Nested;
    return (await transaction.ties(content, nested, [owner])).map(({ target, uid }) => ({ target, uid }));
  });

const update = (type: string, documentId: string, data: object) =>
  app.documents.of(idOf(type)).update(documentId, { ...data });

test('a column of the own row, seen and written from both sides', async () => {
  const [a, b] = [await make('book'), await make('book')];
  const note = await make('note', { book: a.documentId });
  expect(await tiesOf('note', 'book', note.id)).toEqual([{ target: a.id, uid: 'api::book.book' }]);
  expect(await tiesOf('book', 'notes', a.id)).toEqual([{ target: note.id, uid: 'api::note.note' }]);
  await update('book', b.documentId, { notes: [note.documentId] });
  expect(await tiesOf('book', 'notes', a.id)).toEqual([]);
  expect(await tiesOf('note', 'book', note.id)).toEqual([{ target: b.id, uid: 'api::book.book' }]);
  await update('note', note.documentId, { book: null });
  expect(await tiesOf('book', 'notes', b.id)).toEqual([]);
});

test("a column of the own row, to a row that is no other one's", async () => {
  const leaf = await make('leaf');
  const [a, b] = [await make('note', { leaf: leaf.documentId }), await make('note', { leaf: leaf.documentId })];
  expect(await tiesOf('note', 'leaf', a.id)).toEqual([]);
  expect(await tiesOf('note', 'leaf', b.id)).toEqual([{ target: leaf.id, uid: 'api::leaf.leaf' }]);
  expect(await tiesOf('leaf', 'note', leaf.id)).toEqual([{ target: b.id, uid: 'api::note.note' }]);
  await update('leaf', leaf.documentId, { note: a.documentId });
  expect(await tiesOf('note', 'leaf', a.id)).toEqual([{ target: leaf.id, uid: 'api::leaf.leaf' }]);
  expect(await tiesOf('note', 'leaf', b.id)).toEqual([]);
});

test('what one row holds is handed over to another, from columns of either', async () => {
  const book = await make('book');
  const [from, to] = [await make('note', { book: book.documentId }), await make('note')];
  const [one, other] = [await make('book', { notes: [from.documentId] }), await make('book')];
  const handOver = (type: string, name: string, change: { from: number; to: number }): Promise<void> =>
    app.store.transaction(async (transaction) => {
      const content = app.registry.get(idOf(type));
      await transaction.handOver(content, [content.nested.get(name) as Nested], change);
    });
  await handOver('book', 'notes', { from: one.id, to: other.id });
  expect(await tiesOf('book', 'notes', one.id)).toEqual([]);
  expect(await tiesOf('book', 'notes', other.id)).toEqual([{ target: from.id, uid: 'api::note.note' }]);
  await handOver('note', 'book', { from: from.id, to: to.id });
  expect(await tiesOf('note', 'book', from.id)).toEqual([]);
  expect(await tiesOf('note', 'book', to.id)).toEqual([{ target: other.id, uid: 'api::book.book' }]);
});

test('rows that two others exchange', async () => {
  const [a, b] = [await make('book'), await make('book')];
  const [one, two] = [await make('note', { book: a.documentId }), await make('note', { book: b.documentId })];
  const type = app.registry.get('api::book.book');
  const notes = type.nested.get('notes') as Nested;
  const target = ({ id }: { id: number }) => ({ target: id, uid: 'api::note.note' });
  await app.store.transaction(async (transaction) =>
    transaction.tie(type, notes, [
      { owner: a.id, targets: [target(two)] },
      { owner: b.id, targets: [target(one)] },
    ]),
  );
  expect(await tiesOf('book', 'notes', a.id)).toEqual([target(two)]);
  expect(await tiesOf('book', 'notes', b.id)).toEqual([target(one)]);
});

test('a link to one row of any type', async () => {
  const [book, label] = [await make('book'), await make('label')];
  const note = await make('note', { about: { __type: 'api::label.label', documentId: label.documentId } });
  expect(await tiesOf('note', 'about', note.id)).toEqual([{ target: label.id, uid: 'api::label.label' }]);
  await update('note', note.documentId, { about: { __type: 'api::book.book', id: book.id } });
  expect(await tiesOf('note', 'about', note.id)).toEqual([{ target: book.id, uid: 'api::book.book' }]);
  expect(await tiesOf('book', 'remark', book.id)).toEqual([{ target: note.id, uid: 'api::note.note' }]);
  await update('book', book.documentId, { remark: null });
  expect(await tiesOf('note', 'about', note.id)).toEqual([]);
});

test('links to rows of several types, in order', async () => {
  const [book, note] = [await make('book'), await make('note')];
  const on = [
    { __type: 'api::note.note', documentId: note.documentId },
    { __type: 'api::book.book', documentId: book.documentId },
  ];
  const label = await make('label', { on });
  const both = [
    { target: note.id, uid: 'api::note.note' },
    { target: book.id, uid: 'api::book.book' },
  ];
  expect(await tiesOf('label', 'on', label.id)).toEqual(both);
  await update('label', label.documentId, { on: [...on].reverse() });
  expect(await tiesOf('label', 'on', label.id)).toEqual([...both].reverse());
});

test('the other side of a link to any type', async () => {
  const [a, b] = [await make('label'), await make('label')];
  const book = await make('book', { labels: [b.documentId, a.documentId] });
  const uid = 'api::label.label';
  expect(await tiesOf('book', 'labels', book.id)).toEqual([
    { target: b.id, uid },
    { target: a.id, uid },
  ]);
  await app.documents.of(idOf('book')).delete(book.documentId);
  expect(await tiesOf('label', 'on', a.id)).toEqual([]);
});
