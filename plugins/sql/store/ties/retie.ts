import type { HandedOver, Retied } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
import { fixedIn, typeIn } from '../tables/ties-of-row';
import type { TieTable } from './tie-table';

/** Lets ties that are there lead elsewhere, or belong to another row. */
export function createReties(dialect: Dialect) {
  const { id, literal } = dialect;
  const textOf = createTexts();

  function retieSql(kept: TieTable, { uid, mayBeBoth }: Retied): string {
    const next = placeholders(dialect);
    const table = id(kept.table);
    const spelt = fixedIn(dialect, kept);
    const fixed = kept.fixed.map(([column, value]) => ` and ${spelt(id(column))}=${literal(value)}`).join('');
    const isOf =
      kept.uidColumn === undefined ? '' : ` and ${typeIn(dialect, kept)(id(kept.uidColumn))}=${literal(uid)}`;
    const setting = `update ${table} set ${id(kept.target)}=${next()} where ${id(kept.target)}=${next()}${fixed}${isOf}`;
    if (!mayBeBoth) return setting;
    // Behind another select, for MariaDB and MySQL don't read the table that they change.
    const has = `select ${id(kept.own)} o from ${table} where ${id(kept.target)}=${next()}${fixed}${isOf} and ${id(kept.own)} is not null`;
    return `${setting} and ${id(kept.own)} not in (select o from (${has}) x)`;
  }

  function handOverSql(kept: readonly TieTable[]): string {
    const next = placeholders(dialect);
    const [{ table, own }] = kept as [TieTable];
    const held = kept.map((each) => {
      const spelt = fixedIn(dialect, each);
      return each.fixed.map(([column, value]) => `${spelt(id(column))}=${literal(value)}`).join(' and ');
    });
    // The table of a link holds nothing else.
    const isHeld = held.includes('') ? '' : ` and (${held.join(' or ')})`;
    return `update ${id(table)} set ${id(own)}=${next()} where ${id(own)}=${next()}${isHeld}`;
  }

  return {
    /** Lets what is tied to one row be tied to another instead, in its place; what is tied to both stays tied to the first. */
    async retie(connection: Connection, kept: TieTable, change: Retied): Promise<void> {
      const { uid, from, to, mayBeBoth } = change;
      if (kept.uid !== undefined && kept.uid !== uid) return;
      const sql = textOf(`retie ${kept.seenAs} ${uid} ${mayBeBoth}`, () => retieSql(kept, change));
      await connection.post({ sql }, mayBeBoth ? [to, from, to] : [to, from]);
    },

    /** Lets a row hold what another does, as it stands: what several attributes that share a table tie. */
    async handOver(connection: Connection, kept: readonly TieTable[], { from, to }: HandedOver): Promise<void> {
      const sql = textOf(`hand over ${kept.map(({ seenAs }) => seenAs)}`, () => handOverSql(kept));
      await connection.post({ sql }, [to, from]);
    },
  };
}
