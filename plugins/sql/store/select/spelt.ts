import type { Entry } from '../../../../core';
import { columnAt, type RowAt, type Scope } from '../tables/scope';

const safest = Number.MAX_SAFE_INTEGER;

/** A value as JSON text, the way its entry wants it spelt. */
export function spelt(scope: Scope, row: RowAt, entry: Extract<Entry, { attribute: unknown }>): string {
  const text = present(scope, row, entry);
  if (entry.missing === undefined) return text;
  return `case when ${columnAt(row, entry.attribute)} is null then ${scope.dialect.literal(entry.missing)} else ${text} end`;
}

function present(
  { dialect }: Scope,
  row: RowAt,
  { attribute, spelling }: Extract<Entry, { attribute: unknown }>,
): string {
  const column = columnAt(row, attribute);
  const storage = row.table.storage(attribute);
  // The key of a row is a whole number and never NULL: every database spells it as JSON does.
  if (!spelling && attribute.name === 'id') return column;
  const plainly = dialect.json(column, storage);
  if (!spelling) return plainly;
  if ('words' in spelling) {
    const cases = Object.entries(spelling.words).map(
      ([word, instead]) => `when ${dialect.literal(word)} then ${dialect.literal(JSON.stringify(instead))}`,
    );
    return cases.length === 0 ? plainly : `case ${column} ${cases.join(' ')} else ${plainly} end`;
  }
  if (spelling.as !== 'exactNumber') return dialect.json(column, spelling.as);
  return `case when ${column} between -${safest} and ${safest} then ${dialect.json(column, 'integer')} else ${plainly} end`;
}
