import type { Answer, Target, WireRequest } from '../targets/target';
import { collectionOf, madeBy, parsed, type Removal, removalOf, removalOfSingle, roles } from './made';
import type { Json } from './row';
import { bodyOfAnswer, type Patience, send } from './send';
import { pick } from './template';

/** What a run has made and must take away again. Nothing else is ever deleted. */
export interface Ledger {
  note(request: WireRequest, answer: Answer): void;
  /** The row's single type is free, and will be written. */
  claimSingle(): void;
  /** Nobody knows what came of the request. */
  lose(request: WireRequest): void;
  /** Deletes what was noted, the youngest first, and returns what would not go. */
  clear(): Promise<string[]>;
}

export interface LedgerOptions {
  target: Target;
  patience: Patience;
  /** A text that stands in documents of this row, or of this run, and nowhere else. */
  mark: string;
  /** The single type that the row writes. */
  single?: string | undefined;
}

const listIn = (body: Json, path: string): Json[] => {
  const list = pick(body, path);
  return Array.isArray(list) ? list : [];
};

export function openLedger({ target, patience, mark, single }: LedgerOptions): Ledger {
  let made: Removal[] = [];
  /** Of roles, since the answer to making one tells nothing else of it. */
  const names = new Set<string>();
  const lost = new Set<string>();

  const ask = (method: string, path: string, body?: string): Promise<Answer> => {
    const headers: Record<string, string> = {
      ...(target.token && { authorization: `Bearer ${target.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return send(target, { method, path, headers, ...(body !== undefined && { body }) }, patience);
  };

  /** Roles that have these names now, or had them when they were made. */
  const rolesNamed = async (): Promise<Removal[]> => {
    if (names.size === 0) return [];
    const isOurs = (name: unknown): boolean => [...names].some((own) => String(name).startsWith(own));
    return listIn(bodyOfAnswer(await ask('GET', roles)), 'roles')
      .filter((role) => isOurs(pick(role, 'name')))
      .map((role) => ({ method: 'DELETE', path: `${roles}/${pick(role, 'id')}` }));
  };

  /** What a lost request made after all, found by the mark. */
  const marked = async (path: string): Promise<Removal[]> => {
    const versions = target.features.has('draft-publish') ? ['', '&status=draft'] : [''];
    const found = new Map<string, Removal>();
    for (const version of versions) {
      const list = listIn(
        bodyOfAnswer(await ask('GET', `${path}?_q=${mark}&pagination[pageSize]=100${version}`)),
        'data',
      );
      for (const document of list) {
        const id = pick(document, 'documentId');
        if (typeof id === 'string' && JSON.stringify(document).includes(mark))
          found.set(id, removalOf(path, id, target));
      }
    }
    return [...found.values()];
  };

  const drop = async ({ method, path, body }: Removal): Promise<string[]> => {
    try {
      const { status } = await ask(method, path, body);
      return status < 300 || status === 404 ? [] : [`${method} ${path} answered ${status}`];
    } catch (error) {
      return [`${method} ${path}: ${(error as Error).message}`];
    }
  };

  return {
    note(request, answer) {
      // Logging in answers the user, too, who may be noted already.
      const isNew = ({ path, body }: Removal): boolean =>
        !made.some((other) => other.path === path && other.body === body);
      made.push(...madeBy(request, answer, target, single).filter(isNew));
      const name = request.method === 'POST' && request.path === roles && answer.status === 200;
      const given = name && pick(parsed(request), 'name');
      if (typeof given === 'string') names.add(given);
    },
    claimSingle() {
      if (single) made.push(removalOfSingle(single, target));
    },
    lose(request) {
      const path = collectionOf(request);
      if (request.method === 'POST' && path && path !== single) lost.add(path);
    },
    async clear() {
      const problems: string[] = [];
      for (const path of lost) {
        const found = await marked(path).catch(() => []);
        made.push(...found);
        if (found.length > 0) lost.delete(path);
        else problems.push(`POST ${path} got no answer, and may have made something`);
      }
      // Under the users, who are deleted before their roles.
      try {
        made.unshift(...(await rolesNamed()));
        names.clear();
      } catch (error) {
        problems.push(`GET ${roles}: ${(error as Error).message}`);
      }
      const kept: Removal[] = [];
      for (const removal of made.reverse()) {
        const problem = await drop(removal);
        problems.push(...problem);
        if (problem.length > 0) kept.unshift(removal);
      }
      made = kept;
      return problems;
    },
  };
}
