import type { Predicate } from '../../../core';
import type { Dialect, Parameters } from '../dialects/dialect';
import type { TypeTable } from './type-table';

/** A condition as SQL, about the row called `t`. */
export function predicateSql(predicate: Predicate, table: TypeTable, dialect: Dialect, parameters: Parameters): string {
  const each = (item: Predicate): string => predicateSql(item, table, dialect, parameters);
  switch (predicate.op) {
    case 'never':
      return '1=0';
    case 'and':
      return predicate.items.length === 0 ? '1=1' : `(${predicate.items.map(each).join(' and ')})`;
    case 'or':
      return predicate.items.length === 0 ? '1=0' : `(${predicate.items.map(each).join(' or ')})`;
    case 'not':
      return `not (${each(predicate.item)})`;
  }
  const { attribute } = predicate;
  const column = table.column(attribute, 't.');
  const storage = table.storage(attribute);
  switch (predicate.op) {
    case 'null':
      return `${column} is ${predicate.negated ? 'not ' : ''}null`;
    case 'compare':
      return dialect.compare(column, storage, predicate.comparison, predicate.slot, parameters);
    case 'between':
      return `(${dialect.compare(column, storage, 'gte', predicate.low, parameters)} and ${dialect.compare(column, storage, 'lte', predicate.high, parameters)})`;
    case 'in': {
      if (predicate.slots.length === 0) return '1=0';
      const one = predicate.slots.map((slot) =>
        dialect.compare(column, storage, predicate.negated ? 'ne' : 'eq', slot, parameters),
      );
      return `(${one.join(predicate.negated ? ' and ' : ' or ')})`;
    }
    case 'text': {
      const condition = dialect.text(column, storage, predicate, parameters);
      return predicate.negated ? `not (${condition})` : condition;
    }
  }
}
