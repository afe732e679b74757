import { type Mutation, name } from './mutation';

/** Answers yes where the permission should have been asked. */
const unasked = (id: string, rules: string[], action: RegExp): Mutation => ({
  id: `access.${id}`,
  rules,
  tap: (hooks) => void hooks.http.authorize.tap(name, (request) => (action.test(request.action) ? true : undefined)),
});

const refused = (id: string, rules: string[], action: RegExp): Mutation => ({
  id: `access.${id}`,
  rules,
  tap: (hooks) => void hooks.http.authorize.tap(name, (request) => (action.test(request.action) ? false : undefined)),
});

const data = (
  id: string,
  rules: string[],
  change: (given: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Mutation => ({
  id: `writes.${id}`,
  rules,
  tap: (hooks) => void hooks.document.data.tap(name, change),
});

const entries = (
  given: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value, key)]));

/** The same in every change of relations. */
const relation =
  (change: (given: Record<string, unknown>) => Record<string, unknown>) => (given: Readonly<Record<string, unknown>>) =>
    entries(given, (value) =>
      typeof value === 'object' && value !== null && ('connect' in value || 'disconnect' in value || 'set' in value)
        ? change(value as Record<string, unknown>)
        : value,
    );

const withoutPosition = (item: unknown): unknown => {
  if (typeof item !== 'object' || item === null) return item;
  const { position: _, ...left } = item as Record<string, unknown>;
  return left;
};

/** Permissions that are not asked, and input that is taken otherwise than it was given. */
export const accessMutations: readonly Mutation[] = [
  unasked(
    'find.unasked',
    ['spec.authentication.3a.find', 'spec.authentication.3a.role', 'spec.service.5a'],
    /^api::.*\.find$/,
  ),
  unasked('find-one.unasked', ['spec.authentication.3a.find-one', 'spec.authentication.3a.role'], /^api::.*\.findOne$/),
  unasked(
    'create-localization.unasked',
    ['spec.authentication.3c', 'spec.locale.b3', 'spec.errors.create-localization'],
    /\.createLocalization$/,
  ),
  unasked('everything', ['spec.service.5a', 'spec.service.5b', 'spec.errors.graphql-read-permission'], /./),
  refused('upload.refused', ['spec.service.3', 'spec.writes.6'], /^plugin::upload/),
  refused('find.refused', ['spec.service.5b', 'spec.endpoints.p1a'], /^api::.*\.find$/),
  data('null.ignored', ['spec.writes.2'], (given) =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  ),
  data('relations.ignored', ['spec.writes.4', 'spec.relations.p1a', 'spec.relations.connect'], (given) =>
    Object.fromEntries(
      Object.entries(given).filter(([, value]) => typeof value !== 'object' || value === null || !('connect' in value)),
    ),
  ),
  data(
    'connect.is-set',
    ['spec.relations.connect', 'spec.relations.b1'],
    relation(({ connect, ...left }) => (connect === undefined ? left : { set: connect })),
  ),
  data(
    'set.is-connect',
    ['spec.relations.set'],
    relation(({ set, ...left }) => (set === undefined ? left : { connect: set })),
  ),
  data(
    'disconnect.ignored',
    ['spec.relations.disconnect'],
    relation(({ disconnect: _, ...left }) => left),
  ),
  data(
    'positions.ignored',
    ['spec.relations.b4a', 'spec.relations.b4b', 'spec.relations.b4c', 'spec.relations.b6.last'],
    relation(({ connect, ...left }) =>
      Array.isArray(connect)
        ? { ...left, connect: connect.map(withoutPosition) }
        : { ...left, ...(connect === undefined ? {} : { connect }) },
    ),
  ),
  data('numbers.rounded', ['spec.kinds.default.float', 'spec.kinds.default.decimal'], (given) =>
    entries(given, (value) => (typeof value === 'number' ? Math.round(value) : value)),
  ),
  data('texts.trimmed', ['spec.kinds.default.text', 'spec.kinds.default.string'], (given) =>
    entries(given, (value) => (typeof value === 'string' ? value.slice(0, 10) : value)),
  ),
];
