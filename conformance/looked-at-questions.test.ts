import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import supertest from 'supertest';
import { type Application, CONTENT, type ContentRegistry, type ContentType } from '../core';
import { type Pair, startPair, token } from './looked-at.fixture';
import { chooser, someChoices, writeContent } from './looked-at-content.fixture';

jest.setTimeout(180_000);

// What nobody thinks of: random questions over REST, answered by way of objects and without.

const dataDir = mkdtempSync(join(tmpdir(), 'heddle-looked-at-'));
const runs = Number(process.env['QUESTIONS'] ?? 300);
let pair: Pair;
let content: ContentRegistry;
let known: Readonly<Record<string, string>>;

async function told(app: Application, path: string): Promise<{ status: number; text: string }> {
  const { status, text } = await supertest(app.handler)
    .get(path)
    .set('Authorization', `Bearer ${token}`)
    .buffer(true)
    .ok(() => true);
  return { status, text };
}

beforeAll(async () => {
  pair = await startPair(dataDir);
  content = pair.plain.kernel.services.get(CONTENT);
  known = await writeContent(pair.plain);
});
afterAll(async () => {
  await pair.close();
  rmSync(dataDir, { recursive: true });
});

const operators = [
  '$eq',
  '$ne',
  '$gt',
  '$lte',
  '$null',
  '$notNull',
  '$containsi',
  '$startsWith',
  '$in][0',
  '$notIn][0',
];
const values = ['1', 'true', 'A', 'An article', '2024-02-29', 'x'];

/** The question that these choices lead to. */
function questionOf(choices: readonly number[]): string {
  const { next, oneOf } = chooser(choices);
  const parameters: string[] = [];
  const say = (name: string, value: string): number => parameters.push(`${name}=${encodeURIComponent(value)}`);
  const visible = (type: ContentType): string[] =>
    [...type.attributes.values()].filter(({ hidden }) => !hidden).map(({ name }) => name);
  const nestedIn = (type: ContentType) => [...type.nested.values()].filter(({ hidden }) => !hidden);
  const typeAt = (uid: string): ContentType | undefined => content.types.get(uid);

  function filter(name: string, type: ContentType, depth: number): void {
    const ties = nestedIn(type).filter(({ targets }) => targets.length === 1);
    if (depth > 0 && ties.length > 0 && next(2) === 1) {
      const tie = oneOf(ties);
      const target = typeAt(tie.targets[0]!);
      if (target) filter(`${name}[${tie.name}]`, target, depth - 1);
    } else if (next(5) === 1) filter(`${name}[${oneOf(['$not', '$or][0', '$and][0'])}]`, type, depth);
    else say(`${name}[${oneOf(['id', ...visible(type)])}][${oneOf(operators)}]`, oneOf(values));
  }

  function shown(prefix: string, type: ContentType, depth: number): void {
    const at = (name: string): string => (prefix ? `${prefix}[${name}]` : name);
    if (next(3) === 1)
      for (let count = next(3); count >= 0; count--) say(`${at('fields')}[${count}]`, oneOf(visible(type)));
    if (next(4) === 1) filter(at('filters'), type, 2);
    if (next(4) === 1) say(at('sort'), `${oneOf(visible(type))}:${oneOf(['asc', 'desc'])}`);
    if (depth > 0) populate(at('populate'), type, depth - 1);
  }

  function populate(name: string, type: ContentType, depth: number): void {
    const ties = nestedIn(type);
    const form = next(5);
    if (ties.length === 0 || form === 1) return;
    if (form === 2) return void say(name, '*');
    for (let count = next(3); count >= 0; count--) {
      const { name: tie, targets, storage } = oneOf(ties);
      const target = typeAt(targets[next(targets.length || 1)] ?? '');
      if (!target || next(4) === 1) say(`${name}[${tie}]`, 'true');
      else if (storage === 'zone') shown(`${name}[${tie}][on][${target.uid}]`, target, depth);
      else shown(`${name}[${tie}]`, target, depth);
    }
  }

  const type = oneOf(content.documents.filter(({ uid }) => uid.startsWith('api::')));
  const document = known[type.singularName];
  const isOne = type.modelKind === 'singleType' || (document !== undefined && next(4) === 1);
  shown('', type, 3);
  if (next(3) === 1) say('status', oneOf(['draft', 'published']));
  if (next(4) === 1) say('locale', oneOf(['fr', 'en', '*']));
  if (!isOne && next(2) === 1)
    say(`pagination[${oneOf(['page', 'pageSize', 'start', 'limit', 'withCount'])}]`, oneOf(['1', '2', '0']));
  if (!isOne && next(8) === 1) say('pagination[cursor]', '');
  const path = type.modelKind === 'singleType' ? type.singularName : `${type.pluralName}${isOne ? `/${document}` : ''}`;
  return `/api/${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

test('random questions are answered the same', async () => {
  let good = 0;
  await fc.assert(
    fc.asyncProperty(someChoices, async (choices) => {
      const path = questionOf(choices);
      const [plain, looking] = [await told(pair.plain, path), await told(pair.looking, path)];
      if (plain.status === 200) good += 1;
      expect({ path, ...looking }).toEqual({ path, ...plain });
    }),
    { numRuns: runs },
  );
  // Most would say nothing if they were refused.
  expect(good).toBeGreaterThan(runs / 3);
  expect(pair.looks()).toBeGreaterThan(runs / 3);
});
