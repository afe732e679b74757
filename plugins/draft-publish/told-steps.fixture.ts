import fc from 'fast-check';
import { documentShapes, type Link, partShapes, type Shape } from './linked-project.fixture';

// For tests: random operations on the linked project, told by names, for an application and for a model of it.

export interface Target {
  readonly name: string;
  /** Obeyed where only the target has locales. */
  readonly locale: string | undefined;
}

export type Position = { readonly at: 'start' | 'end' } | { readonly at: 'before' | 'after'; readonly anchor: Target };

export type Change =
  | { readonly set: readonly Target[] }
  | {
      readonly connect: readonly { readonly target: Target; readonly position: Position }[];
      readonly disconnect: readonly Target[];
    };

export interface ToldNode {
  readonly values: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, Change>>;
  readonly parts: Readonly<Record<string, readonly ToldPart[]>>;
}

export interface ToldPart extends ToldNode {
  readonly uid: string;
}

export interface Write {
  readonly does: 'write';
  readonly type: string;
  readonly name: string;
  readonly locale: string;
  /** Only the draft is written. */
  readonly draft: boolean;
  readonly body: ToldNode;
}

export interface VersionChange {
  readonly does: 'publish' | 'unpublish' | 'discardDraft' | 'delete';
  readonly type: string;
  readonly name: string;
  readonly locale: string;
}

export type Step = Write | VersionChange;

export const locales = ['en', 'fr', 'de'];
const names = {
  paper: ['p', 'q', 'r'],
  note: ['n', 'o'],
  topic: ['s', 't', 'u'],
  label: ['k', 'l'],
  person: ['x', 'y'],
} as const;

const nameOf = (type: string) => fc.constantFrom(...names[type as keyof typeof names]);
/** Mostly the same two, so that things meet. */
const localeOf = (type: string) =>
  documentShapes[type]!.isLocalized ? fc.constantFrom('en', 'en', 'fr', 'fr', 'de') : fc.constant('-');

const targetOf = ({ to }: Link): fc.Arbitrary<Target> =>
  fc.record({ name: nameOf(to), locale: fc.constantFrom(undefined, undefined, 'en', 'fr') });
const key = ({ name, locale }: Target): string => `${name} ${locale}`;

function changeOf(link: Link): fc.Arbitrary<Change> {
  const target = targetOf(link);
  if (!link.many) return fc.array(target, { maxLength: 1 }).map((set) => ({ set }));
  const list = fc.uniqueArray(target, { maxLength: 3, selector: key });
  const position = fc.oneof(
    fc.constant<Position>({ at: 'end' }),
    fc.constant<Position>({ at: 'start' }),
    fc.record({ at: fc.constantFrom('before' as const, 'after' as const), anchor: target }),
  );
  const connect = fc.uniqueArray(fc.record({ target, position }), {
    minLength: 1,
    maxLength: 2,
    selector: (placed) => key(placed.target),
  });
  return fc.oneof(
    list.map((set) => ({ set })),
    fc.record({ connect, disconnect: fc.constant<Target[]>([]) }),
    fc.record({ connect: fc.constant([]), disconnect: fc.array(target, { minLength: 1, maxLength: 2 }) }),
  );
}

const text = fc.constantFrom('1', '2');

function nodeOf({ links, parts }: Shape, values: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<ToldNode> {
  const linked = Object.fromEntries(Object.entries(links).map(([name, link]) => [name, changeOf(link)]));
  const held = Object.fromEntries(
    Object.entries(parts).map(([name, { many, uids }]) => [
      name,
      fc.array(fc.constantFrom(...uids).chain(partOf), { maxLength: many ? 2 : 1 }),
    ]),
  );
  return fc.record({
    values,
    links: fc.record(linked, { requiredKeys: [] }),
    parts: fc.record(held, { requiredKeys: [] }),
  }) as fc.Arbitrary<ToldNode>;
}

const partOf = (uid: string): fc.Arbitrary<ToldPart> =>
  nodeOf(partShapes[uid]!, fc.record({ text })).map((node) => ({ uid, ...node }));

const valuesOf = fc.record(
  { title: fc.constantFrom('a', 'a', 'b', 'b', null), code: fc.constantFrom('x', 'y', null) },
  { requiredKeys: [] },
);

const writeOf = (type: string, shape: Shape): fc.Arbitrary<Step> =>
  fc.record({
    does: fc.constant('write' as const),
    type: fc.constant(type),
    name: nameOf(type),
    locale: localeOf(type),
    draft: fc.boolean(),
    body: nodeOf(shape, valuesOf),
  });

const changeOfVersion = (type: string): fc.Arbitrary<Step> =>
  fc.record({
    does: documentShapes[type]!.hasDrafts
      ? fc.constantFrom(
          'publish' as const,
          'publish' as const,
          'unpublish' as const,
          'discardDraft' as const,
          'delete' as const,
        )
      : fc.constant('delete' as const),
    type: fc.constant(type),
    name: nameOf(type),
    locale: localeOf(type),
  });

const stepOf = (type: string, shape: Shape = documentShapes[type]!): fc.Arbitrary<Step> =>
  fc.oneof({ weight: 3, arbitrary: writeOf(type, shape) }, { weight: 2, arbitrary: changeOfVersion(type) });

const types = fc.constantFrom('paper', 'paper', 'paper', 'note', 'note', 'topic', 'topic', 'label', 'person');

/** All documents with a title, so that a sequence meets something from its first step. */
const beginning: readonly Step[] = Object.entries(names).flatMap(([type, own]) =>
  own.flatMap((name, at) =>
    (documentShapes[type]!.isLocalized ? ['en', 'fr'] : ['-']).slice(0, at + 1).map(
      (locale): Step => ({
        does: 'write',
        type,
        name,
        locale,
        draft: at > 0,
        body: { values: { title: name }, links: {}, parts: {} },
      }),
    ),
  ),
);

export type StepSequences = fc.Arbitrary<Step[]>;

const sequencesOf = (step: fc.Arbitrary<Step>, begun = beginning): StepSequences =>
  fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }).map((steps) => [...begun, ...steps]);

export const stepSequences = sequencesOf(types.chain((type) => stepOf(type)));

const { cites, citedBy } = documentShapes['paper']!.links;

/** Of papers that cite each other and themselves, from both sides. */
export const citingSequences = sequencesOf(
  stepOf('paper', { links: { cites: cites!, citedBy: citedBy! }, parts: {} }),
  beginning.filter(({ type }) => type === 'paper'),
);
