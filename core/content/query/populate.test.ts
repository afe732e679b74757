import type { HeddleError } from '../../errors';
import { operationOn } from '../content.fixture';
import type { Populated } from '../plan';
import { linkedInMemory } from '../structure/in-memory.fixture';
import { compileRead } from './compile';

const { registry } = linkedInMemory();
const type = registry.get('api::item.item');

const populated = (populate: unknown): readonly Populated[] =>
  compileRead(operationOn(type, { populate }), [], { registry, sees: () => true, strays: () => [] }).populate;

/** What is populated, by name, with what is populated inside: in the order of the answer. */
const outline = (list: readonly Populated[]): string =>
  list
    .map(({ nested, show, selections }) => {
      const inner = outline(selections.flatMap(({ populate }) => populate));
      return `${nested.name}${show === 'count' ? '#' : ''}${inner && `(${inner})`}`;
    })
    .join();

const all = 'owner,passport,tags,marks,lead,next,previous,parent,children,cover,pages,zone';

test.each<[unknown, string]>([
  [undefined, ''],
  ['', ''],
  [[''], ''],
  ['*', all],
  ['tags, owner', 'tags,owner'],
  [',tags,', 'tags'],
  ['owner.', 'owner'],
  ['.owner', 'owner'],
  ['owner..items', 'owner'],
  [['tags,owner', 'lead'], 'tags,owner,lead'],
  ['owner.items,tags', 'tags,owner(items)'],
  ['owner.items,owner', 'owner(items)'],
  [['owner.items', 'owner'], 'owner'],
  [['owner', 'owner.items'], 'owner(items)'],
  ['parent.tags,parent.lead,parent.owner', 'parent(owner,lead,tags)'],
  ['zone.by,tags', 'tags,zone(by)'],
  ['zone.text', 'zone'],
  [['zone.pages', 'zone.text', 'zone.by.items'], 'zone(by(items),pages)'],
  [{ tags: 'true', owner: '1', lead: 't', next: 'false', pages: '0' }, 'tags,owner,lead'],
  [{ '0': 'owner', tags: 'true' }, 'tags'],
  [{ tags: { count: 'true' } }, 'tags#'],
  [{ owner: { populate: '*' } }, 'owner(items)'],
  [{ owner: { populate: 'items.tags' } }, 'owner(items(tags))'],
  [{ parent: { populate: { tags: 'true', owner: { populate: ['items'] } } } }, 'parent(tags,owner(items))'],
  [{ zone: { populate: '*' } }, 'zone(by,tags,pages)'],
  [{ zone: { on: { 'part.page': { populate: 'by' } } } }, 'zone(by)'],
  [{ fields: 'name', count: 'true' }, ''],
])('populate %j shows %s', (populate, expected) => {
  expect(outline(populated(populate))).toBe(expected);
});

const key = (name: string, path: string | null): [string, object] => [
  `Invalid key ${name}${path !== null && path !== name ? ` at ${path}` : ''}`,
  { key: name, path, source: 'query', param: 'populate' },
];
const tooMany: [string, object] = [
  'Too many populate entries (101). The maximum number of populate entries when using array notation is 100. Consider using object notation (populate[field]=true), nested population, or reducing the number of fields.',
  { source: 'query', param: 'populate' },
];
const malformed = (message: string): [string, object] => [message, {}];

