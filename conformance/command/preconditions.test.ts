import type { Row, Step } from '../runner/row';
import { httpTarget } from '../targets/http';
import { reach, refuseUnfit } from './preconditions';
import { settingsOf } from './settings';

const asNobody = (path: string, status: number, body?: Step['request']['body']): Step => ({
  request: { method: 'POST', path, body, as: 'public' },
  expect: { status },
});
const mutation = (query: string): Step => asNobody('/graphql', 200, { query: `mutation { ${query} { jwt } }` });

/** What is wrong with a target of which no token is known, and that answers nothing. */
async function complaint(step: Step): Promise<string> {
  const settings = settingsOf({ url: 'http://127.0.0.1:1' }, {});
  const row: Row = {
    ...{ id: 'a', title: 'a', area: 'Area', level: 'MUST', rules: ['spec.a'] },
    ...{ source: 'specification', needs: ['rest'], steps: [step] },
  };
  const suite = { target: httpTarget(settings), rows: [row] };
  const refusal: unknown = await refuseUnfit({}, settings, { scenes: {} }, suite).catch((error: unknown) => error);
  return refusal instanceof Error ? refusal.message : 'none';
}

test.each<[name: string, step: Step]>([
  ['registers', asNobody('/api/auth/local/register', 200)],
  ['registers by a mutation', mutation('me: register(input: {})')],
  ['makes a document', asNobody('/api/nothings', 201)],
])('a row that %s without a token needs one to take away what it makes', async (_, step) => {
  expect(await complaint(step)).toMatch(/a needs one to take away what it makes, as others may\. Give a full-access/);
});

test.each<[name: string, step: Step]>([
  ['must not register', asNobody('/api/auth/local/register', 400)],
  ['logs in', asNobody('/api/auth/local', 200)],
  ['logs in by a mutation', mutation('login(input: {})')],
])('a row that %s without a token needs none', async (_, step) => {
  expect(await complaint(step)).toBe('none');
});

/** What is said of a target that answers every path so. */
const told = (status: number): Promise<string> => {
  const target = { ...httpTarget({ url: 'http://x' }), send: async () => ({ status, headers: {}, text: '{}' }) };
  return reach(target, 1000).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
};

test.each([200, 204, 302])('what answers every path with %d is no service', async (status) => {
  expect(await told(status)).toMatch(
    new RegExp(`^http://x is no such service: it answers GET /api/\\S+ with ${status}, .* Give the address below`),
  );
});

test.each([401, 403, 404, 429])('what answers a path that is not there with %d may be a service', async (status) => {
  expect(await told(status)).toBe('nothing');
});
