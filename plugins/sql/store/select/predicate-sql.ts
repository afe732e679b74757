import type { Predicate, SomePredicate } from '../../../../core';
import { symbols } from '../../dialects/dialect';
import type { LinkPlace } from '../../layout/places';
import { columnAt, idAt, type RowAt, type Scope } from '../tables/scope';
import type { TypeTable } from '../tables/type-table';
import { isLong, joinedConditions, mayTakeLong } from './joined-conditions';
import { looksOutside } from './looks-outside';
import { isLongList } from './shared-lists';
import { tiedRows } from './tied-rows';

/** How a condition stands in its statement. */
interface Place {
  /** The row that the row in question is tied to, where it is. */
  readonly outer?: RowAt;
  /** Whether a planner should take it as it stands, since it would spend too long on finding other ways. */
  readonly isFenced?: boolean;
  /** Whether the row is tied to others, and so may be met many times. */
  readonly isTied?: boolean;
  /** Whether the statement ends where it takes too long, at each such row. */
  readonly isWatched?: boolean;
  /** Whether rows of one status are to be found by the index that has them together. */
  readonly isNarrowScan?: boolean;
}

/** Planners weigh the orders of so many joins at once, and no more. */
const mostJoined = 8;

/** Something tied to a row, of what counts as tied, that meets the conditions. */
function existsSql(
  scope: Scope,
  row: RowAt,
  { nested, type }: SomePredicate,
  conditions: readonly (Predicate | undefined)[],
  isFenced: boolean,
): string {
  const tied = tiedRows(scope, row, nested, type);
  const inner = conditions
    .filter((condition) => condition !== undefined)
    .map((condition) => ` and ${predicateSql(scope, tied.row, condition, { outer: row, isTied: true })}`);
  // Behind a fence it is run for one row after the other.
  const [where, end] = isFenced ? [tied.whereOne, scope.dialect.fence] : [tied.where, ''];
  return `exists (select 1 from ${tied.from} where ${where}${inner.join('')}${end})`;
}

const placeOf = (owner: TypeTable, { nested }: SomePredicate): LinkPlace => {
  const place = owner.place(nested);
  if (place.in !== 'link') throw new Error(`${owner.type.uid}.${nested.name} is not kept in a table of links`);
  return place;
};

const conditionsOn = (scope: Scope, row: RowAt, { among, where }: SomePredicate): string[] =>
  [among, where]
    .filter((condition) => condition !== undefined)
    .map((condition) => predicateSql(scope, row, condition, { isTied: true }));

/** The links that meet a condition: the column with the row that is linked, and where it is selected from. */
export function linksMeeting(scope: Scope, owner: TypeTable, some: SomePredicate) {
  const { id } = scope.dialect;
  const place = placeOf(owner, some);
  const row: RowAt = { table: scope.tableOf(some.type), alias: scope.alias() };
  const link = scope.alias();
  const own = `${link}.${id(place.ownColumn)}`;
  const tie = `${idAt(row, scope)}=${link}.${id(place.targetColumn)}`;
  const met = [`${own} is not null`, ...conditionsOn(scope, row, some)].join(' and ');
  return { own, from: `${row.table.name} ${row.alias} join ${id(place.table)} ${link} on ${tie} where ${met}` };
}

/** How many rows that may be linked meet a condition, counted no further than to two. */
export function targetsMeeting(scope: Scope, some: SomePredicate): string {
  return `select count(*) from (${targetsSql(scope, some, () => '1', 2)}) m`;
}

function targetsSql(scope: Scope, some: SomePredicate, shown: (row: RowAt) => string, most: number): string {
  const row: RowAt = { table: scope.tableOf(some.type), alias: scope.alias() };
  const met = conditionsOn(scope, row, some);
  const where = met.length > 0 ? ` where ${met.join(' and ')}` : '';
  return `select ${shown(row)} from ${row.table.name} ${row.alias}${where} limit ${most}`;
}

/**
 * The links, called `f`, of the only row that meets a condition: none where there are more such rows. Of links that were
 * written twice, as a table without the peer's unique index lets others do, the first.
 */
export function linksAlong(scope: Scope, owner: TypeTable, some: SomePredicate) {
  const { id, copyOrder = id('id') } = scope.dialect;
  const place = placeOf(owner, some);
  const [table, own, target] = [id(place.table), id(place.ownColumn), id(place.targetColumn)];
  return {
    own: `f.${own}`,
    from: `${table} f`,
    condition(): string {
      const only = `f.${target}=(${targetsSql(scope, some, (row) => idAt(row, scope), 1)})`;
      const isFirst = `not exists (select 1 from ${table} d where d.${own}=f.${own} and d.${target}=f.${target} and d.${copyOrder}<f.${copyOrder})`;
      return `${only} and (${targetsMeeting(scope, some)})=1 and ${isFirst}`;
    },
  };
}

