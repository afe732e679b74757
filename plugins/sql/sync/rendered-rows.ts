import type { DialectName } from '../dialects/dialect';
import { sqlite } from '../dialects/sqlite';
import { renderedTriggerName, type WriteEvent } from '../layout/identifiers';
import type { Layout, Rendered, RenderedColumn, Table } from '../layout/layout';
import { piecesOf } from '../layout/rendered';

/** What the database itself runs at each write of a table, by name, in the words of its catalog. */
export type Triggers = ReadonlyMap<string, string>;

const { id, literal, json } = sqlite;
const { isSpelt, json: spelt } = sqlite.renderings!;

/** Of a table the texts of rows that this database keeps. */
export const renderedOn = (dialect: DialectName, { rendered }: Table): Rendered | undefined =>
  dialect === 'sqlite' && rendered && piecesOf(rendered, isSpelt).length > 0 ? rendered : undefined;

/** A column of a table of texts, and what it keeps of a row. */
interface Kept {
  readonly name: string;
  readonly text: string;
}

/** Values that stand alone are spelt by `alone`; the text of all others is NULL where it can't be told how to spell one. */
const keptOf = (rendered: Rendered, prefix: string, alone = spelt): Kept[] =>
  piecesOf(rendered, isSpelt).flatMap((piece) => {
    if ('known' in piece) return [];
    const at = ({ column }: RenderedColumn): string => prefix + id(column);
    if ('value' in piece) return [{ name: piece.in, text: alone(at(piece.value), piece.value.storage) }];
    const parts = piece.parts.map((part) => (typeof part === 'string' ? literal(part) : spelt(at(part), part.storage)));
    return [{ name: piece.in, text: parts.join('||') }];
  });

const listed = (texts: readonly string[]): string => texts.join(',');

const into = ({ table }: Rendered, kept: readonly Kept[]): string =>
  `insert into ${id(table)} (${listed(['id', ...kept.map(({ name }) => name)].map(id))})`;

const filled = (name: string, rendered: Rendered, kept: readonly Kept[]): string =>
  `${into(rendered, kept)} select t."id",${listed(kept.map(({ text }) => text))} from ${id(name)} t`;

/** The triggers that keep the texts of a table's rows. */
export function triggersOf(name: string, rendered: Rendered): Triggers {
  const columns = new Set(['id', ...rendered.columns.map(({ column }) => column)]);
  const forget = (row: 'old' | 'new'): string => `delete from ${id(rendered.table)} where "id"=${row}."id";`;
  // Of the row as it is now: a trigger of somebody else's may have changed it since. And not by `insert or replace`, for the
  // conflict clause of a statement that fires a trigger goes before those in it.
  const keep = `${forget('new')} ${filled(name, rendered, keptOf(rendered, 't.'))} where t."id"=new."id";`;
  const trigger = (event: WriteEvent, of: string, work: string): [string, string] => {
    const own = renderedTriggerName(rendered.table, event);
    return [own, `CREATE TRIGGER ${id(own)} after ${event}${of} on ${id(name)} begin ${work} end`];
  };
  return new Map([
    trigger('insert', '', keep),
    trigger('update', ` of ${listed([...columns].map(id))}`, `${forget('old')} ${keep}`),
    trigger('delete', '', forget('old')),
  ]);
}

const renderedTables = (dialect: DialectName, { tables }: Layout): [string, Rendered][] =>
  tables.flatMap((table) => {
    const rendered = renderedOn(dialect, table);
    return rendered ? [[table.name, rendered]] : [];
  });

/** Those of all tables. */
export const allTriggers = (dialect: DialectName, layout: Layout): Triggers =>
  new Map(renderedTables(dialect, layout).flatMap(([name, rendered]) => [...triggersOf(name, rendered)]));

/**
 * What a connection of Heddle's is to run, so that rows which it writes lack no text of a value: it can spell more than the
 * triggers, which others run, too.
 */
export const ownTriggers = (dialect: DialectName, layout: Layout): string[] =>
  renderedTables(dialect, layout).flatMap(([name, rendered]) => {
    const values = piecesOf(rendered, isSpelt).flatMap((piece) => ('value' in piece ? [piece] : []));
    if (values.length === 0) return [];
    const texts = id(rendered.table);
    const isMissing = values.map((piece) => `new.${id(piece.in)} is null`).join(' or ');
    const found = values.map((piece) => json(`t.${id(piece.value.column)}`, piece.value.storage));
    const select = `select ${listed(found)} from ${id(name)} t where t."id"=new."id"`;
    const set = `set (${listed(values.map((piece) => id(piece.in)))})=(${select}) where "id"=new."id"`;
    return [
      `create temp trigger ${id(renderedTriggerName(rendered.table, 'own'))} after insert on main.${texts} when ${isMissing} begin update ${texts} ${set}; end`,
    ];
  });

const dropped = (triggers: Iterable<string>): string[] =>
  [...triggers].map((name) => `drop trigger if exists ${id(name)}`);

/**
 * Makes the texts of all rows of a table, and sees to it that they are kept. What a table of texts has is left in it, for
 * others may be reading it: `there` are its columns.
 */
export function renderingStatements(name: string, rendered: Rendered, there?: ReadonlySet<string>): string[] {
  const texts = id(rendered.table);
  const triggers = triggersOf(name, rendered);
  const kept = keptOf(rendered, 't.', json);
  const added = kept.filter((column) => !there?.has(column.name));
  return [
    ...dropped(triggers.keys()),
    there ? `delete from ${texts}` : `create table ${texts} ("id" integer not null primary key)`,
    ...added.map((column) => `alter table ${texts} add column ${id(column.name)} text`),
    filled(name, rendered, kept),
    ...triggers.values(),
  ];
}

/** Leaves no text that is not kept any longer. Tables of texts stay, for others may be reading them. */
export const forgettingStatements = (triggers: readonly string[], tables: readonly string[]): string[] => [
  ...dropped(triggers),
  ...tables.map((texts) => `delete from ${id(texts)}`),
];
