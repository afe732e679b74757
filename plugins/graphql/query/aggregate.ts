import {
  type AskedGroups,
  type AskedMeasure,
  type Attribute,
  type ContentType,
  type DocumentQuery,
  ExcessiveRequest,
  flatMapped,
  grouped,
  RefusedEntry,
  type Shown,
  valuesIn,
} from '../../../core';
import { wordName } from '../names';
import { wordsOf } from '../schema/fields';
import type { RootMeaning } from '../schema/meaning';
import type { AggregatePart, ConnectionPart, GroupConnectionPart, GroupingPart } from './aggregate-tree';
import type { Variables } from './collected';
import { filtersFrom } from './filters';
import { type PageLimits, pageFrom, pageInfo, pageInfoText } from './page';
import { asTold, type DocumentAccess, type Surroundings, shownOf, type Values } from './read';

/** Which documents are in question: of the root field's, those in groups of these keys that meet these filters. */
interface Scope {
  readonly by: AskedGroups['by'];
  readonly filters: readonly unknown[];
  /** How many groups of these keys there are. */
  readonly groups: number;
}

/** A group, by the JSON of what makes it. */
type Path = string;
type TextOf = (path: Path) => string;

export interface AggregateParts {
  readonly surroundings: Surroundings;
  readonly access: DocumentAccess;
}

export interface AggregateRequest {
  readonly meaning: RootMeaning;
  readonly principal: Parameters<DocumentAccess['permit']>[1];
  /** The root field's arguments. */
  readonly values: Values;
  readonly variables: Variables;
  readonly inGroups: InGroups;
}

const remedy = 'ask for less, or raise groupLimit in config/plugins.';

const tooManyGroups = (by: string, most: number): ExcessiveRequest =>
  new ExcessiveRequest(`There are too many groups by ${by}. The maximum is ${most}: ${remedy}`);

/** How many documents all groups of a request show. */
export interface InGroups {
  documents: number;
}

/** All groups of a request show as many documents as pages of the usual size have, of as many groups as there may be. */
function refuseManyDocuments(groups: number, page: number, all: InGroups, limits: PageLimits): void {
  if (groups <= 1) return;
  all.documents += groups * page;
  const most = limits.groupLimit * limits.defaultLimit;
  if (all.documents <= most) return;
  const others = all.documents - groups * page;
  throw new ExcessiveRequest(
    `Too many documents are asked for, ${page} in each of ${groups} groups${others > 0 ? `, and ${others} in others` : ''}. The maximum is ${most}: ${remedy}`,
  );
}

const pathOf = (keys: readonly unknown[]): Path => JSON.stringify(keys);

