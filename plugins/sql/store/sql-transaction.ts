import type { Attribute, Bound, ContentType, Row, StoreTransaction } from '../../../core';
import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { listsOf } from './in-list';
import { insertRows } from './insert-rows';
import { matchesOf, matchSql, placeholders } from './match-sql';
import { tiesOn } from './ties';
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
  lock: (keys: readonly string[]) => Promise<void>,
): SqlTransaction {
  const attributesIn = (type: ContentType, row: Row): Attribute[] =>
    Object.keys(row).map((name) => type.attributes.get(name)!);
  const stored = (table: TypeTable, attribute: Attribute, value: Bound): unknown =>
    dialect.store(value, table.storage(attribute));

  return {
    connection,
    lock: (...keys) => (keys.length > 0 ? lock(keys) : undefined),
    insert: (type, rows) => insertRows(connection, dialect, tableOf(type), rows),
    ...tiesOn(connection, dialect, tableOf),
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
    async delete(type, all) {
      const table = tableOf(type);
      let changes = 0;
      for (const match of matchesOf(all)) {
        const condition = matchSql(match, table, dialect, placeholders(dialect));
        const sql = `delete from ${table.name} where ${condition.sql}`;
        changes += (await connection.run({ sql }, condition.values)).changes;
      }
      return changes;
    },
    async rows(type, all, names) {
      const table = tableOf(type);
      const attributes = names ? names.map((name) => type.attributes.get(name)!) : [...type.attributes.values()];
      const columns = attributes
        .map((attribute) => dialect.raw(table.column(attribute), table.storage(attribute)))
        .join(',');
      const rows: Row[] = [];
      for (const match of matchesOf(all)) {
        const condition = matchSql(match, table, dialect, placeholders(dialect));
        const sql = `select ${columns} from ${table.name} where ${condition.sql} order by ${dialect.id('id')}`;
        for (const values of await connection.rows({ sql }, condition.values))
          rows.push(
            Object.fromEntries(
              attributes.map((attribute, index) => [
                attribute.name,
                dialect.load(values[index], table.storage(attribute)),
              ]),
            ),
          );
      }
      return rows;
    },
    async holding(type, attribute, values, match) {
      const table = tableOf(type);
      const column = table.column(attribute);
      const shown = dialect.raw(column, table.storage(attribute));
      const document = type.attributes.has('documentId') ? dialect.id('document_id') : 'null';
      const rows: Row[] = [];
      for (const list of listsOf(values)) {
        const next = placeholders(dialect);
        const among = `${column} in (${list.map(next).join(',')})`;
        const condition = matchSql(match, table, dialect, next);
        const sql = `select ${dialect.id('id')},${document},${shown} from ${table.name} where ${among} and ${condition.sql}`;
        const bound = [...list.map((value) => stored(table, attribute, value)), ...condition.values];
        for (const [id, documentId, kept] of await connection.rows({ sql }, bound)) {
          const value = dialect.load(kept, table.storage(attribute));
          // A collation may take more for equal than a reader would: case, accents, blanks at the end.
          if (values.includes(value))
            rows.push({ id: Number(id), documentId: String(documentId), [attribute.name]: value });
        }
      }
      return rows;
    },
  };
}
