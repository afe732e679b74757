import { blocks } from './blocks';

const check = (value: unknown) => blocks.check({ type: 'blocks' })(value, 'body', 'complete');
const text = (content = 'a') => ({ type: 'text', text: content });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });
const link = (url: unknown) => ({ type: 'link', url, children: [text()] });

const sound = [
  paragraph(text(), { type: 'text', text: 'b', bold: true, italic: false }, link('https://x.org')),
  { type: 'heading', level: 2, children: [text()] },
  { type: 'quote', children: [text()] },
  { type: 'code', children: [text()], language: 'js' },
  {
    type: 'list',
    format: 'ordered',
    children: [
      { type: 'list-item', children: [text()] },
      { type: 'list', format: 'unordered', children: [{ type: 'list-item', children: [text()] }] },
    ],
  },
];

test('sound blocks are kept with all their keys, also when they come as text', () => {
  const kept = { value: JSON.stringify(sound) };
  expect(check(sound)).toEqual(kept);
  expect(check(JSON.stringify(sound))).toEqual(kept);
  expect(check([])).toEqual({ value: '[]' });
});

test('blocks that stand inside each other too deep are refused, also where a text spells some of them', () => {
  const spelt = (levels: number) => {
    const [start, end] = ['{"type":"list","format":"ordered","children":[', ']}'];
    const children = `[${start.repeat(levels)}${JSON.stringify(sound[4]!)}${end.repeat(levels)}]`;
    return [{ type: 'list', format: 'ordered', children }];
  };
  expect(check(spelt(100))).toEqual({ value: expect.any(String) });
  for (const levels of [600, 20_000])
    expect(check(spelt(levels))).toEqual({ refusals: [{ message: 'body has too many levels', at: [] }] });
});

test.each([[''], ['x'], [5], [{}], ['{"a":1}'], [true]])('%j is no list of blocks and becomes null', (value) => {
  expect(check(value)).toEqual({ value: null });
});

test.each([
  [5, ['0']],
  [{}, ['0']],
  [{ type: 'x' }, ['0']],
  [{ type: 'constructor' }, ['0']],
  [[paragraph(text())], ['0']],
])('%j is no block', (node, at) => {
  expect(check([node])).toEqual({ refusals: [{ message: 'Block node is of invalid type', at, value: node }] });
});

test('the place of a wrong block is told', () => {
  expect(check([paragraph(text()), 'x'])).toEqual({
    refusals: [{ message: 'Block node is of invalid type', at: ['1'], value: 'x' }],
  });
});

test.each([
  [{ type: 'paragraph' }, 'body[0].children is a required field', ['0', 'children']],
  [paragraph(), 'Paragraph node children must have at least one Text or Link node', ['0', 'children']],
  [
    { type: 'paragraph', children: 'x' },
    'body[0].children must be a `array` type, but the final value was: `null` (cast from the value `"x"`).',
    ['0', 'children'],
  ],
  [paragraph({ text: 'a' }), 'Inline node must be Text or Link', ['0', 'children', '0']],
  [
    paragraph({ type: 'text', text: null }),
    'body[0].children[0].text must be a `string` type, but the final value was: `null`.',
    ['0', 'children', '0', 'text'],
  ],
  [
    paragraph({ type: 'text', text: 'a', bold: 'yes' }),
    'body[0].children[0].bold must be a `boolean` type, but the final value was: `"yes"`.',
    ['0', 'children', '0', 'bold'],
  ],
  [{ type: 'heading', children: [text()] }, 'body[0].level is a required field', ['0', 'level']],
  [
    { type: 'heading', level: 7, children: [text()] },
    'body[0].level must be one of the following values: 1, 2, 3, 4, 5, 6',
    ['0', 'level'],
  ],
  [
    { type: 'list', format: 'x', children: [{ type: 'list-item', children: [text()] }] },
    'body[0].format must be one of the following values: ordered, unordered',
    ['0', 'format'],
  ],
  [
    { type: 'list', format: 'ordered', children: [] },
    'List node children must have at least one ListItem or ListNode',
    ['0', 'children'],
  ],
  [paragraph(link('bad url')), 'Please specify a valid link.', ['0', 'children', '0', 'url']],
  [paragraph(link(undefined)), 'Please specify a valid link.', ['0', 'children', '0', 'url']],
])('%j: %s', (node, message, at) => {
  expect(check([node])).toEqual({ refusals: [expect.objectContaining({ message, at })] });
});

test.each([
  [paragraph({ type: 'text', text: 5 }), { children: [{ text: '5', type: 'text' }], type: 'paragraph' }],
  [
    paragraph({ text: 'x', bold: 'true', type: 'text', zz: 1, italic: 0 }),
    { children: [{ italic: false, bold: true, text: 'x', type: 'text', zz: 1 }], type: 'paragraph' },
  ],
  [
    { type: 'heading', level: '2', children: [text()] },
    { children: [text()], level: 2, type: 'heading' },
  ],
  [
    { type: 'paragraph', children: JSON.stringify([text()]), own: 1 },
    { children: [text()], type: 'paragraph', own: 1 },
  ],
])('%j is read as what it spells, and known keys come first then', (node, kept) => {
  expect(check([node])).toEqual({ value: JSON.stringify([kept]) });
});

test.each([
  { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] },
  paragraph({ type: 'link', url: '/a', children: [] }),
  paragraph(link('mailto:a@x.org')),
  { type: 'code', language: null, children: [text()] },
])('%j is sound', (node) => expect(check([node])).toEqual({ value: JSON.stringify([node]) }));

test.each(['javascript://x/%0aalert(1)', 'data:text/html,x', '#a', 'x.org', ''])('"%s" is no link', (url) => {
  expect(check([paragraph(link(url))])).toMatchObject({ refusals: [{ message: 'Please specify a valid link.' }] });
});

test('a list without format is told of that only', () => {
  expect(check([{ type: 'list', children: [{ type: 'list-item', children: [] }] }])).toEqual({
    refusals: [{ message: 'body[0].format is a required field', at: ['0', 'format'] }],
  });
  expect(check([{ type: 'list', format: null, children: [] }])).toEqual({
    refusals: [
      {
        message: 'body[0].format must be a `string` type, but the final value was: `null`.',
        at: ['0', 'format'],
        value: null,
      },
      {
        message: 'body[0].format must be one of the following values: ordered, unordered',
        at: ['0', 'format'],
        value: null,
      },
      {
        message: 'List node children must have at least one ListItem or ListNode',
        at: ['0', 'children'],
        value: [],
      },
    ],
  });
});

test('a link without anything, and what is no text inside one', () => {
  const messages = (node: unknown) =>
    (check([node]) as { refusals: { message: string }[] }).refusals.map(({ message }) => message);
  expect(messages(paragraph({ type: 'link' }))).toEqual([
    'Please specify a valid link.',
    'body[0].children[0].children is a required field',
  ]);
  expect(messages(paragraph({ type: 'link', url: null, children: [{ type: 'link' }] }))).toEqual([
    'body[0].children[0].url must be a `string` type, but the final value was: `null`.',
    'body[0].children[0].children[0].type must be one of the following values: text',
    'Text must be defined with at least an empty string',
  ]);
});

test('an image names everything it lacks', () => {
  const { refusals } = check([{ type: 'image', children: [text('')] }]) as { refusals: { message: string }[] };
  const keys = ['name', 'url', 'width', 'height', 'hash', 'ext', 'mime', 'size', 'provider', 'createdAt', 'updatedAt'];
  expect(refusals.map(({ message }) => message)).toEqual(keys.map((key) => `body[0].image.${key} is a required field`));
});
