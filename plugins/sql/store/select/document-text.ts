import {
  type Entry,
  entriesOf,
  isMixed,
  isPart,
  type NestedSelection,
  type Populated,
  type Selection,
} from '../../../../core';
import type { ApartJoined } from '../../dialects/apart';
import { byId, type OrderValue, orderInGroup, spelledOrder } from '../tables/order-value';
import { idAt, type RowAt, type RowText, type Scope } from '../tables/scope';
import { type TiePlace, type TiesOfRow, tiesOfRow, typeIn } from '../tables/ties-of-row';
import type { RenderedRows } from '../tables/type-table';
import { orderValues } from './order-sql';
import { pageText } from './page-text';
import { predicateSql } from './predicate-sql';
import { isSharedList } from './shared-lists';
import { spelt } from './spelt';
import { createTextParts, type TextParts } from './text-parts';
import { type Through, tiedRows } from './tied-rows';

/** A document's JSON text, made by the database: its keys, and what the caller puts last. */
export function documentText(scope: Scope, row: RowAt, selection: Selection, last = ''): RowText {
  const entries = entriesOf(selection);
  const kept = scope.dialect.renderings && keptEntries(row, entries);
  if (!kept) return { text: objectText(scope, row, entries, last), join: '' };
  const alias = scope.alias();
  const [id, ...rest] = entries;
  const [shown, more] = [rest.slice(0, kept.names.length), rest.slice(kept.names.length)];
  const parts = createTextParts(scope.dialect);
  parts.known('{');
  addEntries(parts, scope, row, [id!], '');
  const text = kept.text(row.alias, alias, scope.parameters);
  const made = createTextParts(scope.dialect);
  addEntries(made, scope, row, shown, ',');
  parts.found(`coalesce(${text},${made.sql()})`);
  addEntries(parts, scope, row, more, ',');
  parts.known(`${last}}`);
  const join = ` left join ${kept.table} ${alias} on ${alias}.${scope.dialect.id('id')}=${idAt(row, scope)}`;
  return { text: parts.sql(), join };
}

/** The texts of rows that the database keeps, where they are what is to be shown behind the id. */
function keptEntries({ table: { rendered } }: RowAt, [id, ...entries]: readonly Entry[]): RenderedRows | undefined {
  const isPlain = (entry: Entry | undefined, name: string): boolean =>
    entry !== undefined &&
    'attribute' in entry &&
    entry.key === name &&
    entry.attribute.name === name &&
    entry.spelling === undefined &&
    entry.missing === undefined;
  return isPlain(id, 'id') && rendered?.names.every((name, index) => isPlain(entries[index], name))
    ? rendered
    : undefined;
}

function objectText(scope: Scope, row: RowAt, entries: readonly Entry[], last: string): string {
  const parts = createTextParts(scope.dialect);
  parts.known('{');
  addEntries(parts, scope, row, entries, '');
  parts.known(`${entries.length === 0 && last.startsWith(',') ? last.slice(1) : last}}`);
  return parts.sql();
}

/** Adds entries with commas between them, the first behind `before`. */
function addEntries(parts: TextParts, scope: Scope, row: RowAt, entries: readonly Entry[], before: string): void {
  for (const [index, entry] of entries.entries()) {
    parts.known(`${index === 0 ? before : ','}${JSON.stringify(entry.key)}:`);
    if ('text' in entry) parts.known(entry.text);
    else parts.found(entryText(scope, row, entry));
  }
}

function entryText(scope: Scope, row: RowAt, entry: Exclude<Entry, { text: string }>): string {
  if ('inside' in entry) return objectText(scope, row, entry.inside, '');
  if ('attribute' in entry) return spelt(scope, row, entry);
  return populatedText(scope, row, entry.populated, entry.missing);
}

function populatedText(scope: Scope, owner: RowAt, populated: Populated, missing = 'null'): string {
  const gap = scope.gapFor?.(owner, populated, missing);
  if (gap !== undefined) return gap;
  const { relations, dialect } = scope;
  const inside = isPart(populated.nested) ? scope : { ...scope, relations: relations + 1 };
  const text =
    populated.show === 'count' ? countText(scope, owner, populated) : tiedText(inside, owner, populated, missing);
  const mayMultiply = relations > 0 && isSharedList(populated.nested);
  return mayMultiply && dialect.counted ? dialect.counted(text, relations) : text;
}

