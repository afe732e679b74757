import { roles } from './made';
import type { Row, RowRequest, Step } from './row';
import { pick } from './template';

/** A request that may succeed though it should not must not hit what others made: rows aim at what is theirs, or at nothing. */
type Aim = (request: RowRequest, row: Row) => string | undefined;

const fits = (text: string): boolean => /\{\{(?!fill:)/.test(text);

const changes: readonly string[] = ['PUT', 'PATCH', 'DELETE'];
/** What no deployment has so many of. */
const isNobody = (id: string): boolean => !/^\d{1,7}$/.test(id);

/** Paths that are asked for a method that they have not, and behind which nothing is. */
const nothingBehind = /^\/(graphql|api\/auth\/.*)$/;

const wholeCollection: Aim = ({ method, path, query }, { exclusive }) => {
  const isList = /^(\/[^/{]+)?\/[^/{]+$/.test(path) || path === '/api/i18n/locales';
  if (!changes.includes(method) || !isList || nothingBehind.test(path) || (exclusive && path === exclusive)) return;
  return fits(JSON.stringify(query ?? '')) ? undefined : `${method} ${path} without a query that only its own fit`;
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

const aims: readonly Aim[] = [wholeCollection, guessedNumber, guessedInGraphql, roleName];

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