/**
 * What has to be tied to something of a list: looked for from each row that it is tied to in turn, every such list would be gone
 * through as often as it has rows. All that meet it are found once.
 */
function amongAllSql(scope: Scope, row: RowAt, some: SomePredicate, met: (each: RowAt) => string): string {
  const { amongAll, inTime } = scope.dialect;
  if (!amongAll) return met(row);
  // Half as many selects inside each other, of which SQLite reads no more than there may be relations.
  if (!some.orNone && row.table.place(some.nested).in === 'link' && !looksOutside(some)) {
    const { own, from } = linksMeeting(scope, row.table, some);
    return amongAll(idAt(row, scope), own, inTime ? `${from} and ${inTime(own)}` : from);
  }
  const each: RowAt = { table: row.table, alias: scope.alias() };
  const id = idAt(each, scope);
  const inside = inTime ? `${inTime(id)} and ` : '';
  return amongAll(idAt(row, scope), id, `${each.table.name} ${each.alias} where ${inside}${met(each)}`);
}

function someSql(scope: Scope, row: RowAt, some: SomePredicate, { isFenced = false, isTied = false }: Place): string {
  const { dialect, sought } = scope;
  const isSought = some === sought?.some;
  if (isSought && sought.way === 'along') return linksAlong(scope, row.table, some).condition();
  if (isSought && sought.way === 'first') {
    // What is joined needs no condition.
    if (!dialect.foundFirst) return '1=1';
    const { own, from } = linksMeeting(scope, row.table, some);
    return dialect.foundFirst(idAt(row, scope), `select ${own} from ${from}`);
  }
  const met = (one: RowAt): string => {
    const found = existsSql(scope, one, some, [some.among, some.where], isFenced || some.orNone);
    return some.orNone ? `(${found} or not ${existsSql(scope, one, some, [some.among], true)})` : found;
  };
  if (isTied && isLongList(some.nested)) return amongAllSql(scope, row, some, met);
  return isSought && dialect.foundForEach ? dialect.foundForEach(met(row)) : met(row);
}

/** A condition on a row as SQL. */
export function predicateSql(scope: Scope, row: RowAt, predicate: Predicate, place: Place = {}): string {
  const { dialect, parameters } = scope;
  const { outer, isFenced = false, isNarrowScan = false, isWatched = false } = place;
  switch (predicate.op) {
    case 'never':
      return '1=0';
    case 'some':
      return someSql(scope, row, predicate, place);
    case 'relative':
      return `${columnAt(row, predicate.attribute)}${symbols[predicate.comparison]}${columnAt(outer!, predicate.attribute)}`;
    case 'and':
    case 'or': {
      const isAnd = predicate.op === 'and';
      if (predicate.items.length === 0) return isAnd ? '1=1' : '1=0';
      const watch =
        dialect.inTime && !isWatched && mayTakeLong(predicate) ? `${dialect.inTime(idAt(row, scope))} and ` : '';
      const within = {
        ...place,
        isFenced: isFenced || !isAnd || predicate.items.length > mostJoined,
        isWatched: isWatched || watch !== '',
      };
      const items = predicate.items.map((item) => predicateSql(scope, row, item, within));
      const joined = `(${joinedConditions(items, predicate.op, isLong(predicate))})`;
      return watch ? `(${watch}${joined})` : joined;
    }
    case 'not':
      return `not (${predicateSql(scope, row, predicate.item, place)})`;
  }
  const { attribute } = predicate;
  const column = columnAt(row, attribute);
  const storage = row.table.storage(attribute);
  switch (predicate.op) {
    case 'null': {
      return `${row.table.isVariant(attribute) && !isNarrowScan ? dialect.unindexed(column) : column} is ${predicate.negated ? 'not ' : ''}null`;
    }
    case 'compare':
      return dialect.compare(column, storage, predicate.comparison, predicate.slot, parameters);
    case 'between':
      return `(${dialect.compare(column, storage, 'gte', predicate.low, parameters)} and ${dialect.compare(column, storage, 'lte', predicate.high, parameters)})`;
    case 'in': {
      if (predicate.slots.length === 0) return '1=0';
      const isList = isLong(predicate);
      if (isList && dialect.among)
        return dialect.among(column, storage, predicate.slots, predicate.negated, parameters);
      const comparison = predicate.negated ? 'ne' : 'eq';
      const one = predicate.slots.map((slot) => dialect.compare(column, storage, comparison, slot, parameters));
      return `(${joinedConditions(one, predicate.negated ? 'and' : 'or', isList)})`;
    }
    case 'text': {
      const condition = dialect.text(column, storage, predicate, parameters);
      return predicate.negated ? `not (${condition})` : condition;
    }
  }
}
