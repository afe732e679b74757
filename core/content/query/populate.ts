import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { isMixed, type Nested } from '../nested';
import type { NestedSelection, Populated } from '../plan';
import { refuseFar } from './excess';
import { fieldsRefusal, selectedAttributes, shownAttributes } from './fields';
import { createFilters, filtersRefusal } from './filters';
import { invalidKey, isName, pathOf } from './keys';
import { otherVariants } from './other-variants';
import { createPathCheck } from './path-check';
import { identifiers, isPlace, isRecord, type Node, no, type Options, options, yes } from './populate-options';
import { inAnswerOrder } from './populate-order';
import { namesIn, type Path, type PathTree, pathsInList, pathsInText, refuseLongList, treeOf } from './populate-paths';
import { all, type Predicate } from './predicate';
import { type Reader, shownVariants, targetsOf } from './reader';
import { type OrderTerm, parseSort, withSortedFirst } from './sort';

/** Elsewhere the wish to be counted is heard and not obeyed. */
const isCountable = ({ storage }: Nested): boolean => storage !== 'variants' && storage !== 'attached';
const isHiddenIn = (type: ContentType, name: string): boolean =>
  !type.nested.has(name) || type.nested.get(name)!.hidden;
const refuse = (key: string, path: string | null): HeddleError => invalidKey(key, path, 'populate');
/** The names on the way to a place, as messages tell it. */
const namesOf = (path: string | null): string[] => path?.split('.').filter((name) => name !== 'populate') ?? [];
const malformed = (): HeddleError => validationError("Invalid nested populate. Expected '*' or an object");

export interface ParsedPopulate {
  readonly populated: readonly Populated[];
  /** A form that is wrong: told after all keys were checked. */
  readonly refused?: HeddleError | undefined;
}

