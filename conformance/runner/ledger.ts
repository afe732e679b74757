import type { Answer, Target, WireRequest } from '../targets/target';
import { bodyOfAnswer, type Patience, send } from './send';
import { pick } from './template';

/** What a run has made and must take away again. */
export interface Ledger {
  note(request: WireRequest, answer: Answer): void;
  /** Deletes what was noted, the youngest first, and returns what would not go. */
  clear(): Promise<string[]>;
}

const collection = /^(\/[^/?]+)*\/[^/?]+(?=\?|$)/;

/**
 * Every document that a POST made is noted, wanted or not: a target that accepts what a row expects it to refuse must
 * not keep it either. Nothing else is ever deleted. The row's single type, if it writes one, is not the ledger's affair.
 */
export function openLedger(target: Target, patience: Patience, single?: string): Ledger {
  let made: string[] = [];
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
      const documentId = pick(bodyOfAnswer(answer), 'data.documentId');
      const path = collection.exec(request.path)?.[0];
      if (request.method !== 'POST' || !path || typeof documentId !== 'string') return;
      // What a path names already, as in /articles/ID/publish or /homepage/publish, was not made by the request.
      if (path.split('/').includes(encodeURIComponent(documentId)) || (single && path.startsWith(`${single}/`))) return;
      const everyLocale = target.features.has('i18n') ? '?locale=*' : '';
      made.push(`${path}/${encodeURIComponent(documentId)}${everyLocale}`);
    },
    async clear() {
      const kept: string[] = [];
      const problems: string[] = [];
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
