import { inMemory, refusal } from './content.fixture';

const given = {
  text: 'x',
  kind: 'a',
  count: 1,
  share: 0.5,
  big: '5',
  open: true,
  day: '2024-01-01',
  hour: '10:00:00',
  extra: {},
  body: [],
};

const required = (type: string, more: object = {}) => ({ type, required: true, ...more });

const { documents } = inMemory({
  text: required('string'),
  kind: required('enumeration', { enum: ['a'] }),
  count: required('integer'),
  share: required('float'),
  big: required('biginteger'),
  open: required('boolean'),
  day: required('date'),
  hour: required('time'),
  extra: required('json'),
  body: required('blocks'),
});
const things = documents.of('api::thing.thing');

const nulls = Object.fromEntries(Object.keys(given).map((name) => [name, null]));

const issuesOf = ({ details }: { details?: unknown }) =>
  (details as { errors: { message: string; value?: unknown }[] }).errors.map(({ message, value }) => [message, value]);

const wrong = (name: string, type: string, shown: string) =>
  `${name} must be a \`${type}\` type, but the final value was: \`${shown}\`.`;

const told = (plain: (name: string) => string) =>
  [
    wrong('text', 'string', 'null'),
    wrong('kind', 'string', 'null'),
    wrong('count', 'number', 'NaN'),
    wrong('share', 'number', 'NaN'),
    ...['big', 'open', 'day', 'hour', 'extra'].map(plain),
    wrong('body', 'array', 'null'),
  ].map((message) => [message, null]);

test('a null for a required value is told by what it is not, when created', async () => {
  expect(issuesOf(await refusal(things.create(nulls)))).toEqual(told((name) => `${name} must be defined.`));
});

test('a null for a required value is told by what it is not, when changed', async () => {
  const { documentId } = await things.create(given);
  expect(issuesOf(await refusal(things.update(String(documentId), nulls)))).toEqual(
    told((name) => `${name} cannot be null.`),
  );
});

test('a required list of blocks is a list', async () => {
  expect(issuesOf(await refusal(things.create({ ...given, body: '' })))).toEqual([
    ['body must be a `array` type, but the final value was: `null` (cast from the value `""`).', null],
  ]);
  expect(await things.create({ ...given, body: '[]' })).toMatchObject({ body: [] });
});
