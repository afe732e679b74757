import { bare, severalIn } from './written';

/** What a server says of the transaction on a connection: in one that has failed, nothing can be done but end it. */
export type TransactionState = 'none' | 'open' | 'failed';

/** How a database's statements deal with its transactions. */
export interface TransactionWords<Raw> {
  /** By their first words, statements that leave an open transaction as it is. */
  readonly leaving: RegExp;
  /** Those behind which a connection could not tell what it changes. */
  readonly untellable?: RegExp;
  /** Asks the server, unless its last answer, which is given, says so. */
  stateOn(raw: Raw, answer: unknown): Promise<TransactionState>;
}

/**
 * What a statement does to a transaction, by its text: begins it, keeps it, undoes it, or surely leaves it as it is. Of all
 * others the server has to be asked.
 */
export type Kind = 'begins' | 'keeps' | 'undoes' | 'leaves' | 'unsure';

const begins = /^(?:begin\b(?!\s+not\s+atomic\b)|start\s+transaction\b)[^;]*;?\s*$/i;
/** PostgreSQL has two words for each. What chains begins another transaction, and is none of these. */
const keeps = /^(?:commit|end)(?:\s+(?:work|transaction))?\s*;?\s*$/i;
const undoes = /^(?:rollback|abort)(?:\s+(?:work|transaction))?\s*;?\s*$/i;

/** `leaving` tells, by its first words, what leaves a transaction open on this database. */
export function kindOf(sql: string, leaving: RegExp): Kind {
  const text = bare(sql);
  if (severalIn(text)) return 'unsure';
  if (begins.test(text)) return 'begins';
  if (keeps.test(text)) return 'keeps';
  if (undoes.test(text)) return 'undoes';
  return leaving.test(text) ? 'leaves' : 'unsure';
}

/** What forbids writing, or makes a connection another user, or one that finds other tables. */
const forbidding =
  /(?:^|;)\s*(?:begin|start|set)\b[^;]*(?:\bread[\s_]+only\b|_read_only\b|\brole\b|\bsearch_path\b|\bauthorization\b)|\bset_config\s*\(/i;

/** Whether what tells of changes can perhaps not be written from this statement on. */
export const mayForbidTelling = (sql: string): boolean => forbidding.test(bare(sql));
