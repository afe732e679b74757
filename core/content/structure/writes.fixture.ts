import fc from 'fast-check';
import type { Documents } from '../documents';

// For tests: random writes to the project of `structure.fixture`, told by names, so that any store can play them.

/** A body in which `{ ref: 'a' }` stands for the id of the document of that name. */
export type Told = unknown;

export interface Step {
  readonly action: 'create' | 'update' | 'delete';
  readonly type: string;
  readonly name: string;
  readonly data: Record<string, Told>;
}

const names: Readonly<Record<string, readonly string[]>> = {
  item: ['a', 'b', 'c', 'd'],
  owner: ['o', 'p'],
  passport: ['x', 'y'],
  tag: ['r', 's', 't', 'u'],
};

const ref = (type: string) => fc.constantFrom(...names[type]!).map((name) => ({ type, ref: name }));

const toMany = (type: string): fc.Arbitrary<Told> => {
  const list = fc.uniqueArray(ref(type), { maxLength: 4, selector: (each) => each.ref });
  const placed = fc.record(
    {
      document: ref(type),
      position: fc.oneof(
        fc.constant({ start: true }),
        fc.constant({ end: true }),
        fc.record({ before: ref(type) }),
        fc.record({ after: ref(type) }),
      ),
    },
    { requiredKeys: ['document'] },
  );
  const connect = fc
    .uniqueArray(placed, { maxLength: 3, selector: (each) => each.document.ref })
    .map((items) => items.map(({ document, position }) => ({ documentId: document, ...(position && { position }) })));
  return fc.oneof(
    list,
    fc.constant(null),
    fc.record({ set: list }),
    fc.record({ connect, disconnect: list }, { requiredKeys: [] }),
  );
};

const toOne = (type: string): fc.Arbitrary<Told> =>
  fc.oneof(ref(type), fc.constant(null), fc.record({ connect: ref(type) }), fc.record({ disconnect: ref(type) }));

const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const text = fc.constantFrom('1', '2', '3');
const page = fc
  .tuple(fc.record({ text }), some({ size: fc.nat(9), by: toOne('owner'), tags: toMany('tag') }))
  .map(([required, rest]) => ({ ...required, ...rest }));
const cover = fc
  .tuple(fc.record({ title: text }), some({ pages: fc.array(page, { maxLength: 2 }) }))
  .map(([required, rest]) => ({ ...required, ...rest }));
const entry = fc.oneof(
  page.map((part) => ({ __component: 'part.page', ...part })),
  cover.map((part) => ({ __component: 'part.cover', ...part })),
);

const bodies: Readonly<Record<string, fc.Arbitrary<Record<string, Told>>>> = {
  item: some({
    owner: toOne('owner'),
    passport: toOne('passport'),
    tags: toMany('tag'),
    marks: toMany('tag'),
    lead: toOne('owner'),
    next: toMany('item'),
    previous: toMany('item'),
    parent: toOne('item'),
    children: toMany('item'),
    cover: fc.oneof(cover, fc.constant(null)),
    pages: fc.array(page, { maxLength: 3 }),
    zone: fc.array(entry, { maxLength: 3 }),
  }),
  owner: some({ items: toMany('item') }),
  passport: some({ item: toOne('item') }),
  tag: some({ items: toMany('item') }),
};

const stepOn = (type: string): fc.Arbitrary<Step> =>
  fc.record({
    action: fc.constantFrom<Step['action'][]>('update', 'update', 'update', 'update', 'create', 'delete'),
    type: fc.constant(type),
    name: fc.constantFrom(...names[type]!),
    data: bodies[type]!,
  });

export const steps = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof({ weight: 4, arbitrary: stepOn('item') }, stepOn('owner'), stepOn('passport'), stepOn('tag')), {
    minLength: 1,
    maxLength: most,
  });

/** Plays steps on documents; what they answer is whether each was accepted. */
export function player(documents: Documents) {
  const ids = new Map<string, string>();
  const of = (type: string) => documents.of(`api::${type}.${type}`);

  function told(value: Told): unknown {
    if (Array.isArray(value)) return value.map(told);
    if (typeof value !== 'object' || value === null) return value;
    const { type, ref: name } = value as { type?: string; ref?: string };
    if (name !== undefined) return ids.get(`${type} ${name}`) ?? 'nothing';
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, told(inner)]));
  }

  async function create(type: string, name: string, data: Record<string, unknown>): Promise<void> {
    const { documentId } = await of(type).create({ ...data, name });
    ids.set(`${type} ${name}`, String(documentId));
  }

  return {
    ids,
    /** Makes all documents, not linked yet. */
    async start(): Promise<void> {
      for (const [type, all] of Object.entries(names)) for (const name of all) await create(type, name, {});
    },
    async play({ action, type, name, data }: Step): Promise<string> {
      const key = `${type} ${name}`;
      const id = ids.get(key);
      try {
        if (action === 'delete' && id !== undefined) {
          await of(type).delete(id);
          ids.delete(key);
        } else if (id === undefined) await create(type, name, told(data) as Record<string, unknown>);
        else await of(type).update(id, told(data) as Record<string, unknown>);
        return 'done';
      } catch (error) {
        const { status, message } = error as { status?: number; message: string };
        if (status !== 400) throw error;
        return message.replace(/"[^"]*"|\d+/g, '_');
      }
    },
  };
}
