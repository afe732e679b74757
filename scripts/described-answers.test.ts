import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { load } from '../conformance/runner/load';
import type { Feature } from '../conformance/runner/row';
import { run } from '../conformance/runner/run';
import { inProcessTarget } from '../conformance/targets/in-process';
import type { Answer, Target, WireRequest } from '../conformance/targets/target';
import { type Application, createApplication } from '../core';
import { shipped } from '../plugins/shipped';

// What the rows of the specification are answered is what the description says.

const areas = [
  'Attribute options',
  'Collection types',
  'Components and dynamic zones',
  'Documents and envelope',
  'Fields',
  'Pagination',
  'Populate',
  'Single types',
  'Values of every kind',
];
const features: readonly Feature[] = ['rest', 'draft-publish', 'i18n', 'upload', 'users-permissions', 'beyond'];
const token = 'conformance-token';

type Json = Record<string, unknown>;

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, Json> }>>;
  readonly components: { readonly schemas: Record<string, Json>; readonly responses: Record<string, Json> };
}

let app: Application;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-openapi-'));
  app = await createApplication({
    appDir: join(__dirname, '..', 'conformance', 'fixtures', 'app'),
    dataDir,
    shipped,
    env: { ...process.env, NODE_ENV: 'test', CONFORMANCE_TOKEN: token },
  });
  await app.start();
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true });
});

/** The schemas of documents, closed: an attribute that is not described is a mistake. */
function closed({ components }: Described): Described['components'] {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    schema['properties'] ? { ...schema, additionalProperties: false } : schema,
  ]);
  return { ...components, schemas: Object.fromEntries(schemas) };
}

function judging(described: Described) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', components: closed(described) });
  const patterns = Object.keys(described.paths)
    .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
    .map((path) => ({ path, matches: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i') }));
  const compiled = new Map<string, ValidateFunction>();

  /** The schema for an answer; undefined for what is not described as JSON. */
  function schemaFor({ method, path }: WireRequest, status: number): ValidateFunction | undefined {
    const [bare = ''] = path.split('?');
    const found = patterns.find(({ matches }) => matches.test(bare));
    const responses = found && described.paths[found.path]?.[method.toLowerCase()]?.responses;
    if (!responses) return undefined;
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((each) => responses[each])!;
    const place = `${method} ${found.path} ${key}`;
    const given = responses[key]!;
    const named = typeof given['$ref'] === 'string' ? given['$ref'].split('/').pop()! : undefined;
    const response = (named ? described.components.responses[named] : given) as { content?: Record<string, Json> };
    const schema = response.content?.['application/json']?.['schema'];
    if (!schema) return undefined;
    if (!compiled.has(place)) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
      compiled.set(place, ajv.compile(JSON.parse(text)));
    }
    return compiled.get(place);
  }

  return { schemaFor, errors: (check: ValidateFunction) => ajv.errorsText(check.errors) };
}

test('the answers to the rows are as they are described', async () => {
  const target = inProcessTarget(app.handler, { token, features });
  const asked = await target.send(
    { method: 'GET', path: '/api/openapi.json', headers: {} },
    new AbortController().signal,
  );
  const { schemaFor, errors } = judging(JSON.parse(asked.text));
  const wrong = new Set<string>();
  let documents = 0;
  let refusals = 0;

  function judge(request: WireRequest, answer: Answer): void {
    // The form of the generation before is described nowhere.
    if (request.headers['strapi-response-format'] || !answer.headers['content-type']?.includes('json')) return;
    const check = schemaFor(request, answer.status);
    if (!check) return;
    if (answer.status < 400) documents += 1;
    else refusals += 1;
    if (!check(JSON.parse(answer.text)))
      wrong.add(`${request.method} ${request.path} ${answer.status}: ${errors(check)}`);
  }

  const judged: Target = {
    ...target,
    async send(request, signal) {
      const answer = await target.send(request, signal);
      judge(request, answer);
      return answer;
    },
  };
  const { specification } = load();
  const rows = specification.rows.filter(({ area }) => areas.includes(area));
  await run({ rows, scenes: specification.scenes, target: judged });
  expect([...wrong].slice(0, 10)).toEqual([]);
  expect(documents).toBeGreaterThan(500);
  expect(refusals).toBeGreaterThan(150);
}, 120_000);
