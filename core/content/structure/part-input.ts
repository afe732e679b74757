import type { Issue } from '../../errors';
import { textOf } from '../../text-of';
import { hasConditions } from '../conditions';
import type { ContentRegistry, ContentType } from '../content-type';
import type { Refusal } from '../kinds/kind';
import { missing, wrongType } from '../kinds/messages';
import type { Nested } from '../nested';
import type { Bound } from '../store';
import type { Findings, Judge, JudgeOptions } from '../validator';
import { type PartInput, type PartsInput, rowOf } from './row-input';

type Data = Readonly<Record<string, unknown>>;

/** Where a value stands in the body: as messages name it, and as a list of keys. */
export interface Spot {
  readonly label: string;
  readonly path: readonly string[];
  /** The components and zones that lead to it. */
  readonly way: readonly Nested[];
}

export const labelIn = ({ label }: Spot, name: string): string => (label === '' ? name : `${label}.${name}`);

export const spotIn = (at: Spot, name: string): Spot => ({
  way: at.way,
  label: labelIn(at, name),
  path: [...at.path, name],
});

const itemOf = ({ label, path, way }: Spot, index: number): Spot => ({
  way,
  label: `${label}[${index}]`,
  path: [...path, String(index)],
});

/** JSON has no big integers: one that was read from the database is told as it is shown. */
const told = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

export function issueAt({ path }: Spot, { message, at = [], ...rest }: Refusal): Issue {
  const issue: Issue = { path: [...path, ...at], message, name: 'ValidationError' };
  return 'value' in rest ? { ...issue, value: told(rest.value) } : issue;
}

/** What is told of a body's relations, after its values. */
const unnamed = 'Cannot build relations store from dynamiczone, component identifier is undefined';
export const invalidRelations = 'Invalid relations';

/** How messages call the type of what a component or zone takes. */
const typeNameOf = ({ many }: Nested): string => (many ? 'array' : 'object');

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface PartJudging {
  readonly nested: Nested;
  readonly options: JudgeOptions;
  readonly findings: Findings;
  readonly registry: ContentRegistry;
  readonly judgeOf: (type: ContentType) => Judge;
}

const isSketch = ({ strictness }: JudgeOptions): boolean => strictness === 'sketch';

function countRefusal(
  { nested: { definition }, options }: PartJudging,
  label: string,
  count: number,
): Refusal | undefined {
  const { min, max } = definition;
  if (isSketch(options)) return undefined;
  if (typeof max === 'number' && count > max)
    return { message: `${label} field must have less than or equal to ${max} items` };
  if (typeof min !== 'number' || count >= min || (count === 0 && definition['required'] !== true)) return undefined;
  return { message: `${label} field must have at least ${min} items` };
}

/** Checks what a body says about a component or zone; undefined where that changes nothing, or is unfit. */
export async function judgeParts(given: unknown, spot: Spot, judging: PartJudging): Promise<PartsInput | undefined> {
  const { nested, options, findings } = judging;
  const refuse = (refusal: Refusal): undefined => void findings.issues.push(issueAt(spot, refusal));
  const isDemanded = nested.definition['required'] === true;
  const required = isDemanded && !isSketch(options);
  if (given === undefined) {
    // A list that is left out is an empty one once it is stored: nobody could tell later.
    const isMissed = options.isNew && (required || (isDemanded && nested.many));
    return isMissed ? refuse(missing(spot.label)) : undefined;
  }
  if (given === null) {
    const isCleared = !required && (!nested.many || nested.storage === 'zone');
    return isCleared ? { nested, parts: [] } : refuse(wrongType(spot.label, typeNameOf(nested), null));
  }

  if (!(nested.many ? Array.isArray(given) : isObject(given))) {
    if (nested.storage === 'zone') findings.relations ??= unlisted(given, nested);
    return refuse(wrongType(spot.label, typeNameOf(nested), given));
  }
  const items: readonly unknown[] = nested.many ? (given as unknown[]) : [given];
  const refusal = nested.many ? countRefusal(judging, spot.label, items.length) : undefined;
  if (refusal) return refuse({ ...refusal, value: items });
  const parts: PartInput[] = [];
  const held: HeldParts = new Map();
  for (const [index, item] of items.entries()) {
    const part = await judgePart(item, nested.many ? itemOf(spot, index) : spot, judging, held);
    if (part) parts.push(part);
  }
  return { nested, parts };
}

