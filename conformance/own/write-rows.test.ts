import type { Attribute, ContentType, Schemas } from './schemas';
import { writeRow } from './write-rows';

const components = new Map([['parts.size', { width: { type: 'integer', required: true, min: 3 } }]]);
const schemas: Schemas = { types: [], components };
const type = (attributes: Record<string, Attribute>): ContentType => ({
  name: 'book',
  isSingle: false,
  path: '/api/books',
  hasDrafts: false,
  isLocalized: false,
  attributes,
});
const title = { type: 'string', required: true };

test('values keep to the bounds that attributes set', () => {
  const { steps } = writeRow(
    type({
      title: { ...title, minLength: 20, maxLength: 30 },
      pages: { type: 'integer', min: 10 },
      size: { type: 'component', component: 'parts.size', required: true, repeatable: true },
      code: { type: 'string', regex: '^[A-Z]$' },
      pin: { type: 'password', required: true },
      note: { type: 'text', private: true },
    }),
    schemas,
  );
  const data = { title: '{{row}}xxx', pages: 10, size: [{ width: 3 }], pin: '{{row}}', note: '{{row}}' };
  expect(steps[0]?.request.body).toEqual({ data });
  expect(JSON.stringify(steps[0]?.expect.body)).toContain(
    '{"$partial":{"title":{"$is":"{{row}}xxx"},"pages":{"$is":10}}}',
  );
  expect(steps[2]?.request.body).toEqual({ data: { title: '{{row}}xxxb' } });
});

test.each<[name: string, attributes: Record<string, Attribute>, reason: string]>([
  ['a required file', { title, cover: { type: 'media', required: true } }, 'cover is required'],
  ['a required form', { title: { ...title, regex: '^a$' } }, 'title is required'],
  ['a required text without room', { title: { ...title, maxLength: 20 } }, 'title is required'],
  [
    'a component that is not there',
    { size: { type: 'component', component: 'a.b', required: true } },
    'a.b is not known',
  ],
  ['no text', { pages: { type: 'integer' } }, 'no attribute takes a text'],
])('a type with %s is not written, and says why', (_, attributes, reason) => {
  expect(writeRow(type(attributes), schemas)).toMatchObject({ steps: [], skip: expect.stringContaining(reason) });
});
