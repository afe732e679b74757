import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintReport, lintSpec } from './lint';
import { specFolder } from './load';

test('the specification, its catalogue and its rows are sound', () => {
  expect(lintSpec().problems).toEqual([]);
});

test('the report counts what is open per issue', () => {
  expect(lintReport({ problems: ['bad'], open: { 3: ['spec.a', 'spec.b'] } })).toBe(
    '! bad\nissue 3: 2 open: spec.a, spec.b\n1 problems\n',
  );
});

// biome-ignore lint/suspicious/noExplicitAny: the point is to break files that have a type
type Loose = any;
type Breakage = [name: string, file: string, change: (content: Loose) => void, problem: RegExp];

const rest = (method: string, path: string, body?: object) => ({ method, path, body });
const graphql = (query: string) => rest('POST', '/graphql', { query: `mutation { ${query} }` });
const foundRole = { everyone: 'role.id' };

/** What may succeed where it must not, and would then hit what others made. */
const harms = (
  [
    ['a whole list', rest('DELETE', '/api/products'), /DELETE \/api\/products, which is about all/],
    [
      'a list by a query',
      { ...rest('PUT', '/api/products'), query: { 'filters[sku]': '{{row}}' } },
      /PUT \/api\/products, which is about all/,
    ],
    ['all files', rest('DELETE', '/api/upload/files?id={{row}}'), /which is about all/],
    ['the number of a file', rest('DELETE', '/api/upload/files/1'), /at 1, which may be somebody else's/],
    ['numbers in a query', { ...rest('POST', '/api/upload'), query: { 'id[0]': '1' } }, /at 1, which may be/],
    [
      'a document that gets a file',
      { ...rest('POST', '/api/upload'), form: [{ name: 'refId', text: '1 or 1' }] },
      /at 1, which/,
    ],
    ['the number of a role', graphql('deleteUsersPermissionsRole(id: 1) { ok }'), /somebody else's/],
    [
      "the beginning of others' names",
      rest('POST', '/api/users-permissions/roles', { name: 'z' }),
      /a role called "z"/,
    ],
    ['such a name', graphql('createUsersPermissionsRole(data: { name: "z" }) { ok }'), /a role called "z"/],
    ['a role that was found', rest('DELETE', '/api/users-permissions/roles/{{everyone}}'), /which it did not make/],
    [
      'the account of anybody',
      rest('POST', '/api/auth/local', { identifier: { $ne: '{{row}}' } }),
      /with \$ne, which may find/,
    ],
    [
      'the account that is called so',
      rest('POST', '/api/auth/local', { identifier: { $eq: 'x' } }),
      /with \$eq, which may/,
    ],
    [
      'an account by a variable',
      { ...rest('POST', '/graphql', { query: 'mutation { a }', variables: { code: [{ $gt: 0 }] } }) },
      /\/graphql with \$gt, which may find somebody else's account/,
    ],
    [
      'an account by a query',
      { ...rest('GET', '/api/auth/email-confirmation'), query: 'a={{row}}&confirmation[$ne]=x' },
      /with \$ne, which may find/,
    ],
    [
      'such an account',
      { ...rest('GET', '/api/auth/email-confirmation'), query: { 'confirmation[$ne]': '{{row}}' } },
      /with \$ne, which may find/,
    ],
    ['no code', rest('GET', '/api/auth/email-confirmation'), /email-confirmation with a code that may be/],
    ['an empty code', graphql('emailConfirmation(confirmation: "") { jwt }'), /emailConfirmation with a code/],
    [
      'the password of anybody',
      rest('POST', '/api/auth/reset-password', { code: true, password: 'a', passwordConfirmation: 'a' }),
      /reset-password with a code/,
    ],
    ['such a password', graphql('resetPassword(code: "") { jwt }'), /resetPassword with a code/],
    ['such a role', graphql('updateUsersPermissionsRole(id: {{everyone}}) { ok }'), /which it did not make/],
  ] as const
).map(
  ([name, request, problem]): Breakage => [
    `a step that aims at ${name}`,
    'rows/users.json',
    (f) => {
      f.rows[0].steps[0].save = { ...f.rows[0].steps[0].save, ...foundRole };
      f.rows[0].steps.push({ request, expect: { status: 403 } });
    },
    problem,
  ],
);

const breakages: Breakage[] = [
  [
    'an unknown key in a row',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0], { colour: 1 }),
    /rows\/sort\.json: .*colour/,
  ],
  [
    'a level that is none',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0], { level: 'WILL' }),
    /rows\/sort\.json: .*level/,
  ],
  [
    'a row id twice',
    'rows/sort.json',
    (f) => Object.assign(f.rows[1], { id: f.rows[0].id }),
    /row id "sort\.field" occurs twice/,
  ],
  [
    'a title twice',
    'rows/sort.json',
    (f) => Object.assign(f.rows[1], { title: f.rows[0].title }),
    /row title .* occurs twice/,
  ],
  [
    'a rule that is none',
    'rows/sort.json',
    (f) => f.rows[0].rules.push('spec.nope'),
    /sort\.field: there is no catalogue entry spec\.nope/,
  ],
  ['a rule that is untestable', 'rows/sort.json', (f) => f.rows[0].rules.push('spec.service.6b'), /calls untestable/],
  [
    'a rule without rows',
    'rows/sort.json',
    (f) => f.rows.splice(0, f.rows.length, f.rows[0]),
    /spec\.sort\.2: issue 2 is closed, but no row proves/,
  ],
  [
    'a section without rows',
    'rows/graphql-aggregates.json',
    (f) => {
      for (const row of f.rows) row.rules = ['spec.sort.2'];
    },
    /the section "Aggregates" has no row/,
  ],
  [
    'a quote that is none',
    'catalogue/sort.json',
    (f) => Object.assign(f.entries[0], { quote: 'Sort by mood.' }),
    /does not say "Sort by mood\."/,
  ],
  [
    'a statement without entry',
    'catalogue/sort.json',
    (f) => f.entries.pop(),
    /SPECIFICATION\.md:\d+: no catalogue entry quotes "Fields are applied/,
  ],
  [
    'a matcher that is none',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0].steps[0].expect, { body: '$nope' }),
    /sort\.field, step 1: unknown matcher/,
  ],
  [
    'a scene that is none',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0], { scene: 'nowhere' }),
    /there is no scene "nowhere"/,
  ],
  [
    'a part of a form with two contents',
    'rows/media.json',
    (f) => Object.assign(f.rows[0].steps[0].request.form[0], { base64: 'AAEC' }),
    /rows\/media\.json: .*a part has one of text, json, base64 and image/,
  ],
  [
    'a form beside a body',
    'rows/media.json',
    (f) => Object.assign(f.rows[0].steps[0].request, { body: {} }),
    /rows\/media\.json: .*body, raw and form exclude each other/,
  ],
  [
    'a name nobody saved',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0].steps[0].request, { path: '/api/{{x}}' }),
    /step 1: nothing saved \{\{x\}\} before/,
  ],
  [
    'a feature both needed and unwanted',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0], { needs: ['rest', 'i18n'], without: ['i18n'] }),
    /sort\.field: needs i18n and its absence/,
  ],
  [
    'a feature that is none',
    'rows/sort.json',
    (f) => Object.assign(f.rows[0], { without: ['magic'] }),
    /rows\/sort\.json: .*without/,
  ],
  [
    'a single type not guarded',
    'rows/single.json',
    (f) => delete f.rows[0].exclusive,
    /single\.read: writes \/api\/setting/,
  ],
  [
    'aggregates that are not needed',
    'rows/graphql-aggregates.json',
    (f) => f.rows[0].needs.pop(),
    /graphql\.aggregates\.numbers: asks for aggregates and does not need/,
  ],
  ...harms,
];

describe('a linter that could not fail would prove nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(breakages)('%s', (_, file, change, problem) => {
    cpSync(specFolder(), folder, { recursive: true });
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    change(content);
    writeFileSync(join(folder, file), JSON.stringify(content));
    expect(lintSpec(folder).problems.join('\n')).toMatch(problem);
  });

  test('a file that is not JSON', () => {
    cpSync(specFolder(), folder, { recursive: true });
    writeFileSync(join(folder, 'rows/sort.json'), '{');
    expect(lintSpec(folder).problems.join('\n')).toMatch(/rows\/sort\.json: .*JSON/);
  });
});
