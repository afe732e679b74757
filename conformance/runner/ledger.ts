import type { Answer, Target, WireRequest } from '../targets/target';
import type { Json } from './row';
import { bodyOfAnswer, type Patience, send } from './send';
import { pick } from './template';

/** What a run has made and must take away again. */
export interface Ledger {
  note(request: WireRequest, answer: Answer): void;
  /** Deletes what was noted, the youngest first, and returns what would not go. */
  clear(): Promise<string[]>;
}

const collection = /^(\/[^/?]+)*\/[^/?]+(?=\?|$)/;

const users = '/api/users';
const roles = '/api/users-permissions/roles';

/** The paths of the roles that have these names now, or had them when they were made. */
async function rolesNamed(names: ReadonlySet<string>, target: Target, patience: Patience): Promise<string[]> {
  const headers: Record<string, string> = target.token ? { authorization: `Bearer ${target.token}` } : {};
  const list = pick(bodyOfAnswer(await send(target, { method: 'GET', path: roles, headers }, patience)), 'roles');
  const isOurs = (name: unknown): boolean => [...names].some((own) => String(name).startsWith(own));
  return (Array.isArray(list) ? list : [])
    .filter((role) => isOurs(pick(role, 'name')))
    .map((role) => `${roles}/${pick(role, 'id')}`);
}

/** The path of a user that a POST made: by registering, or as one makes others. */
function userPath(path: string, body: Json): string | undefined {
  const id = path.startsWith('/api/auth/') ? pick(body, 'user.id') : path === users ? pick(body, 'id') : undefined;
  return typeof id === 'number' ? `${users}/${id}` : undefined;
}

/** Files have a place of their own, where a number names them. */
const uploads = '/api/upload';
const isUpload = ({ method, path }: WireRequest): boolean => method === 'POST' && path.split('?')[0] === uploads;

function filesIn(answer: Answer): string[] {
  const files = bodyOfAnswer(answer);
  return (Array.isArray(files) ? files : []).flatMap((file) => {
    const id = pick(file, 'id');
    return typeof id === 'number' ? [`${uploads}/files/${id}`] : [];
  });
}

/**
 * Every document and user that a POST made is noted, wanted or not: a target that accepts what a row expects it to refuse must
 * not keep it either. Nothing else is ever deleted. The row's single type, if it writes one, is not the ledger's affair.
 */
export function openLedger(target: Target, patience: Patience, single?: string): Ledger {
  let made: string[] = [];
  /** Of roles, since the answer to making one tells nothing else of it. */
  const names = new Set<string>();
  const drop = async (path: string): Promise<string[]> => {
    const headers: Record<string, string> = target.token ? { authorization: `Bearer ${target.token}` } : {};
    try {
      const { status } = await send(target, { method: 'DELETE', path, headers }, patience);
      return status < 300 || status === 404 ? [] : [`DELETE ${path} answered ${status}`];
    } catch (error) {
      return [`DELETE ${path}: ${(error as Error).message}`];
    }
  };
  return {
    note(request, answer) {
      const body = bodyOfAnswer(answer);
      if (isUpload(request)) made.push(...filesIn(answer));
      const documentId = pick(body, 'data.documentId');
      const path = collection.exec(request.path)?.[0];
      const user = request.method === 'POST' && path ? userPath(path, body) : undefined;
      // Logging in answers the user, too, who may be noted already.
      if (user && !made.includes(user)) made.push(user);
      if (request.method === 'POST' && path === roles && answer.status === 200) {
        const { name } = JSON.parse(String(request.body ?? '{}')) as { name?: unknown };
        if (typeof name === 'string') names.add(name);
      }
      if (request.method !== 'POST' || !path || typeof documentId !== 'string') return;
      // What a path names already, as in /articles/ID/publish or /homepage/publish, was not made by the request.
      if (path.split('/').includes(encodeURIComponent(documentId)) || (single && path.startsWith(`${single}/`))) return;
      const everyLocale = target.features.has('i18n') ? '?locale=*' : '';
      made.push(`${path}/${encodeURIComponent(documentId)}${everyLocale}`);
    },
    async clear() {
      const kept: string[] = [];
      const problems: string[] = [];
      // Under the users, who are deleted before their roles.
      if (names.size > 0) made.unshift(...(await rolesNamed(names, target, patience)));
      names.clear();
      for (const path of made.reverse()) {
        const problem = await drop(path);
        problems.push(...problem);
        if (problem.length > 0) kept.unshift(path);
      }
      made = kept;
      return problems;
    },
  };
}
