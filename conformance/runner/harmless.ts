import { graphql, roles } from './made';
import type { Json, Row, RowRequest, Step } from './row';
import { pick } from './template';

/** A request that may succeed though it should not must not hit what others made: rows aim at what is theirs, or at nothing. */
type Aim = (request: RowRequest, row: Row) => string | undefined;

const changes: readonly string[] = ['PUT', 'PATCH', 'DELETE'];
/** What no deployment has so many of. */
const isNobody = (id: string): boolean => !/^\d{1,7}$/.test(id);

/** Paths that are asked for a method that they have not, and behind which nothing is. */
const nothingBehind = /^\/(graphql|api\/auth\/.*)$/;

/** Lists of plugins, which stand deeper than those of content types. */
const lists: readonly string[] = ['/api/i18n/locales', '/api/upload/files', roles];

/** A query is no aim: what takes such a method by mistake takes no notice of it. */
const wholeCollection: Aim = ({ method, path }, { exclusive }) => {
  const [place = ''] = path.split('?');
  const isList = /^(\/[^/{]+)?\/[^/{]+$/.test(place) || lists.includes(place);
  if (!changes.includes(method) || !isList || nothingBehind.test(place) || (exclusive && place === exclusive)) return;
  return `${method} ${path}, which is about all that others made`;
};

const guessedNumber: Aim = ({ method, path, query, form = [] }) => {
  const isWrite = changes.includes(method) || method === 'POST';
  const given = typeof query === 'object' ? Object.entries(query) : [];
  const attached = form.flatMap(({ name, text = '' }) => (name === 'refId' ? [text.split(' ')[0]!] : []));
  const number = isWrite && [...path.split('/'), ...given.flatMap(idIn), ...attached].find((id) => !isNobody(id));
  return number ? `${method} ${path} at ${number}, which may be somebody else's` : undefined;
};

const idIn = ([key, value]: [string, unknown]): string[] => (/^id\b/.test(key) ? [String(value)] : []);

const queryOf = ({ body }: RowRequest): string => String(pick(body ?? null, 'query') ?? '');

const guessedInGraphql: Aim = (request) => {
  const found = /\b(?:update|delete)\w+\(\s*\w*[iI]d:\s*"?\d{1,7}\b/.exec(queryOf(request));
  return found ? `${found[0]}, which may be somebody else's` : undefined;
};

const roleName: Aim = (request) => {
  const { method, path, body } = request;
  const overGraphql = /createUsersPermissionsRole\(\s*data:\s*\{[^}]*\bname:\s*"([^"]+)"/.exec(queryOf(request));
  const name = method === 'POST' && path === roles ? pick(body ?? null, 'name') : overGraphql?.[1];
  return typeof name !== 'string' || name === '' || name.startsWith('{{row}}')
    ? undefined
    : `a role called "${name}", which does not begin with {{row}}`;
};

const accounts = /^\/api\/auth\//;
/** Operators that, where a deployment takes them for more than a text, find nobody but the row's own. */
const findsOwn = (operator: string, value: unknown): boolean =>
  ['$eq', '$startsWith'].includes(operator) && typeof value === 'string' && value.startsWith('{{row}}');

/** Operators in a body, but for a password: whose it is, the rest of the body says. */
const operatorsIn = (value: Json | undefined): [operator: string, value: unknown][] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
        if (key === 'password') return [];
        return key.startsWith('$') ? [[key, item]] : operatorsIn(item);
      });

/** Operators in a query, an object or a text. */
function operatorsAsked(query: RowRequest['query'] = ''): [operator: string, value: unknown][] {
  const pairs =
    typeof query === 'object' ? Object.entries(query) : query.split('&').map((pair): string[] => pair.split('='));
  return pairs.flatMap(([key = '', value]): [string, unknown][] =>
    [...key.matchAll(/\[(\$\w+)\]/g)].map(([, operator = '']) => [operator, value]),
  );
}

const accountOfAnybody: Aim = ({ method, path, query, body }) => {
  const given = accounts.test(path) ? body : path === graphql ? pick(body ?? null, 'variables') : undefined;
  const asked = accounts.test(path) ? operatorsAsked(query) : [];
  const hit = [...operatorsIn(given), ...asked].find(([operator, value]) => !findsOwn(operator, value));
  return hit && `${method} ${path} with ${hit[0]}, which may find somebody else's account`;
};

const codes = /^\/api\/auth\/(reset-password|email-confirmation)$|\b(resetPassword|emailConfirmation)\s*\(/;

/** Passwords that are missing or differ set none, whosever code it is. */
const setsNoPassword = (body: Json): boolean =>
  pick(body, 'password') === undefined || pick(body, 'password') !== pick(body, 'passwordConfirmation');

const codeOfAnybody: Aim = (request) => {
  const { path, query, body = null } = request;
  const [, overRest, overGraphql] = codes.exec(path) ?? codes.exec(queryOf(request)) ?? [];
  const kind = overRest ?? overGraphql;
  if (!kind || JSON.stringify([query, body]).includes('{{row}}')) return;
  if (overRest === 'reset-password' && setsNoPassword(body)) return;
  return `${kind} with a code that may be somebody else's`;
};

const aims: readonly Aim[] = [
  wholeCollection,
  guessedNumber,
  guessedInGraphql,
  roleName,
  accountOfAnybody,
  codeOfAnybody,
];

/** Names under which a row saved the number of a role: roles of others, unless they are found by the row's own name. */
const foreignRoles = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ save }) =>
    Object.entries(save ?? {})
      .filter(([, place]) => /\brole\.id$|^roles[.[]/.test(place) && !/^roles\[\w+=\{\{row\}\}/.test(place))
      .map(([name]) => name),
  );

function foreignRole({ steps }: Row): Aim {
  const names = foreignRoles(steps);
  return (request) => {
    const { method, path } = request;
    const text = path.startsWith(roles) && changes.includes(method) ? path : queryOf(request);
    const hit = names.find((name) =>
      new RegExp(`(^${roles}/|(update|delete)UsersPermissionsRole\\(\\s*id:\\s*"?)\\{\\{${name}\\}\\}`).test(text),
    );
    return hit && `changes the role {{${hit}}}, which it did not make`;
  };
}

export const harmfulSteps = ({ rows }: { readonly rows: readonly Row[] }): string[] =>
  rows.flatMap((row) =>
    row.steps.flatMap(({ request }, index) =>
      [...aims, foreignRole(row)]
        .map((aim) => aim(request, row))
        .filter((problem) => problem !== undefined)
        .map((problem) => `${row.id}, step ${index + 1}: ${problem}`),
    ),
  );
