import type { Answer, Target, WireRequest } from '../targets/target';
import type { Json, Row, Step } from './row';
import { run } from './run';

const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
});

/** Lists what it was given, whoever's it is, beside users and roles of others. */
function service(answers: (request: WireRequest) => Json | Promise<never>, listing = 200) {
  const deleted: string[] = [];
  let given = '';
  const send = async (request: WireRequest): Promise<Answer> => {
    const { method, path, body } = request;
    if (method === 'POST') {
      given += String(body);
      return json(await answers(request));
    }
    if (method === 'DELETE') deleted.push(path);
    const theirs = [
      { id: 1, name: 'zebra', description: 'theirs' },
      { id: 2, username: 'somebody' },
    ];
    const ours = { id: 7, name: null, description: given };
    if (path.startsWith('/api/tags')) return json({ data: [{ documentId: 'd', label: given }, { documentId: 'e' }] });
    return json(
      path.includes('roles') ? { roles: [...theirs, ours] } : [...theirs, { id: 8, username: given }],
      listing,
    );
  };
  const target: Target = { name: 'fake', features: new Set(['rest'] as const), token: 't', exclusive: true, send };
  return { deleted, target };
}

const post = (path: string, body: Json): Step => ({ request: { method: 'POST', path, body }, expect: { status: 200 } });
const rowOf = (...steps: Step[]): Row => ({
  ...{ id: 'a', title: 'a', area: 'Area', level: 'MUST', rules: ['spec.a'] },
  ...{ source: 'specification', needs: ['rest'], steps },
});

const roles = '/api/users-permissions/roles';
const mutation = (text: string): Step => post('/graphql', { query: `mutation { ${text} }` });
const user = { data: { documentId: 'd', username: 'u' } };

test.each<[name: string, step: Step, answer: Json, deleted: string[]]>([
  ['a role', post(roles, { name: '{{row}}' }), { ok: true }, [`${roles}/7`]],
  ['a role without a name', post(roles, { description: 'of {{row}}' }), { ok: true }, [`${roles}/7`]],
  [
    'a role over GraphQL',
    mutation('made: createUsersPermissionsRole(data: { name: "{{row}}" }) { ok }'),
    { data: { made: { ok: true } } },
    [`${roles}/7`],
  ],
  [
    'a user over GraphQL',
    mutation('createUsersPermissionsUser(data: { username: "{{row}}" }) { data { documentId username } }'),
    { data: { createUsersPermissionsUser: user } },
    ['/api/users/8'],
  ],
  [
    'who registered and was not asked for a number',
    mutation('register(input: { username: "{{row}}" }) { jwt }'),
    { data: { register: { jwt: 'j' } } },
    ['/api/users/8'],
  ],
  [
    'nothing, where a mutation was refused',
    mutation('createUsersPermissionsRole(data: { name: "{{row}}" }) { ok }'),
    { data: { createUsersPermissionsRole: null } },
    [],
  ],
])('what is made is found by the mark and goes, and nothing else: %s', async (_, step, answer, deleted) => {
  const { target, deleted: gone } = service(() => answer);
  const { leftovers } = await run({ rows: [rowOf(step)], scenes: {}, target });
  expect(gone).toEqual(deleted);
  expect(leftovers).toEqual([]);
});

test.each<[name: string, step: Step, deleted: string[]]>([
  ['a user', post('/api/auth/local/register', { username: '{{row}}' }), ['/api/users/8']],
  ['a user as one makes others', post('/api/users', { username: '{{row}}' }), ['/api/users/8']],
  ['a role', post(roles, { name: '{{row}}' }), [`${roles}/7`]],
  ['a user over GraphQL', mutation('register(input: { username: "{{row}}" }) { jwt }'), ['/api/users/8']],
  ['a role over GraphQL', mutation('createUsersPermissionsRole(data: { name: "{{row}}" }) { ok }'), [`${roles}/7`]],
  ['a document over GraphQL', mutation('createTag(data: { label: "{{row}}" }) { documentId }'), ['/api/tags/d']],
])('what is made by a request without an answer goes, and nothing else: %s', async (_, step, deleted) => {
  const { target, deleted: gone } = service(() => new Promise(() => undefined));
  const { leftovers } = await run({ rows: [rowOf(step)], scenes: {}, target, timeout: 20 });
  expect(gone).toEqual(deleted);
  expect(leftovers).toEqual([]);
});

test('users go before the roles that they have', async () => {
  const { target, deleted } = service(
    ({ path }): Json => (path === roles ? { ok: true } : { data: { createUsersPermissionsUser: user } }),
  );
  const made = mutation('createUsersPermissionsUser(data: { username: "{{row}}" }) { data { username } }');
  await run({ rows: [rowOf(made, post(roles, { name: '{{row}}' }))], scenes: {}, target });
  expect(deleted).toEqual(['/api/users/8', `${roles}/7`]);
});

test('a role that is called as those of others begin is reported, and nobody’s is deleted', async () => {
  const { target, deleted } = service(() => ({ ok: true }));
  const { leftovers } = await run({ rows: [rowOf(post(roles, { name: 'z' }))], scenes: {}, target });
  expect(deleted).toEqual([]);
  expect(leftovers).toEqual([`POST ${roles} made something that can not be told from what others made`]);
});

test('what can not be looked for is reported', async () => {
  const { target } = service(() => ({ ok: true }), 403);
  const { leftovers } = await run({ rows: [rowOf(post(roles, { name: '{{row}}' }))], scenes: {}, target });
  expect(leftovers).toEqual([`GET ${roles} answered 403, so that what was made there could not be found`]);
});