test.each<[unknown, [string, object]]>([
  ['nope', key('nope', 'nope')],
  ['name', key('name', 'name')],
  ['owner.nope', key('nope', 'owner.nope')],
  ['tags,*', key('*', '*')],
  [[null], malformed('Invalid populate parameter. Expected a string, an array of strings, a populate object')],
  [Array(101).fill('tags'), tooMany],
  [{ ...Array(101).fill('tags') }, tooMany],
  [{ 7: 'tags' }, key('7', null)],
  [{ nope: 'true' }, key('nope', null)],
  [{ id: 'true' }, key('id', null)],
  [{ name: 'false' }, key('name', 'name')],
  [{ on: 'true' }, key('on', 'on')],
  [{ owner: 'x' }, key('x', 'owner')],
  [{ owner: '' }, key('', 'owner')],
  [{ owner: 'name' }, key('name', 'owner.name')],
  [{ owner: null }, malformed("Invalid nested populate. Expected '*' or an object")],
  [{ owner: ['true'] }, malformed("Invalid nested populate. Expected '*' or an object")],
  [{ owner: '*' }, ['Invalid key items at owner.items', { key: 'items', path: 'owner.items' }]],
  [{ owner: { limit: '1' } }, key('limit', 'owner')],
  [{ owner: { items: 'true' } }, key('items', 'owner.items')],
  [{ owner: { count: 'x' } }, key('count', 'owner')],
  [{ owner: { on: 'x' } }, key('on', 'owner.on')],
  [
    { owner: { on: { 'part.page': 'true' } } },
    malformed('Using fragments is not permitted to populate "owner" in "api::item.item"'),
  ],
  [{ owner: { fields: 'nope', bad: '1' } }, key('nope', null)],
  [{ owner: { bad: '1', fields: 'nope' } }, key('bad', 'owner')],
  [{ owner: { filters: 'x', fields: 'nope' } }, key('nope', null)],
  [
    { owner: { filters: 'x', sort: 'name:up' } },
    malformed('Invalid order. order can only be one of asc|desc|ASC|DESC'),
  ],
  [{ owner: { filters: { items: { nope: '1' } } } }, key('nope', 'items')],
  [{ owner: { sort: 'items.name' } }, malformed("owner can't be sorted by what is inside something else.")],
  [{ owner: { populate: 'items,x' } }, key('items,x', 'owner')],
  [{ owner: { populate: 'nope' } }, key('nope', 'nope')],
  [{ owner: { populate: { nope: 'true' } } }, key('nope', 'owner')],
  [{ zone: { populate: 'by' } }, key('populate', 'zone')],
  [{ zone: { on: 'x' } }, key('on', 'zone.on')],
  [{ zone: { on: { nope: 'true' } } }, key('nope', 'zone.on.nope')],
  [['owner.items.nope', 'owner.items'], key('nope', 'owner.items.nope')],
  [['tags.nope', 'other'], key('nope', 'tags.nope')],
  ['owner.nope,owner.other', key('nope', 'owner.nope')],
  ['zone.by.nope', key('by', 'zone.by')],
  ['zone.text.nope', key('text', 'zone.text')],
  ['zone.text,zone.nope', key('nope', 'zone.nope')],
  [{ zone: { on: { 'part.page': { on: { x: '1' } } } } }, key('x', 'zone.on[part.page].on.x')],
  [
    { zone: { fields: 'text' } },
    malformed(
      'Invalid nested populate for item.zone (api::item.item). Expected a fragment ("on") or "count" but found {"fields":"text"}',
    ),
  ],
])('populate %j is refused', (populate, [message, details]) => {
  let refused: HeddleError | undefined;
  try {
    populated(populate);
  } catch (error) {
    refused = error as HeddleError;
  }
  expect({ name: refused?.name, message: refused?.message, details: refused?.details }).toEqual({
    name: 'ValidationError',
    message,
    details,
  });
});

test('what is sorted by inside is shown first, and nothing of a type that the caller may not see', () => {
  const [tags] = populated({ tags: { sort: 'name:desc', fields: 'id' } });
  expect(tags!.selections[0]!.select.map(({ name }) => name)).toEqual(['name', 'id', 'documentId']);
  const blind = { registry, sees: (uid: string) => uid !== 'api::owner.owner', strays: () => [] };
  const { populate } = compileRead(operationOn(type, { populate: '*' }), [], blind);
  expect(outline(populate)).toBe(all.replace('owner,', '').replace('lead,', ''));
});
