import type { Index, Table } from '../layout/layout';
import type { Dialect } from './dialect';

/** Of a table's lookups those that this database has a use for. */
export const lookupsOn = (dialect: Dialect, { lookups = [] }: Table): readonly Index[] =>
  dialect === 'sqlite' ? lookups : lookups.filter(({ narrow }) => !narrow);
