import { Lru } from '../../../core';

/** What a statement may change: one table, or anything. */
export type Written = { readonly table: string; readonly deletes: boolean } | 'anything' | undefined;

/** Statements that change no rows that anybody else could see; `commit prepared` does. */
const harmless =
  /^(?:\(\s*)*(?:select|values|show|explain(?!\s+(?:\(|analy[sz]e\b))|pragma|set(?!\s+statement\b)|begin(?!\s+not\s+atomic\b)|start\s+transaction|(?:un)?lock\s+tables?|commit(?!\s+prepared\b)|end|rollback(?!\s+prepared\b)|abort|savepoint|release|declare|fetch|move|close)\b/i;
/** Nor do these, of which PostgreSQL takes some outside of transactions only. MariaDB's `analyze` also carries out statements. */
const tending =
  /^(?:vacuum|analy[sz]e(?!\s+(?:format|insert|replace|update|delete|with)\b)|reindex|cluster|checkpoint|optimize\s+table|(?:create(?:\s+unique)?|drop)\s+index|(?:create|drop)\s+(?:database|tablespace)|alter\s+system|discard|listen|unlisten|notify|deallocate)\b/i;
/** What reads parts before the whole, unless a part writes. */
const withParts = /^with\b/i;
const writing = /\b(?:insert|update|delete|replace|merge)\b/i;
const one = '(?:[\\w$]+|"(?:[^"]|"")+"|`(?:[^`]|``)+`)';
const name = `(?:${one}\\.)?(${one})`;
/** What may come behind it there; a name that goes on behind a blank, as `public . tags`, is none. */
const inserted = '(?:\\s*\\(|\\s+(?:default|values?|select|set|as|with|overriding|table|partition)\\b)';
const inserting = new RegExp(`^(?:insert(?:\\s+or\\s+\\w+|\\s+ignore)?|replace)\\s+into\\s+${name}${inserted}`, 'i');
const updating = new RegExp(`^update(?:\\s+or\\s+\\w+|\\s+only)?\\s+${name}\\s+set\\s`, 'i');
const deleting = new RegExp(
  `^delete\\s+from\\s+(?:only\\s+)?${name}(?:\\s*(?:;\\s*)?$|\\s+(?:where|returning)\\b)`,
  'i',
);
/** A name as the database has it, in whose quotes any character may stand. */
const plain = (written: string): string =>
  /^["`]/.test(written) ? written.slice(1, -1).replaceAll(written[0]!.repeat(2), written[0]!) : written;
/** Deletes what is in the way of what it inserts. */
const replacing = /^(?:replace|insert\s+or\s+replace|update\s+or\s+replace)\b/i;
const several = /;\s*\S/;

export const severalIn = (sql: string): boolean => several.test(sql);

/** Blanks and comments, but for those that MySQL carries out, and for those that hold others, as only PostgreSQL reads them. */
const ahead = /^(?:\s|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!M?!)(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/)*/;

/** A statement from its first word on. */
export const bare = (sql: string): string => sql.replace(ahead, '');

/** Statements looked at once; the longest are those that insert many rows. */
const keptTexts = 2_000;
const longestKept = 2_000;
const kept = new Lru<{ readonly written: Written }>(keptTexts);

function look(text: string): Written {
  const sql = bare(text);
  if (severalIn(sql)) return 'anything';
  if (harmless.test(sql) || tending.test(sql) || (withParts.test(sql) && !writing.test(sql))) return undefined;
  const changed = inserting.exec(sql) ?? updating.exec(sql);
  const deleted = changed ? undefined : deleting.exec(sql);
  const table = (changed ?? deleted)?.[1];
  // Definitions, statements over several tables, and whatever else is not said in a form that is known.
  if (table === undefined) return 'anything';
  return { table: plain(table).toLowerCase(), deletes: deleted !== undefined || replacing.test(sql) };
}

/** The table that a statement changes, by its text; what can't be told is taken for anything. */
export function writtenBy(sql: string): Written {
  if (sql.length > longestKept) return look(sql);
  const known = kept.get(sql);
  if (known) return known.written;
  const written = look(sql);
  kept.set(sql, { written });
  return written;
}
