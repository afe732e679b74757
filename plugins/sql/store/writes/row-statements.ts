import {
  type Attribute,
  type Bound,
  type ContentType,
  Lru,
  type Row,
  type RowMatch,
  type ScalarStorage,
} from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { listsOf } from '../tables/in-list';
import { createTexts } from '../tables/kept-texts';
import { conditionOf, matchesOf, placeholders, shapeOfMatch, valuesOf } from '../tables/match-sql';
import type { TypeTable } from '../tables/type-table';
import type { Added } from '../ties/added';
import { createInserts } from './insert-rows';

/** Columns that are read together. */
interface Selection {
  /** The same for the same columns of one table. */
  readonly key: string;
  readonly columns: string;
  readonly names: readonly string[];
  readonly storages: readonly ScalarStorage[];
}

/** Of one type. */
const keptSelections = 100;

/** The statements that read and write the rows of types; their texts are made once. */
export function createRowStatements(dialect: Dialect, tableOf: (type: ContentType) => TypeTable) {
  const textOf = createTexts();
  const insertRows = createInserts(dialect);
  const selections = new WeakMap<TypeTable, Lru<Selection>>();

  const stored = (table: TypeTable, attribute: Attribute, value: Bound): unknown =>
    dialect.store(value, table.storage(attribute));

  function describe(table: TypeTable, names: readonly string[] | undefined, key: string): Selection {
    const { attributes: all } = table.type;
    const attributes = names ? names.map((name) => all.get(name)!) : [...all.values()];
    const storages = attributes.map((attribute) => table.storage(attribute));
    const columns = attributes.map((attribute, at) => dialect.raw(table.column(attribute), storages[at]!)).join(',');
    return { key, columns, names: attributes.map(({ name }) => name), storages };
  }

  /** What is read of a type's rows: everything they hold, unless it is named. */
  function selectionOf(table: TypeTable, names: readonly string[] | undefined): Selection {
    const known = selections.get(table) ?? new Lru<Selection>(keptSelections);
    const key = names ? names.join() : '*';
    const found = known.get(key);
    if (found) return found;
    const made = describe(table, names, key);
    known.set(key, made);
    selections.set(table, known);
    return made;
  }

  function loaded({ names, storages }: Selection, values: readonly unknown[]): Row {
    const row: Record<string, Bound> = {};
    for (let at = 0; at < names.length; at++) row[names[at]!] = dialect.load(values[at], storages[at]!);
    return row;
  }

  /** One statement for as many rows as it takes, made once for all matches of one shape. */
  function* statements(
    table: TypeTable,
    all: RowMatch,
    kind: string,
    make: (condition: () => string, next: () => string) => string,
  ): Generator<{ readonly sql: string; readonly values: unknown[] }> {
    for (const match of matchesOf(all)) {
      const sql = textOf(`${kind} ${table.name} ${shapeOfMatch(match)}`, () => {
        const next = placeholders(dialect);
        return make(() => conditionOf(match, table, dialect, next), next);
      });
      yield { sql, values: valuesOf(match, table, dialect) };
    }
  }

  return {
    async insert(connection: Connection, type: ContentType, rows: readonly Row[], added: Added): Promise<number[]> {
      const table = tableOf(type);
      const ids = await insertRows(connection, table, rows);
      added.rows(table, ids, rows);
      return ids;
    },

    async update(connection: Connection, type: ContentType, match: RowMatch, row: Row): Promise<void> {
      const table = tableOf(type);
      const names = Object.keys(row);
      const attributes = names.map((name) => type.attributes.get(name)!);
      const settings = attributes.map((attribute) => stored(table, attribute, row[attribute.name]!));
      const sql = textOf(`update ${table.name} ${names} ${shapeOfMatch(match)}`, () => {
        const next = placeholders(dialect);
        const set = attributes.map((attribute) => `${table.column(attribute)}=${next()}`).join(',');
        return `update ${table.name} set ${set} where ${conditionOf(match, table, dialect, next)}`;
      });
      await connection.post({ sql }, [...settings, ...valuesOf(match, table, dialect)]);
    },

    async delete(connection: Connection, type: ContentType, match: RowMatch): Promise<void> {
      const table = tableOf(type);
      const deletion = (condition: () => string): string => `delete from ${table.name} where ${condition()}`;
      for (const { sql, values } of statements(table, match, 'delete', deletion))
        await connection.post({ sql }, values);
    },

    async rows(
      connection: Connection,
      type: ContentType,
      match: RowMatch,
      names: readonly string[] | undefined,
      most: number | undefined,
    ): Promise<Row[]> {
      const table = tableOf(type);
      const selection = selectionOf(table, names);
      const { key, columns } = selection;
      const limit = most === undefined ? '' : ` limit ${most}`;
      const rows: Row[] = [];
      const search = (condition: () => string): string =>
        `select ${columns} from ${table.name} where ${condition()} order by ${dialect.id('id')}${limit}`;
      for (const { sql, values } of statements(table, match, `rows ${key}${limit}`, search))
        for (const each of await connection.rows({ sql }, values)) rows.push(loaded(selection, each));
      return rows;
    },

    async holding(
      connection: Connection,
      type: ContentType,
      attribute: Attribute,
      wanted: readonly Bound[],
      match: RowMatch,
    ): Promise<Row[]> {
      const table = tableOf(type);
      const column = table.column(attribute);
      const storage = table.storage(attribute);
      const document = type.attributes.has('documentId') ? dialect.id('document_id') : 'null';
      const rows: Row[] = [];
      for (const list of listsOf(wanted)) {
        const sql = textOf(`holding ${table.name} ${attribute.name} ${list.length} ${shapeOfMatch(match)}`, () => {
          const next = placeholders(dialect);
          const shown = dialect.raw(column, storage);
          const among = `${column} in (${list.map(next).join(',')})`;
          return `select ${dialect.id('id')},${document},${shown} from ${table.name} where ${among} and ${conditionOf(match, table, dialect, next)}`;
        });
        const bound = [...list.map((value) => stored(table, attribute, value)), ...valuesOf(match, table, dialect)];
        for (const [id, documentId, kept] of await connection.rows({ sql }, bound)) {
          const value = dialect.load(kept, storage);
          // A collation may take more for equal than a reader would: case, accents, blanks at the end.
          if (wanted.includes(value))
            rows.push({ id: Number(id), documentId: String(documentId), [attribute.name]: value });
        }
      }
      return rows;
    },
  };
}

export type RowStatements = ReturnType<typeof createRowStatements>;