function tiedText(scope: Scope, owner: RowAt, populated: Populated, missing: string): string {
  const { nested, selections } = populated;
  if (isMixed(nested)) return mixedText(scope, owner, populated, missing);
  const [selection] = selections;
  // Everything that could stand here is hidden from the caller.
  if (!selection) return scope.dialect.literal(nested.many ? '[]' : missing);
  return nested.many
    ? listText(scope, owner, populated, selection)
    : oneText(scope, owner, populated, selection, missing);
}

interface TiedTexts {
  readonly text: string;
  readonly from: string;
  /** Absent where the rows come in their order. */
  readonly order?: readonly OrderValue[];
}

/** The text of the row that a tie leads to, and what joins it to the ties. */
export type RowBehind = (scope: Scope, row: RowAt, through: Through, selection: NestedSelection) => RowText;

/** The rows that ties lead to, joined to these where they are shown. */
export function shownJoined(scope: Scope, row: RowAt, target: string, { where }: NestedSelection): string {
  const condition = where ? ` and ${predicateSql(scope, row, where)}` : '';
  return ` ${scope.dialect.joinAfter} ${row.table.name} ${row.alias} on ${idAt(row, scope)}=${target}${condition}`;
}

/** By a join. */
export const rowJoined: RowBehind = (scope, row, { target }, selection) => {
  const { text, join } = documentText(scope, row, selection);
  return { text: scope.dialect.fitting(text), join: shownJoined(scope, row, target, selection) + join };
};

/** By a select for each tie. */
export function textBehind(
  scope: Scope,
  apart: ApartJoined,
  row: RowAt,
  { target }: Through,
  selection: NestedSelection,
): RowText {
  const { text, join } = documentText(scope, row, selection);
  const condition = selection.where ? ` and ${predicateSql(scope, row, selection.where)}` : '';
  const found = `select ${text} as x from ${row.table.name} ${row.alias}${join} where ${idAt(row, scope)}=${target}${condition}`;
  return { text: `${row.alias}.x`, join: apart.each(found, row.alias) };
}

/** Where the order stands: before the rows, as of texts that are joined, or behind them. Parameters are collected by that. */
type OrderStands = 'ahead' | 'behind';

function tiedTexts(
  scope: Scope,
  owner: RowAt,
  { nested }: Populated,
  selection: NestedSelection,
  orderStands: OrderStands,
): TiedTexts {
  const { dialect } = scope;
  const tied = tiedRows(scope, owner, nested, selection.type);
  if (dialect.apart?.as === 'joined' && tied.through && !selection.order) {
    const { text, join } = textBehind(scope, dialect.apart, tied.row, tied.through, selection);
    const from = `from ${tied.through.from} ${join} where ${tied.through.whereOne}`;
    return { text, from, order: tied.order };
  }
  const { text: made, join } = documentText(scope, tied.row, selection);
  const text = dialect.fitting(made);
  const ordered = () =>
    selection.order ? [...orderValues(scope, tied.row, selection.order), ...tied.among] : tied.order;
  const ahead = orderStands === 'ahead' ? ordered() : undefined;
  const condition = selection.where && predicateSql(scope, tied.row, selection.where);
  if (tied.inOrder && !selection.order)
    return { text, from: `from ${tied.inOrder}${join}${condition ? ` where ${condition}` : ''}` };
  const from = `from ${tied.from}${join} where ${tied.whereOne}${condition ? ` and ${condition}` : ''}`;
  return { text, from, order: ahead ?? ordered() };
}

function oneText(
  scope: Scope,
  owner: RowAt,
  populated: Populated,
  selection: NestedSelection,
  missing: string,
): string {
  const { text, from, order } = tiedTexts(scope, owner, populated, selection, 'behind');
  const first = order === undefined ? 'limit 1' : `order by ${spelledOrder(scope.dialect, order)} limit 1`;
  return orElse(scope, `(select ${text} ${from} ${first})`, missing);
}

/** A text or, where it is NULL, other JSON. */
const orElse = ({ dialect }: Scope, text: string, other: string): string =>
  `coalesce(${text},${dialect.literal(other)})`;

function listText(scope: Scope, owner: RowAt, populated: Populated, selection: NestedSelection): string {
  const { dialect } = scope;
  if (selection.window) {
    const page = pageText(scope, owner, populated.nested, { ...selection, window: selection.window }, (row) =>
      documentText(scope, row, selection),
    );
    return dialect.concat([dialect.literal('['), page, dialect.literal(']')]);
  }
  const { text, from, order } = tiedTexts(scope, owner, populated, selection, 'ahead');
  return dialect.concat([
    dialect.literal('['),
    `(select ${dialect.joinedTexts(text, order && orderInGroup(dialect, order))} ${from})`,
    dialect.literal(']'),
  ]);
}

