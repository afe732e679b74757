/** A moment as answers tell it. A driver behind knex may hand out dates; elsewhere they are as the dialect stores them. */
export function isoOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || /^\d+$/.test(String(value))) return new Date(Number(value)).toISOString();
  return `${String(value).slice(0, 10)}T${String(value).slice(11, 23).padEnd(8, '0').padEnd(9, '.').padEnd(12, '0')}Z`;
}
