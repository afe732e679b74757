import type { Attribute, Bound, ContentType, Row, RowMatch, StoreTransaction } from '../../../core';
import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { matchSql, placeholders } from './match-sql';
import type { TypeTable } from './type-table';

/** A store transaction on its database connection. */
export interface SqlTransaction extends StoreTransaction {
  readonly connection: Connection;
}

type TableOf = (type: ContentType) => TypeTable;

export function createSqlTransaction(
  connection: Connection,
  dialect: Dialect,
  tableOf: TableOf,
  lock: (key: string) => Promise<void>,
): SqlTransaction {
  const attributesIn = (type: ContentType, row: Row): Attribute[] =>
    Object.keys(row).map((name) => type.attributes.get(name)!);
  const stored = (table: TypeTable, attribute: Attribute, value: Bound): unknown =>
    dialect.store(value, table.storage(attribute));

  async function insertOne(type: ContentType, row: Row): Promise<number> {
    const table = tableOf(type);
    const next = placeholders(dialect);
    const attributes = attributesIn(type, row);
    const columns = attributes.map((attribute) => table.column(attribute)).join(',');
    const values = attributes.map((attribute) => stored(table, attribute, row[attribute.name]!));
    const returning = dialect.name === 'postgres' ? ' returning id' : '';
    const sql = `insert into ${table.name} (${columns}) values (${attributes.map(next).join(',')})${returning}`;
    return (await connection.run({ sql }, values)).firstId;
  }

  return {
    connection,
    lock,
    async insert(type, rows) {
      const ids: number[] = [];
      for (const row of rows) ids.push(await insertOne(type, row));
      return ids;
    },
    async update(type, match, row) {
      const table = tableOf(type);
      const next = placeholders(dialect);
      const attributes = attributesIn(type, row);
      const settings = attributes.map((attribute) => `${table.column(attribute)}=${next()}`).join(',');
      const values = attributes.map((attribute) => stored(table, attribute, row[attribute.name]!));
      const condition = matchSql(match, table, dialect, next);
      return (
        await connection.run({ sql: `update ${table.name} set ${settings} where ${condition.sql}` }, [
          ...values,
          ...condition.values,
        ])
      ).changes;
    },
    async delete(type, match) {
      const table = tableOf(type);
      const condition = matchSql(match, table, dialect, placeholders(dialect));
      return (await connection.run({ sql: `delete from ${table.name} where ${condition.sql}` }, condition.values))
        .changes;
    },
    async rows(type, match) {
      const table = tableOf(type);
      const attributes = [...type.attributes.values()];
      const condition = matchSql(match, table, dialect, placeholders(dialect));
      const columns = attributes
        .map((attribute) => dialect.raw(table.column(attribute), table.storage(attribute)))
        .join(',');
      const found = await connection.rows(
        { sql: `select ${columns} from ${table.name} where ${condition.sql} order by ${dialect.id('id')}` },
        condition.values,
      );
      return found.map(
        (values): Row =>
          Object.fromEntries(
            attributes.map((attribute, index) => [
              attribute.name,
              dialect.load(values[index], table.storage(attribute)),
            ]),
          ),
      );
    },
    async owners(type: ContentType, attribute: Attribute, value: Bound, match: RowMatch) {
      const table = tableOf(type);
      const next = placeholders(dialect);
      const column = table.column(attribute);
      const same = `${column}=${next()}`;
      const condition = matchSql(match, table, dialect, next);
      const sql = `select distinct ${dialect.id('document_id')},${dialect.raw(column, table.storage(attribute))} from ${table.name} where ${same} and ${condition.sql}`;
      const found = await connection.rows({ sql }, [stored(table, attribute, value), ...condition.values]);
      // A collation may take more for equal than a reader would: case, accents, blanks at the end.
      return found
        .filter(([, kept]) => dialect.load(kept, table.storage(attribute)) === value)
        .map(([documentId]) => String(documentId));
    },
  };
}