function countText(scope: Scope, owner: RowAt, populated: Populated): string {
  const { dialect } = scope;
  const counts = populated.selections.map((selection) => {
    const tied = tiedRows(scope, owner, populated.nested, selection.type);
    const condition = selection.where ? ` and ${predicateSql(scope, tied.row, selection.where)}` : '';
    return `(select count(*) from ${tied.from} where ${tied.whereOne}${condition})`;
  });
  return dialect.concat([dialect.literal('{"count":'), counts.join('+') || '0', dialect.literal('}')]);
}

/** Things of several types tied to a row: the row that ties each says which it is. */
export interface MixedTexts {
  readonly tie: MixedTies;
  readonly text: string;
  /** Whether a tie leads to what is asked for. */
  readonly listed: string;
}

/** Their texts, each written in a scope for its row, which the target of the tie leads to. */
export function mixedTexts(
  scope: Scope,
  owner: RowAt,
  { nested, selections }: Populated,
  scopeFor: (row: RowAt, selection: NestedSelection, target: string) => Scope,
): MixedTexts {
  const { dialect } = scope;
  const { id, literal } = dialect;
  const tie = mixedTies(scope, owner, nested);
  const cases = selections.map((selection) => {
    const row: RowAt = { table: scope.tableOf(selection.type), alias: scope.alias() };
    const last = selection.entries
      ? ''
      : nested.storage === 'zone'
        ? `,"__component":${JSON.stringify(selection.type.uid)}`
        : `,"__type":${JSON.stringify(selection.type.uid)}`;
    const { text: made, join } = documentText(scopeFor(row, selection, tie.target), row, selection, last);
    const text = dialect.fitting(made);
    const condition = selection.where ? ` and ${predicateSql(scope, row, selection.where)}` : '';
    return `when ${literal(selection.type.uid)} then (select ${text} from ${row.table.name} ${row.alias}${join} where ${row.alias}.${id('id')}=${tie.target}${condition})`;
  });
  return {
    tie,
    text: `case ${tie.uid} ${cases.join(' ')} end`,
    listed: `${tie.uidAmong} in (${selections.map(({ type }) => literal(type.uid)).join(',')})`,
  };
}

function mixedText(scope: Scope, owner: RowAt, populated: Populated, missing: string): string {
  const { nested, selections } = populated;
  const { dialect } = scope;
  const { literal } = dialect;
  if (selections.length === 0) return literal(nested.many ? '[]' : missing);
  const { tie, text, listed } = mixedTexts(scope, owner, populated, () => scope);
  if (!nested.many)
    return orElse(scope, `(select ${text} from ${tie.from} where ${tie.whereOne} and ${listed} limit 1)`, missing);
  const joined = tie.inOrder
    ? `${dialect.joinedTexts(text, undefined)} from ${tie.inOrder} where ${listed}`
    : `${dialect.joinedTexts(text, orderInGroup(dialect, tie.order))} from ${tie.from} where ${tie.whereOne} and ${listed}`;
  return dialect.concat([literal('['), `(select ${joined})`, literal(']')]);
}

export interface MixedTies extends Omit<TiesOfRow, 'at' | 'where'> {
  readonly target: string;
  readonly uid: string;
  /** The same in a condition. */
  readonly uidAmong: string;
}

function mixedTies(scope: Scope, owner: RowAt, nested: Populated['nested']): MixedTies {
  const { id } = scope.dialect;
  const place = owner.table.place(nested);
  const leading = (to: string, uid: string, through: Omit<TiePlace, 'leads'>): MixedTies => {
    const { at, where: _, ...ties } = tiesOfRow(scope, owner, { ...through, leads: [to, uid] });
    return { ...ties, target: at(to), uid: at(uid), uidAmong: typeIn(scope.dialect, through)(at(uid)) };
  };
  if (place.in === 'components') {
    const { componentColumn, typeColumn, fieldColumn, field } = place;
    return leading(componentColumn, typeColumn, { ...place, fixed: [[fieldColumn, field]], isIndexedByFixed: true });
  }
  if (place.in === 'morphTable') return leading(place.idColumn, place.typeColumn, place);
  if (place.in === 'morphColumns') {
    const link = scope.alias();
    const at = (column: string): string => `${link}.${id(column)}`;
    return {
      alias: link,
      from: `${owner.table.name} ${link}`,
      whereOne: `${at('id')}=${idAt(owner, scope)}`,
      order: [byId(at('id'))],
      target: at(place.idColumn),
      uid: at(place.typeColumn),
      uidAmong: at(place.typeColumn),
    };
  }
  throw new Error(`${owner.table.type.uid}.${nested.name} does not mix types`);
}