/** Compiles what a read populates. */
export function createPopulate(reader: Reader) {
  const filtersOf = createFilters(reader, 'populate');
  const wrongIn = createPathCheck(reader);
  /** Forms that are wrong, told only when no key is. */
  const late: (HeddleError | undefined)[] = [];

  const shownNested = (type: ContentType): Nested[] => [...type.nested.values()].filter(({ hidden }) => !hidden);
  /** The types that may be seen behind a nested attribute, and what stands there though it is not listed. */
  const shownTypes = (nested: Nested): ContentType[] => [...targetsOf(reader, nested), ...reader.strays(nested)];
  const isSeen = (nested: Nested): boolean => nested.targets.length === 0 || targetsOf(reader, nested).length > 0;

  /** All that a type of its own shows behind a nested attribute. */
  function plain(type: ContentType, populate: readonly Populated[] = []): NestedSelection {
    reader.enter.populate();
    return { type, select: shownAttributes(type), populate, where: shownVariants(reader, type), order: undefined };
  }

  /** With what else decides about the things behind a nested attribute. */
  function behind(nested: Nested, chosen: NestedSelection): NestedSelection {
    const other = otherVariants(reader, nested);
    if (!other) return chosen;
    return { ...chosen, where: chosen.where ? all([chosen.where, other]) : other };
  }

  const things = (nested: Nested, selections: readonly NestedSelection[]): Populated => ({
    nested,
    show: 'things',
    selections,
  });
  const whole = (nested: Nested): Populated => ({
    nested,
    show: 'things',
    selections: shownTypes(nested).map((type) => behind(nested, plain(type))),
  });

  const everything = (type: ContentType): Populated[] => inAnswerOrder(shownNested(type).filter(isSeen).map(whole));

  /** Names with dots, from a text or a list; each was checked. The names of the second level are taken from the last to the first. */
  function ofTree(type: ContentType, tree: PathTree, level = 0): Populated[] {
    const entries = level === 1 ? [...tree].reverse() : [...tree];
    return entries.flatMap(([name, below]) => {
      const nested = type.nested.get(name);
      // In a zone, not every component has it.
      if (!nested || nested.hidden || !isSeen(nested)) return [];
      if (below.size === 0) return [whole(nested)];
      const inside = shownTypes(nested).map((each) => plain(each, inAnswerOrder(ofTree(each, below, level + 1))));
      return [
        things(
          nested,
          inside.map((each) => behind(nested, each)),
        ),
      ];
    });
  }

  function ofPaths(type: ContentType, paths: readonly Path[], replaces: boolean, above: string | null): Populated[] {
    for (const path of paths) {
      refuseFar([...namesOf(above), ...path], 'Populate goes');
      const wrong = wrongIn(type, path, null);
      if (wrong) throw wrong;
    }
    return ofTree(type, treeOf(paths, replaces));
  }

  /** The older and odd `populate[x]=*`: told by the first thing inside that can't be meant so. */
  function refuseStar(types: readonly ContentType[], path: string): void {
    for (const type of types) {
      const [inner] = shownNested(type);
      if (inner)
        throw validationError(`Invalid key ${inner.name} at ${path}.${inner.name}`, {
          key: inner.name,
          path: `${path}.${inner.name}`,
        });
    }
  }

  /** What a value asks for; undefined for nothing. */
  function nodeOf(given: unknown, path: string, types: readonly ContentType[]): Node | undefined {
    if (isRecord(given)) return given;
    if (no.has(given)) return undefined;
    if (yes.has(given)) return true;
    const [word] = [given].flat();
    if (typeof word !== 'string' || (Array.isArray(given) && (yes.has(word) || no.has(word)))) throw malformed();
    if (word === '*') {
      refuseStar(types, path);
      return true;
    }
    throw refuse(word, types.some((type) => isName(type, word)) ? pathOf(path, word) : path);
  }

  /** Checks and takes a node's options in the order in which they were written, which decides what is told first. */
  function selection(type: ContentType, node: Node, path: string, isOrdered = true): NestedSelection {
    if (node === true) return plain(type);
    reader.enter.populate();
    let [filters, terms, select, populate]: [Predicate | undefined, readonly OrderTerm[], Attribute[], Populated[]] = [
      undefined,
      [],
      shownAttributes(type),
      [],
    ];
    const refusals: Record<'sort' | 'filters' | 'fields', HeddleError | undefined> = {
      sort: undefined,
      filters: undefined,
      fields: undefined,
    };
    for (const [key, value] of Object.entries(node)) {
      if (!options.has(key)) throw refuse(key, isName(type, key) && !identifiers.has(key) ? pathOf(path, key) : path);
      if (key === 'filters' && isRecord(value))
        filters = reader.slots.from(reader.placeOf(value), () => filtersOf(type, value));
      else if (key === 'filters' && value !== '') refusals.filters = filtersRefusal(value);
      if (key === 'sort') ({ terms, refused: refusals.sort } = parseSort(reader, type, value, 'populate'));
      if (key === 'fields') refusals.fields = fieldsRefusal(value);
      if (key === 'fields' && !refusals.fields) select = selectedAttributes(type, value, 'populate');
      if (key === 'populate') populate = inside(type, value, path);
    }
    late.push(refusals.sort, refusals.filters, refusals.fields);
    if (terms.some(({ through }) => through))
      throw validationError(`${path} can't be sorted by what is inside something else.`);
    const conditions = [shownVariants(reader, type), filters].filter((predicate) => predicate !== undefined);
    return {
      type,
      select: isOrdered ? withSortedFirst(terms, select) : select,
      populate,
      where: conditions.length > 0 ? all(conditions) : undefined,
      order: terms.length > 0 ? terms : undefined,
    };
  }

  function counts(node: Options, path: string): boolean {
    if (!('count' in node) || no.has(node['count'])) return false;
    if (!yes.has(node['count'])) throw refuse('count', path);
    return true;
  }

  /** `on`: only the listed components are shown, each as asked. */
  function fragments(nested: Nested, on: unknown, path: string): NestedSelection[] {
    const types = shownTypes(nested);
    if (on === null || on === undefined) return types.map((type) => plain(type));
    if (on === '') return [];
    if (Array.isArray(on)) throw refuse('0', `${path}.on.0`);
    if (!isRecord(on)) throw refuse('on', `${path}.on`);
    return Object.entries(on).flatMap(([uid, given]) => {
      const type = reader.typeOf(uid);
      if (!type) throw refuse(uid, `${path}.on.${uid}`);
      const node = no.has(given) ? true : nodeOf(given, path, [type]);
      if (node === undefined || !types.includes(type)) return [];
      if (node === true) return [plain(type)];
      const [inner] = isRecord(node['on']) ? Object.keys(node['on']) : [];
      if (inner !== undefined) throw refuse(inner, `${path}.on[${uid}].on.${inner}`);
      return [{ ...selection(type, node, path, false), order: undefined }];
    });
  }

  /** Of what may be of any type, all is shown, or by fragments; asked otherwise, nothing. */
  function mixed(owner: ContentType, nested: Nested, node: Node, path: string): Populated | undefined {
    if (node === true) return whole(nested);
    const types = shownTypes(nested);
    if ('populate' in node) {
      if (node['populate'] !== '*') throw refuse('populate', path);
      if (!('on' in node) && nested.storage === 'zone')
        return things(
          nested,
          types.map((type) => plain(type, everything(type))),
        );
    }
    if ('on' in node) return things(nested, fragments(nested, node['on'], path));
    if (nested.storage === 'zone') {
      if ('count' in node) return whole(nested);
      throw unfit(owner, nested, node);
    }
    const show = 'count' in node && counts(node, path) ? 'count' : undefined;
    return show && { nested, show, selections: types.map((type) => plain(type)) };
  }

  const unfit = (owner: ContentType, nested: Nested, found: unknown): HeddleError =>
    validationError(
      `Invalid nested populate for ${owner.singularName}.${nested.name} (${owner.uid}). Expected a fragment ("on") or "count" but found ${JSON.stringify(found)}`,
    );

  function refuseFragments(owner: ContentType, nested: Nested, on: unknown, path: string): never {
    if (!isRecord(on)) throw refuse('on', `${path}.on`);
    const unknown = Object.keys(on).find((uid) => !reader.typeOf(uid));
    if (unknown !== undefined) throw refuse(unknown, `${path}.on.${unknown}`);
    throw validationError(`Using fragments is not permitted to populate "${nested.name}" in "${owner.uid}"`);
  }

  function ofNode(owner: ContentType, nested: Nested, given: unknown, path: string): Populated | undefined {
    refuseFar(namesOf(path), 'Populate goes');
    if (given === '*' && nested.storage === 'morph') return undefined;
    if (given === '*' && isMixed(nested)) throw unfit(owner, nested, given);
    const types = targetsOf(reader, nested);
    const node = nodeOf(given, path, types);
    if (node === undefined || !isSeen(nested)) return undefined;
    if (isMixed(nested)) return mixed(owner, nested, node, path.replaceAll('.', '.populate.'));
    if (node === true) return whole(nested);
    if ('on' in node) refuseFragments(owner, nested, node['on'], path);
    const show = counts(node, path) && isCountable(nested) ? 'count' : 'things';
    return {
      nested,
      show,
      selections: types.map((type) => behind(nested, selection(type, node, path, nested.storage !== 'variants'))),
    };
  }

  function checkStrayFragments(on: unknown): void {
    if (!isRecord(on)) throw refuse('on', 'on');
    for (const uid of Object.keys(on)) if (!reader.typeOf(uid)) throw refuse(uid, `on.${uid}`);
  }

  /** Options that stand where names belong are checked, and mean nothing there. */
  function checkStray(type: ContentType, key: string, given: unknown): void {
    if (key === 'on') checkStrayFragments(given);
    else if (key !== 'count') selection(type, { [key]: given }, key);
    else if (!yes.has(given) && !no.has(given)) throw refuse('count', null);
  }

  function ofRecord(type: ContentType, record: Options, path: string | null): Populated[] {
    const names = Object.keys(record);
    const isPartOfList = (name: string): boolean => isPlace(name) && !names.every(isPlace);
    return Object.entries(record).flatMap(([name, given]) => {
      const nested = type.nested.get(name);
      if (nested && !nested.hidden) return ofNode(type, nested, given, pathOf(path, name)) ?? [];
      if (path === null && options.has(name)) return checkStray(type, name, given) ?? [];
      if (isPartOfList(name)) return [];
      throw refuse(name, isName(type, name) && !identifiers.has(name) ? pathOf(path, name) : path);
    });
  }

  /** One name, as a text inside a node is read: commas belong to it. */
  function ofName(type: ContentType, name: string, path: string): Populated[] {
    if (name === '' || name.includes(',')) throw refuse(name, path);
    if (isHiddenIn(type, name) && (type.nested.has(name) || (type.definition.concealed ?? []).includes(name)))
      throw refuse(name, pathOf(path, name));
    return ofPaths(type, [namesIn(name)], false, path);
  }

  /** What is populated in something that is populated itself. */
  function inside(type: ContentType, populate: unknown, path: string): Populated[] {
    if (Array.isArray(populate) && populate.length === 1 && populate[0] === '') throw refuse('', path);
    return inAnswerOrder(
      typeof populate === 'string' && populate !== '*' ? ofName(type, populate, path) : given(type, populate, path),
    );
  }

  function given(type: ContentType, populate: unknown, path: string | null): Populated[] {
    if (populate === undefined || populate === null || populate === '') return [];
    if (populate === '*') return everything(type);
    if (Array.isArray(populate)) return ofPaths(type, pathsInList(populate), true, path);
    if (isRecord(populate)) {
      refuseLongList(populate);
      return ofRecord(type, populate, path);
    }
    return ofPaths(type, pathsInText(String(populate)), false, path);
  }

  return (type: ContentType, populate: unknown): ParsedPopulate => ({
    populated: inAnswerOrder(given(type, populate, null)),
    refused: late.find((refusal) => refusal !== undefined),
  });
}
