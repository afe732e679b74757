import type { Dialect } from './dialect';

export function quote(dialect: Dialect, name: string): string {
  return dialect === 'postgres' ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
}

export const quoteAll = (dialect: Dialect, names: readonly string[]): string =>
  names.map((name) => quote(dialect, name)).join(', ');
