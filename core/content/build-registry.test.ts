import { buildRegistry } from './build-registry';
import { things } from './content.fixture';
import type { KnownKind } from './kinds/kind';
import { shippedKinds } from './kinds/shipped';

const kinds = new Map<string, KnownKind>(shippedKinds.map((kind) => [kind.name, kind]));
kinds.set('gallery', { name: 'gallery', dormant: 'plugin pictures is off' });
const color: KnownKind = { ...shippedKinds[0]!, name: 'plugin::palette.color' };
kinds.set(color.name, color);

const build = (...definitions: Parameters<typeof things>[]) =>
  buildRegistry({ definitions: definitions.map((given) => things(...given)), kinds, dimensions: [] });

test('attributes stand in the order of answers, with the kind that answers for them', () => {
  const { registry, problems } = build([{ b: { type: 'string' }, a: { type: 'integer' } }]);
  expect(problems).toEqual([]);
  const { attributes } = registry.get('api::thing.thing');
  expect([...attributes.keys()]).toEqual(['id', 'documentId', 'b', 'a', 'createdAt', 'updatedAt']);
  expect(attributes.get('a')!.kind.name).toBe('integer');
  expect(attributes.get('createdAt')).toMatchObject({ system: true, hidden: false });
});

test('what is private is hidden, however it is said', () => {
  const { registry } = build([
    { a: { type: 'string', private: true }, b: { type: 'string' }, c: { type: 'password' }, d: { type: 'string' } },
    { options: { privateAttributes: ['b', 'updatedAt'] } },
  ]);
  const hidden = [...registry.get('api::thing.thing').attributes.values()].filter(({ hidden }) => hidden);
  expect(hidden.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'updatedAt']);
});

test('attributes of a dormant kind vanish, openly', () => {
  const { registry, problems, notices } = build([{ cover: { type: 'gallery' }, name: { type: 'string' } }]);
  const type = registry.get('api::thing.thing');
  expect(problems).toEqual([]);
  expect(type.attributes.has('cover')).toBe(false);
  expect(type.dormant.get('cover')).toBe('plugin pictures is off');
  expect(notices).toEqual([
    'src/api/thing/content-types/thing/schema.json /attributes/cover is not served: plugin pictures is off',
  ]);
});

test('a custom field is of the kind that its plugin registers', () => {
  const { registry, problems } = build([{ tint: { type: 'customField', customField: 'plugin::palette.color' } }]);
  expect(problems).toEqual([]);
  expect(registry.get('api::thing.thing').attributes.get('tint')!.kind).toBe(color);
  expect(build([{ tint: { type: 'customField', customField: 'plugin::palette.colour' } }]).problems).toMatchObject([
    { at: '/attributes/tint', remedy: expect.stringContaining('Did you mean "plugin::palette.color"?') },
  ]);
});

test("options that are nearly those of the kind are named, and none that may be a plugin's or another kind's", () => {
  const { problems, notices } = build([
    {
      a: {
        type: 'string',
        requried: true,
        uniqe: true,
        maxLenght: 3,
        highlighted: true,
        enumName: 'A',
        configurable: true,
      },
      b: { type: 'plugin::palette.color', Private: true, regexp: '^#' },
      c: { type: 'gallery', requried: true },
    },
  ]);
  expect(problems).toEqual([]);
  const told = (option: string, meant: string): string =>
    `src/api/thing/content-types/thing/schema.json /attributes/${option} is without effect: no such option is known. Did you mean "${meant}"?`;
  expect(notices).toEqual([
    told('a/requried', 'required'),
    told('a/uniqe', 'unique'),
    told('a/maxLenght', 'maxLength'),
    told('b/Private', 'private'),
    told('b/regexp', 'regex'),
    expect.stringContaining('/attributes/c is not served'),
  ]);
});

test('a kind needs no options', () => {
  const plain: KnownKind = { ...shippedKinds[0]!, name: 'plain', options: undefined };
  const { problems } = buildRegistry({
    definitions: [things({ a: { type: 'plain', whatever: 1 } })],
    kinds: new Map([['plain', plain]]),
    dimensions: [],
  });
  expect(problems).toEqual([]);
});

test('components have neither identifier nor times', () => {
  const { registry } = build([
    { a: { type: 'string' }, createdAt: { type: 'string' } },
    { modelKind: 'component', uid: 'shared.seo' },
  ]);
  expect([...registry.get('shared.seo').attributes.keys()]).toEqual(['id', 'a', 'createdAt']);
  expect(registry.documents).toEqual([]);
});

test('a type is frozen', () => {
  const { registry } = build([{ a: { type: 'string' } }]);
  const type = registry.get('api::thing.thing');
  expect(() => Object.assign(type, { uid: 'other' })).toThrow(TypeError);
  expect(() => Object.assign(type.definition, { uid: 'other' })).toThrow(TypeError);
  expect(() => Object.assign(registry, { types: new Map() })).toThrow(TypeError);
  expect(() => Object.assign(type.definition.attributes, { b: { type: 'string' } })).toThrow(TypeError);
  expect(() => Object.assign(type.definition.attributes['a']!, { private: true })).toThrow(TypeError);
  expect(() => Object.assign(type.attributes.get('a')!, { hidden: true })).toThrow(TypeError);
  for (const map of [type.attributes, type.dormant, registry.types] as Map<string, unknown>[]) {
    expect(() => map.set('b', 1)).toThrow('tap content.type');
    expect(() => map.delete('a')).toThrow(TypeError);
    expect(() => map.clear()).toThrow(TypeError);
  }
});

test('a type that is not there is named', () => {
  const { registry } = build([{}]);
  expect(() => registry.get('api::thing.thingy')).toThrow(/Did you mean "api::thing.thing"\?/);
});