/** What is said of the relations of a zone that is no list. */
function unlisted(given: unknown, { targets }: Nested): string | undefined {
  const uid = isObject(given) ? given['__component'] : undefined;
  if (!uid) return unnamed;
  return targets.includes(textOf(uid)) ? undefined : invalidRelations;
}

function typeOfPart(given: Data, spot: Spot, { nested, registry, findings }: PartJudging): ContentType | undefined {
  if (nested.storage !== 'zone') return registry.get(nested.targets[0]!);
  const uid = given['__component'];
  if (typeof uid === 'string' && nested.targets.includes(uid)) return registry.get(uid);
  const inKey = spotIn(spot, '__component');
  const refuse = (refusal: Refusal): void => void findings.issues.push(issueAt(inKey, refusal));
  if (uid === undefined) refuse({ message: `${inKey.label} is a required field` });
  else {
    const value = uid === null ? null : textOf(uid);
    if (value === null) refuse(wrongType(inKey.label, 'string', null));
    const list = listed(nested, value, registry);
    refuse({ message: `${inKey.label} must be one of the following values: ${list}`, value });
  }
  findings.relations ??= uid ? invalidRelations : unnamed;
  return undefined;
}

/** What could stand in a zone, and what in any, spelt once for all mistakes. */
const lists = new WeakMap<Nested | ContentRegistry, string>();

/** What could stand here: any component where the uid is none at all. */
function listed(nested: Nested, uid: string | null, registry: ContentRegistry): string {
  const isComponent = registry.types.get(uid ?? '')?.modelKind === 'component';
  const whole = isComponent ? nested : registry;
  const list = lists.get(whole) ?? (isComponent ? nested.targets : componentsOf(registry)).join(', ');
  lists.set(whole, list);
  return list;
}

function componentsOf({ types }: ContentRegistry): string[] {
  const components = [...types.values()].filter(({ modelKind }) => modelKind === 'component');
  return components
    .map((type) => type.uid)
    .sort()
    .reverse();
}

/** Which component is merged: a key that names none names a foreign one. */
function idOf(part: Data, { mayMerge }: JudgeOptions): number | undefined {
  if (!mayMerge || !Object.hasOwn(part, 'id')) return undefined;
  const { id } = part;
  if (typeof id === 'string' && /^\d+$/.test(id)) return Number(id);
  return typeof id === 'number' ? id : Number.NaN;
}

/** What is known of components that are changed, with what was said of them so far: by type and number. */
type HeldParts = Map<string, Record<string, Bound>>;

async function heldBy(
  type: ContentType,
  id: number,
  { options: { storedPart } }: PartJudging,
  held: HeldParts,
): Promise<Record<string, Bound> | undefined> {
  if (!storedPart || !hasConditions(type.definition)) return undefined;
  const key = `${type.uid} ${id}`;
  const known = held.get(key);
  if (known) return known;
  const stored = await storedPart(type, id);
  if (!stored) return undefined;
  const own: Record<string, Bound> = Object.assign({}, stored);
  held.set(key, own);
  return own;
}

async function judgePart(
  given: unknown,
  spot: Spot,
  judging: PartJudging,
  held: HeldParts,
): Promise<PartInput | undefined> {
  const { nested, options, findings, judgeOf } = judging;
  if (!isObject(given)) {
    findings.issues.push(issueAt(spot, wrongType(spot.label, 'object', null, given)));
    if (nested.storage === 'zone') findings.relations ??= invalidRelations;
    return undefined;
  }
  const type = typeOfPart(given, spot, judging);
  if (!type) return undefined;
  const id = idOf(given, options);
  const { strictness, links, storedPart } = options;
  if (id === undefined) {
    const inside: JudgeOptions = { strictness, links, isNew: true, mayMerge: false };
    return { type, id, input: await judgeOf(type)(given, inside, findings, spot) };
  }
  const stored = await heldBy(type, id, judging, held);
  const inside: JudgeOptions = { strictness, links, isNew: false, mayMerge: true, stored, storedPart };
  const input = await judgeOf(type)(given, inside, findings, spot);
  if (stored) Object.assign(stored, rowOf(input.values));
  return { type, id, input };
}