const objectText = (parts: readonly (readonly [key: string, text: string])[]): string =>
  `{${parts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;

/** What stands in each group, as a list. */
function listsOf(entries: readonly { path: Path; text: string }[]): TextOf {
  const lists = grouped(entries, ({ path }) => path);
  return (path) => `[${(lists.get(path) ?? []).map(({ text }) => text).join(',')}]`;
}

/** Means and sums of decimals, without the last digits, which depend on the order in which they were added up. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(15)) : value);

/** A value as the schema has it, out of the JSON that stores make of it. */
function told(attribute: Attribute | undefined, value: unknown): unknown {
  if (!attribute || value === null) return value;
  const { storage } = attribute.kind;
  if (storage === 'biginteger') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (storage === 'timestamp') return new Date(Number(value)).toISOString();
  return wordsOf(attribute) ? wordName(String(value)) : value;
}

/** Tells what documents come to: a number of reads that depends on the text of the query alone. */
export function createAggregate({ surroundings, access }: AggregateParts) {
  const { documents, limits, typeOf } = surroundings;

  return function aggregateOf({ meaning, principal, values, variables, inGroups }: AggregateRequest) {
    const { type } = meaning;
    const own = filtersFrom(type, values['filters'], typeOf);
    const parameters = access.parametersOf(type, 'read', values);

    /** Lists of what makes groups and what is told of them, or of one of their documents. */
    async function read(
      { by, filters }: Omit<Scope, 'groups'>,
      groups: Omit<AskedGroups, 'by'>,
      more: DocumentQuery = {},
    ) {
      const conditions = [own, ...filters].filter((each) => each !== undefined);
      const query: DocumentQuery = { ...more, filters: { $and: conditions }, parameters, groups: { by, ...groups } };
      const answer = await documents.read(access.operation('find', meaning, principal, undefined, query));
      const rows = valuesIn<unknown[]>(answer);
      return rows.map((row) => ({ keys: row.slice(0, by.length), rest: row.slice(by.length) }));
    }

    const measuresIn = (parts: readonly AggregatePart[]): AskedMeasure[] =>
      flatMapped(parts, (part) => {
        if (part.is === 'measure') return [part.measure];
        return part.is === 'measures' ? measuresIn(part.parts) : [];
      });

    const measureText = (type: ContentType, measure: AskedMeasure, value: unknown): string => {
      if (measure.of === 'count') return String(value ?? 0);
      if (measure.of === 'avg' || measure.of === 'sum') return JSON.stringify(rounded(value ?? null));
      return JSON.stringify(told(type.attributes.get(measure.attribute), value ?? null));
    };

    /** What is told of each group, by the place of each measure in the tree. */
    async function measured(scope: Scope, parts: readonly AggregatePart[]): Promise<(path: Path) => unknown[]> {
      const tells = measuresIn(parts);
      if (tells.length === 0) return () => [];
      const groups = await read(scope, { tells });
      const byPath = new Map(groups.map(({ keys, rest }) => [pathOf(keys), rest]));
      return (path) => byPath.get(path) ?? [];
    }

    async function aggregate(scope: Scope, parts: readonly AggregatePart[]): Promise<TextOf> {
      const [values, ...groupings] = await Promise.all([
        measured(scope, parts),
        ...flatMapped(parts, (part) => (part.is === 'groups' ? [groups(scope, part.parts)] : [])),
      ]);
      return (path) => {
        const found = values(path);
        let measure = 0;
        let grouping = 0;
        const textOf = (part: AggregatePart): string => {
          if (part.is === 'text') return part.text;
          if (part.is === 'measure') return measureText(type, part.measure, found[measure++]);
          if (part.is === 'groups') return groupings[grouping++]!(path);
          return objectText(part.parts.map((inner) => [inner.key, textOf(inner)] as const));
        };
        return objectText(parts.map((part) => [part.key, textOf(part)] as const));
      };
    }

    type GroupsPart = Extract<AggregatePart, { is: 'groups' }>['parts'][number];

    async function groups(scope: Scope, parts: readonly GroupsPart[]): Promise<TextOf> {
      const texts = await Promise.all(
        parts.map(async (part): Promise<TextOf> => (part.is === 'text' ? () => part.text : grouping(scope, part))),
      );
      return (path) => objectText(parts.map((part, index) => [part.key, texts[index]!(path)] as const));
    }

    async function grouping(scope: Scope, { by, args, parts }: GroupingPart): Promise<TextOf> {
      const nulls = args(variables)['nulls'] === true;
      const keysOf = [...scope.by, { name: by, nulls }];
      const found = await read({ ...scope, by: keysOf }, { tells: [], most: limits.groupLimit });
      if (found.length > limits.groupLimit) throw tooManyGroups(by, limits.groupLimit);
      // What is in groups is read once there are known to be no more of them.
      const inside: Scope = { ...scope, by: keysOf, groups: found.length };
      const connections = await Promise.all(
        flatMapped(parts, (part) => (part.is === 'connection' ? [connection(inside, part)] : [])),
      );
      const attribute = type.attributes.get(by);
      const buckets = found.map(({ keys }) => {
        const path = pathOf(keys);
        let at = 0;
        const textOf = (part: GroupingPart['parts'][number]): string => {
          if (part.is === 'text') return part.text;
          return part.is === 'key' ? JSON.stringify(told(attribute, keys.at(-1))) : connections[at++]!(path);
        };
        const text = objectText(parts.map((part) => [part.key, textOf(part)] as const));
        return { path: pathOf(keys.slice(0, -1)), text };
      });
      return listsOf(buckets);
    }

    async function connection({ filters, ...within }: Scope, { args, parts }: GroupConnectionPart): Promise<TextOf> {
      const given = args(variables);
      const scope: Scope = { ...within, filters: [...filters, filtersFrom(type, given['filters'], typeOf)] };
      const texts = await Promise.all(parts.map((part) => connectionPart(scope, given, part)));
      return (path) => objectText(parts.map((part, index) => [part.key, texts[index]!(path)] as const));
    }

    async function connectionPart(scope: Scope, given: Values, part: ConnectionPart): Promise<TextOf> {
      if (part.is === 'text') return () => part.text;
      if (part.is === 'aggregate') return aggregate(scope, part.parts);
      const page = pageFrom(given['pagination'], limits);
      if (part.is === 'nodes') return nodes(scope, { page, sort: given['sort'] }, shownOf(part.selection, variables));
      const counts = await read(scope, { tells: [{ of: 'count' }] });
      const totals = new Map(counts.map(({ keys, rest }) => [pathOf(keys), Number(rest[0])]));
      return (path) => {
        const info = pageInfo(page, totals.get(path) ?? 0);
        if (part.is === 'pageInfo') return pageInfoText(part.fields, info);
        const inner = part.parts.map((each) => {
          const text = each.is === 'text' ? each.text : pageInfoText(each.fields, info);
          return [each.key, text] as const;
        });
        return objectText(inner);
      };
    }

    async function nodes(
      scope: Scope,
      { page, sort }: { page: { start: number; limit: number }; sort: unknown },
      shown: Shown,
    ): Promise<TextOf> {
      const { start, limit } = page;
      refuseManyDocuments(scope.groups, limit, inGroups, limits);
      const found = await read(scope, { tells: [], part: { start, limit } }, { shown, sort });
      return listsOf(found.map(({ keys, rest }) => ({ path: pathOf(keys), text: JSON.stringify(rest[0]) })));
    }

    /** The text of what is told of all documents of the root field. */
    return async (parts: readonly AggregatePart[]): Promise<string> => {
      try {
        return (await aggregate({ by: [], filters: [], groups: 1 }, parts))(pathOf([]));
      } catch (error) {
        // Lists in groups are not answered in part.
        throw asTold(error instanceof RefusedEntry ? error.cause : error);
      }
    };
  };
}

export type Aggregate = ReturnType<typeof createAggregate>;
