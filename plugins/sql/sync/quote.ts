import type { DialectName } from '../dialects/dialect';

export function quote(dialect: DialectName, name: string): string {
  return dialect === 'postgres' ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
}

export const quoteAll = (dialect: DialectName, names: readonly string[]): string =>
  names.map((name) => quote(dialect, name)).join(', ');
