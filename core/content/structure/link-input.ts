import { type HeddleError, validationError } from '../../errors';
import { flatMapped } from '../../flat-mapped';
import { textOf } from '../../text-of';
import type { Nested } from '../nested';
import { type LinkChange, type Placed, type Position, type Ref, refsOf } from './link-change';

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const verbs = ['set', 'connect', 'disconnect'] as const;

/** The types that the value of a link to anything names. */
export function typesNamed(given: unknown): string[] {
  if (Array.isArray(given)) return flatMapped(given, typesNamed);
  if (!isObject(given)) return [];
  const { __type: uid } = given;
  return [...(typeof uid === 'string' ? [uid] : []), ...flatMapped(verbs, (verb) => typesNamed(given[verb]))];
}

/** Keys of a link's value besides the attributes of its target. */
export const linkKeys: readonly string[] = [...verbs, 'options', 'id', 'documentId', '__type'];

const end: Position = { at: 'end' };

const contradiction = (label: string): HeddleError =>
  validationError(`Invalid relation ${label}: "set" can not stand beside "connect" or "disconnect"`, {
    key: label,
    source: 'body',
  });

/** Reads what a body says about a link: undefined where that changes nothing. */
export const readLink = (nested: Nested, given: unknown, label: string): LinkChange | undefined =>
  nested.storage === 'attached' ? readAttached(nested, given, label) : readTied(nested, given, label);

export const isNumeric = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value);

/** Whether an object says which row or document it is about, however badly. */
const names = (given: Data): boolean => Object.hasOwn(given, 'id') || given['documentId'] !== undefined;

/** What is attached may be named by the number of its row as a text, too. */
function withRowNumbers(given: unknown): unknown {
  if (isNumeric(given)) return Number(given);
  return Array.isArray(given) ? given.map((item) => (isNumeric(item) ? Number(item) : item)) : given;
}

/** An object or a list that names nothing to attach or to detach clears. Whatever it is, it stands for a list. */
function readAttached(nested: Nested, given: unknown, label: string): LinkChange | undefined {
  if (given === undefined) return undefined;
  const isOne = isObject(given) && names(given);
  const value = isObject(given)
    ? Object.fromEntries(
        Object.entries(given).map(([key, item]) => [key, key === 'documentId' ? item : withRowNumbers(item)]),
      )
    : withRowNumbers(given);
  const change = readTied({ ...nested, many: true }, isOne ? [value] : value, label);
  const saysNothing = !change || (!change.unfit && refsOf(change).length === 0);
  return saysNothing ? { set: [] } : change;
}

function readTied({ many }: Nested, given: unknown, label: string): LinkChange | undefined {
  if (given === undefined) return undefined;
  if (given === null) return { set: [] };
  if (!isObject(given)) return setOf(given, many);
  if (names(given)) return setOf(given, many);
  const { set, connect, disconnect } = given;
  const changes = isGiven(connect) || isGiven(disconnect);
  if (isGiven(set)) {
    if (changes) throw contradiction(label);
    return isBlank(set) ? { set: [], unfit: true } : setOf(set, many);
  }
  if (!changes) return undefined;
  const leaving = isBlank(disconnect) && disconnect !== 0 ? undefined : refsIn(disconnect);
  const coming = isBlank(connect) ? undefined : listOf(connect).map(readPlaced);
  const placed = coming?.filter((each) => each !== 'unfit') ?? [];
  const unfit = !leaving || !coming || leaving.unfit || placed.length < coming.length;
  return { connect: placed, disconnect: leaving?.refs ?? [], ...(unfit && { unfit }) };
}

/** Inside a keyword these name nothing at all. */
const isBlank = (value: unknown): boolean => value === '' || value === 0 || value === true;

function setOf(given: unknown, many: boolean): LinkChange {
  const { refs, unfit } = refsIn(given);
  // Of several targets a to-one link keeps the last; the others are looked up all the same.
  const set = many ? refs : refs.slice(-1);
  return { set, ...(set.length < refs.length && { also: refs.slice(0, -1) }), ...(unfit && { unfit }) };
}

/** Nothing in a list names nothing. */
const listOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item) => isGiven(item) && !(Array.isArray(item) && item.length === 0),
  );

function refsIn(given: unknown): { refs: Ref[]; unfit: boolean } {
  const read = listOf(given).map((item) => readRef(item));
  const refs = read.filter((ref) => ref !== 'unfit');
  return { refs, unfit: refs.length < read.length };
}

/** A number that is none finds no row. */
function rowNumber(given: unknown): number {
  if (isNumeric(given)) return Number(given);
  return typeof given === 'number' ? given : Number.NaN;
}

function readRef(given: unknown): Ref | 'unfit' {
  // No document's id is made of digits only.
  if (typeof given === 'number' || isNumeric(given)) return { id: Number(given) };
  if (typeof given === 'boolean') return { id: Number.NaN };
  if (typeof given === 'string') return given === '' ? 'unfit' : { documentId: given, parameters: {} };
  if (!isObject(given)) return 'unfit';
  const { id, documentId, __type, position: _position, ...parameters } = given;
  const uid = typeof __type === 'string' ? { uid: __type } : {};
  if (isGiven(documentId) && documentId !== '') return { documentId: textOf(documentId), parameters, ...uid };
  return Object.hasOwn(given, 'id') ? { id: rowNumber(id), ...uid } : 'unfit';
}

function readPlaced(given: unknown): Placed | 'unfit' {
  const ref = readRef(given);
  const position = isObject(given) ? readPosition(given['position']) : end;
  return ref === 'unfit' || position === 'unfit' ? 'unfit' : { ref, position };
}

function readPosition(given: unknown): Position | 'unfit' {
  if (!isObject(given)) return end;
  const { before, after, start, end: _end, ...parameters } = given;
  for (const [at, anchor] of [
    ['before', before],
    ['after', after],
  ] as const) {
    if (!anchor) continue;
    if (typeof anchor === 'object') return 'unfit';
    return { at, anchor: { documentId: textOf(anchor), parameters }, told: given };
  }
  return start ? { at: 'start' } : end;
}
