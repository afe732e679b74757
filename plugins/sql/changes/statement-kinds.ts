import { bare, severalIn } from './written';

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

/** Whether nothing may be written from this statement on, be it only as far as its text lets tell. */
export const mayForbidWriting = (sql: string): boolean =>
  /^(?:begin|start|set)\b/i.test(bare(sql)) && /read[\s_]+only/i.test(sql);
