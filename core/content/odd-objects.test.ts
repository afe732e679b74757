import { HeddleError } from '../errors';
import { inMemory } from './content.fixture';
import { linkedInMemory } from './structure/in-memory.fixture';

// Objects of which JavaScript can make no text.

const odd = { toString: 1 };

const kinds = ['string', 'richtext', 'uid', 'email', 'integer', 'biginteger', 'decimal', 'float'];
const others = ['boolean', 'date', 'time', 'datetime', 'timestamp', 'password'];

const { documents } = inMemory({
  ...Object.fromEntries([...kinds, ...others, 'blocks'].map((type) => [type, { type }])),
  enumeration: { type: 'enumeration', enum: ['a'] },
});
const linked = linkedInMemory().documents;

const blocks = [
  [odd],
  [[odd]],
  [{ type: 'heading', level: odd, children: [{ type: 'text', text: odd, bold: odd }] }],
  [{ type: 'paragraph', children: [{ type: 'link', url: odd, children: [{ type: 'text', text: 'a' }] }] }],
];

test.each([
  ...[...kinds, ...others, 'enumeration'].flatMap((name) =>
    [odd, [odd], [[odd]]].map((value) => [name, value] as const),
  ),
  ...blocks.map((value) => ['blocks', value] as const),
])('%s refuses %j', async (name, value) => {
  await expect(documents.of('api::thing.thing').create({ [name]: value })).rejects.toBeInstanceOf(HeddleError);
});

test.each([
  ...['owner', 'tags'].flatMap((name) =>
    [odd, [odd], { connect: [{ documentId: odd }] }, { set: [{ id: odd }] }, { documentId: odd }].map(
      (value) => [name, value] as const,
    ),
  ),
  ['tags', { connect: [{ documentId: 'a', position: { before: odd } }] }],
  ['pages', [{ id: odd, text: odd }]],
  ['zone', [{ __component: odd }]],
] as const)('%s refuses %j', async (name, value) => {
  await expect(linked.of('api::item.item').create({ name: 'a', [name]: value })).rejects.toBeInstanceOf(HeddleError);
});
