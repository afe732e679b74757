import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { refuseFar } from './excess';
import { invalidKey, pathOf, type QueryParam, queryable, refuseKey } from './keys';
import { barePredicate, operatorPredicate, operators } from './operators';
import { all, isDeep, not, opposite, type Predicate, some, someTied } from './predicate';
import { type Reader, type Step, stepInto } from './reader';
import { isNullOperator, meansYes } from './shape';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Below these a wrong key has no place of its own to be told by. */
const pathless = new Set(['id', 'documentId']);

/** What is wrong with the form of `filters`, whatever they name. */
export function filtersRefusal(filters: unknown): HeddleError | undefined {
  if (filters === undefined || filters === null || isRecord(filters)) return undefined;
  if (Array.isArray(filters))
    return validationError('The filters parameter must be an object of attributes: filters[field]=value');
  return validationError('The filters parameter must be an object or an array');
}

/** Compiles the filters of one read; `param` is where they stand, for messages. */
export function createFilters(reader: Reader, param: QueryParam) {
  const { slots } = reader;

  /** `at` is the place that messages tell a wrong key by. */
  function ofAttribute(attribute: Attribute, value: unknown, at: string | null): Predicate {
    if (!isRecord(value)) return barePredicate(attribute, value, slots);
    const items = Object.entries(value).map(([key, inner]): Predicate => {
      if (key === '$not') return not(ofAttribute(attribute, inner, at));
      if (key === '$and' || key === '$or') {
        throw validationError(`${key} stands above attributes, not under ${attribute.name}.`);
      }
      if (!operators.has(key)) throw invalidKey(key, at, param);
      return operatorPredicate(attribute, key, inner, slots);
    });
    return all(items);
  }

  /** Conditions on which thing is tied, or on whether any is. A plain value is the number of its row. */
  function onTie(tie: Step, value: unknown): Predicate {
    const id = tie.type.attributes.get('id')!;
    if (value === null) return not(someTied(tie, undefined));
    if (!isRecord(value)) return someTied(tie, barePredicate(id, value, slots));
    const items = Object.entries(value).map(([key, inner]): Predicate => {
      if (isNullOperator(key)) {
        const any = someTied(tie, undefined);
        return (key === '$notNull') === meansYes(inner) ? any : not(any);
      }
      if (key !== '$not') return someTied(tie, operatorPredicate(id, key, inner, slots));
      if (
        isRecord(inner) &&
        !Object.keys(inner).every((operator) => operators.has(operator) && !isNullOperator(operator))
      ) {
        throw validationError(
          `$not stands above ${tie.nested.name}, or takes the number of a row: filters[$not][${tie.nested.name}][field]=value`,
        );
      }
      return opposite(onTie(tie, inner));
    });
    return all(items);
  }

  /** A nested attribute: all conditions under one key are about the same of the things that are tied. */
  function ofNested(tie: Step, value: unknown, path: string): Predicate {
    refuseFar(path.split('.'), 'Filters go');
    const keys = isRecord(value) ? Object.keys(value) : [];
    const own = keys.filter((key) => operators.has(key) || key === '$not');
    if (!isRecord(value) || own.length > 0) {
      if (own.length < keys.length)
        throw validationError(`Conditions on ${path} are about which row it is, or about what is inside, not both.`);
      return onTie(tie, value);
    }
    return someTied(tie, ofType(tie.type, value, path));
  }

  function list(key: string, value: unknown, type: ContentType, path: string | null): Predicate[] {
    if (!Array.isArray(value)) throw validationError(`${key} takes a list of filters: filters[${key}][0][field]=value`);
    return value.map((item) => ofGroup(key, item, type, path));
  }

  function ofGroup(key: string, value: unknown, type: ContentType, path: string | null): Predicate {
    if (Array.isArray(value)) return all(value.map((item) => ofGroup(key, item, type, path)));
    if (!isRecord(value)) throw validationError(`${key} takes filters, not a plain value.`);
    return ofType(type, value, path);
  }

  function negated(value: unknown, type: ContentType, path: string | null): Predicate {
    const group = ofGroup('$not', value, type, path);
    if (Array.isArray(value) && isDeep(group))
      throw validationError('$not takes one group of filters where they look at relations, components or files.');
    return opposite(group);
  }

  function ofKey(type: ContentType, key: string, value: unknown, path: string | null): Predicate {
    if (key === '$and') return all(list(key, value, type, path));
    if (key === '$or') return some(list(key, value, type, path));
    if (key === '$not') return negated(value, type, path);
    const attribute = queryable(type, key);
    if (attribute) return ofAttribute(attribute, value, pathless.has(key) ? path : pathOf(path, key));
    const step = stepInto(reader, type, key);
    if (step) return ofNested(step, value, pathOf(path, key));
    if (operators.has(key)) throw validationError(`${key} stands under an attribute: filters[field][${key}]=value`);
    throw refuseKey(type, key, param, path);
  }

  function ofType(type: ContentType, filters: Record<string, unknown>, path: string | null): Predicate {
    return all(Object.entries(filters).map(([key, value]) => ofKey(type, key, value, path)));
  }

  /** The condition of `filters`; undefined for none. */
  return function predicateOf(type: ContentType, filters: unknown): Predicate | undefined {
    const refusal = filtersRefusal(filters);
    if (refusal) throw refusal;
    return isRecord(filters) ? ofType(type, filters, null) : undefined;
  };
}
