import type { ContentType, NestedSelection, Populated, Selection } from '../../../core';
import { orderSql } from './order-sql';
import { predicateSql } from './predicate-sql';
import { columnAt, idAt, type RowAt, type Scope } from './scope';
import { tiedRows } from './tied-rows';

const key = (name: string, isFirst: boolean): string => `${isFirst ? '{' : ','}${JSON.stringify(name)}:`;

/** A document's JSON text, made by the database: its values, what is populated, and what the caller puts last. */
export function documentText(scope: Scope, row: RowAt, { select, populate }: Selection, last = ''): string {
  const { dialect } = scope;
  const values = select.flatMap((attribute, index) => [
    dialect.literal(key(attribute.name, index === 0)),
    dialect.json(columnAt(row, attribute), row.table.storage(attribute)),
  ]);
  const nested = populate.flatMap((populated, index) => [
    dialect.literal(key(populated.nested.name, values.length === 0 && index === 0)),
    populatedText(scope, row, populated),
  ]);
  return dialect.concat([...values, ...nested, dialect.literal(`${last}}`)]);
}

function populatedText(scope: Scope, owner: RowAt, populated: Populated): string {
  const { nested, selections } = populated;
  if (populated.show === 'count') return countText(scope, owner, populated);
  if (nested.storage === 'zone' || nested.storage === 'morph') return mixedText(scope, owner, populated);
  const [selection] = selections;
  // Everything that could stand here is hidden from the caller.
  if (!selection) return scope.dialect.literal(nested.many ? '[]' : 'null');
  return nested.many ? listText(scope, owner, populated, selection) : oneText(scope, owner, populated, selection);
}

function parts(scope: Scope, owner: RowAt, { nested }: Populated, selection: NestedSelection) {
  const tied = tiedRows(scope, owner, nested, selection.type);
  const text = scope.dialect.fitting(documentText(scope, tied.row, selection));
  const condition = selection.where ? ` and ${predicateSql(scope, tied.row, selection.where)}` : '';
  const order = selection.order ? `${orderSql(scope, tied.row, selection.order)},${idAt(tied.row, scope)}` : tied.order;
  return { text, from: `from ${tied.from} where ${tied.where}${condition}`, order };
}

function oneText(scope: Scope, owner: RowAt, populated: Populated, selection: NestedSelection): string {
  const { text, from, order } = parts(scope, owner, populated, selection);
  return scope.dialect.orNull(`(select ${text} ${from} order by ${order} limit 1)`);
}

function listText(scope: Scope, owner: RowAt, populated: Populated, selection: NestedSelection): string {
  const { dialect } = scope;
  const { text, from, order } = parts(scope, owner, populated, selection);
  return dialect.concat([
    dialect.literal('['),
    `(select ${dialect.joinedTexts(text, order)} ${from})`,
    dialect.literal(']'),
  ]);
}

function countText(scope: Scope, owner: RowAt, populated: Populated): string {
  const { dialect } = scope;
  const counts = populated.selections.map((selection) => {
    const tied = tiedRows(scope, owner, populated.nested, selection.type);
    const condition = selection.where ? ` and ${predicateSql(scope, tied.row, selection.where)}` : '';
    return `(select count(*) from ${tied.from} where ${tied.where}${condition})`;
  });
  return dialect.concat([dialect.literal('{"count":'), counts.join('+') || '0', dialect.literal('}')]);
}

/** What a type shows that an attribute no longer lists. */
const strayIn = (type: ContentType): NestedSelection => ({
  type,
  select: [...type.attributes.values()].filter(({ hidden }) => !hidden),
  populate: [],
  where: undefined,
  order: undefined,
});

/** Things of several types in one list: the row that ties each says which it is. */
function mixedText(scope: Scope, owner: RowAt, populated: Populated): string {
  const { nested } = populated;
  const isOpen = populated.show === 'things' && populated.isOpen === true;
  const strays = isOpen ? owner.table.strays(nested).map(strayIn) : [];
  const selections = [...populated.selections, ...strays];
  const { dialect } = scope;
  const { id, literal } = dialect;
  const tie = mixedTies(scope, owner, nested);
  if (selections.length === 0) return literal(nested.many ? '[]' : 'null');
  const cases = selections.map((selection) => {
    const row: RowAt = { table: scope.tableOf(selection.type), alias: scope.alias() };
    const last =
      nested.storage === 'zone'
        ? `,"__component":${JSON.stringify(selection.type.uid)}`
        : `,"__type":${JSON.stringify(selection.type.uid)}`;
    const text = dialect.fitting(documentText(scope, row, selection, last));
    const condition = selection.where ? ` and ${predicateSql(scope, row, selection.where)}` : '';
    return `when ${literal(selection.type.uid)} then (select ${text} from ${row.table.name} ${row.alias} where ${row.alias}.${id('id')}=${tie.target}${condition})`;
  });
  const text = `case ${tie.uid} ${cases.join(' ')} end`;
  const listed = `${tie.uid} in (${selections.map(({ type }) => literal(type.uid)).join(',')})`;
  const from = `${tie.from} where ${tie.where} and ${listed}`;
  if (!nested.many) return dialect.orNull(`(select ${text} from ${from} limit 1)`);
  return dialect.concat([literal('['), `(select ${dialect.joinedTexts(text, tie.order)} from ${from})`, literal(']')]);
}

interface MixedTies {
  readonly from: string;
  readonly where: string;
  readonly order: string;
  readonly target: string;
  readonly uid: string;
}

function mixedTies(scope: Scope, owner: RowAt, nested: Populated['nested']): MixedTies {
  const { id, literal } = scope.dialect;
  const place = owner.table.place(nested);
  const link = scope.alias();
  const at = (column: string): string => `${link}.${id(column)}`;
  if (place.in === 'components') {
    const field = scope.dialect.name === 'sqlite' ? `+${at(place.fieldColumn)}` : at(place.fieldColumn);
    return {
      from: `${id(place.table)} ${link}`,
      where: `${at(place.ownColumn)}=${idAt(owner, scope)} and ${field}=${literal(place.field)}`,
      order: `${at(place.orderColumn)},${at('id')}`,
      target: at(place.componentColumn),
      uid: at(place.typeColumn),
    };
  }
  if (place.in === 'morphTable') {
    return {
      from: `${id(place.table)} ${link}`,
      where: `${at(place.ownColumn)}=${idAt(owner, scope)}`,
      order: `${at(place.orderColumn)},${at('id')}`,
      target: at(place.idColumn),
      uid: at(place.typeColumn),
    };
  }
  if (place.in === 'morphColumns') {
    return {
      from: `${owner.table.name} ${link}`,
      where: `${at('id')}=${idAt(owner, scope)}`,
      order: at('id'),
      target: at(place.idColumn),
      uid: at(place.typeColumn),
    };
  }
  throw new Error(`${owner.table.type.uid}.${nested.name} does not mix types`);
}
