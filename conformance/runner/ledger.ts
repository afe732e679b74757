import type { Answer, WireRequest } from '../targets/target';
import { type Place, placesOf, placesWithoutAnswer } from './accounts';
import { madeBy, type Owner, type Removal, removalOfSingle, roles } from './made';
import { marked } from './marked';
import { type Patience, send } from './send';

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

export interface LedgerOptions extends Owner {
  patience: Patience;
}

export function openLedger({ target, patience, mark, single }: LedgerOptions): Ledger {
  let made: Removal[] = [];
  /** Where something was made that is found by the mark alone. */
  const sought = new Set<Place>();
  /** Where something may stand that was asked for and got no answer, and the path that was asked. */
  const lost = new Map<string, string>();
  const unmarked = new Set<string>();

  const ask = (method: string, path: string, body?: string): Promise<Answer> => {
    const headers: Record<string, string> = {
      ...(target.token && { authorization: `Bearer ${target.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return send(target, { method, path, headers, ...(body !== undefined && { body }) }, patience);
  };

  const seeker = { target, mark, ask };

  const add = (removals: Removal[]): void => {
    for (const removal of removals) {
      const { path, body } = removal;
      // What is found by the mark may be noted already.
      if (made.some((other) => other.path === path && other.body === body)) continue;
      // The youngest goes first, but for roles: their users go before them.
      if (path.startsWith(`${roles}/`)) made.unshift(removal);
      else made.push(removal);
    }
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
      add(madeBy(request, answer, { target, mark, single }));
      for (const place of placesOf(request, answer, mark)) {
        if (String(request.body).includes(mark)) sought.add(place);
        else unmarked.add(`POST ${request.path} made something that can not be told from what others made`);
      }
    },
    claimSingle() {
      if (single) made.push(removalOfSingle(single, target));
    },
    lose(request) {
      for (const place of placesWithoutAnswer(request)) if (place !== single) lost.set(place, request.path);
    },
    async clear() {
      const problems = [...unmarked];
      for (const [place, path] of lost) {
        const found = await marked(seeker, place).catch(() => []);
        add(found);
        if (found.length > 0) lost.delete(place);
        else problems.push(`POST ${path} got no answer, and may have made something`);
      }
      for (const place of sought) {
        try {
          add(await marked(seeker, place));
          sought.delete(place);
        } catch (error) {
          problems.push(`${(error as Error).message}, so that what was made there could not be found`);
        }
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
