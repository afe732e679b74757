import { type ContentRegistry, type ContentType, didYouMean, problem, refuseIfAny } from '../../../core';

export const shadowActions = ['find', 'findOne', 'create', 'update', 'delete'] as const;
export type ShadowAction = (typeof shadowActions)[number];

const queries: readonly ShadowAction[] = ['find', 'findOne'];

/** Where a field of a content type is served. */
export type FieldUse = 'output' | 'input' | 'filters';

/** What of one field is served. Getters tell what was said of the field itself. */
export interface FieldShadow {
  disable(): FieldShadow;
  disableOutput(): FieldShadow;
  disableInput(): FieldShadow;
  disableFilters(): FieldShadow;
  isEnabled(): boolean;
  isDisabled(): boolean;
  hasOutputEnabled(): boolean;
  hasInputEnabled(): boolean;
  hasFiltersEnabled(): boolean;
}

/** What of one content type is served. Each getter tells what was said by the function of its name, whatever else was. */
export interface TypeShadow {
  disable(): TypeShadow;
  disableQueries(): TypeShadow;
  disableMutations(): TypeShadow;
  disableAction(action: ShadowAction): TypeShadow;
  disableActions(actions: readonly ShadowAction[]): TypeShadow;
  /** Permissions that are asked for, where they are not named after the type and the action. */
  askFor(permissions: Readonly<Partial<Record<ShadowAction, string>>>): TypeShadow;
  isEnabled(): boolean;
  isDisabled(): boolean;
  areQueriesEnabled(): boolean;
  areQueriesDisabled(): boolean;
  areMutationsEnabled(): boolean;
  areMutationsDisabled(): boolean;
  isActionEnabled(action: ShadowAction): boolean;
  isActionDisabled(action: ShadowAction): boolean;
  field(name: string): FieldShadow;
}

/** What of the content types the schema is made of: everything that nobody takes out. */
export interface Shadow {
  /** `asker` is who would like to change it, for messages. */
  type(uid: string, asker: string): TypeShadow;
  isServed(uid: string): boolean;
  serves(uid: string, action: ShadowAction): boolean;
  /** The permission that an action asks for. */
  permission(uid: string, action: ShadowAction): string;
  servesField(uid: string, field: string, use: FieldUse): boolean;
}

interface KnownField {
  readonly off: Set<FieldUse>;
  readonly shadow: FieldShadow;
}

function fieldShadow(): KnownField {
  const off = new Set<FieldUse>();
  let isOff = false;
  const without = (...uses: readonly FieldUse[]): FieldShadow => {
    for (const use of uses) off.add(use);
    return shadow;
  };
  const shadow: FieldShadow = {
    disable() {
      isOff = true;
      return without('output', 'input', 'filters');
    },
    disableOutput: () => without('output'),
    disableInput: () => without('input'),
    disableFilters: () => without('filters'),
    isEnabled: () => !isOff,
    isDisabled: () => isOff,
    hasOutputEnabled: () => !off.has('output'),
    hasInputEnabled: () => !off.has('input'),
    hasFiltersEnabled: () => !off.has('filters'),
  };
  return { off, shadow };
}

/** What a plugin's own type lets be written, its plugin says by mutations of its own. */
const withoutMutations = (uid: string): boolean => uid.startsWith('plugin::');

const refuse = (asker: string, what: string, remedy: string): void => refuseIfAny([problem(asker, what, remedy)]);

/** A name that is there, or an error that tells what was probably meant. */
function demand(name: string, known: Iterable<string>, asker: string, what: string): void {
  const names = [...known];
  if (!names.includes(name))
    refuse(
      asker,
      `names ${what} "${name}", which is not there.`,
      didYouMean(name, names).trim() || 'Correct the name.',
    );
}

interface KnownType {
  readonly shadow: TypeShadow;
  readonly fields: ReadonlyMap<string, KnownField>;
  readonly permissions: ReadonlyMap<string, string>;
}

function typeShadow(type: ContentType, asker: string): KnownType {
  const { uid } = type;
  const off = new Set<ShadowAction | 'all' | 'queries' | 'mutations'>(withoutMutations(uid) ? ['mutations'] : []);
  const fields = new Map<string, KnownField>();
  const permissions = new Map<string, string>();
  const without = (...what: readonly (ShadowAction | 'all' | 'queries' | 'mutations')[]): TypeShadow => {
    for (const one of what) off.add(one);
    return shadow;
  };
  function actions(given: readonly ShadowAction[]): TypeShadow {
    for (const action of given) demand(action, shadowActions, asker, `action of ${uid}`);
    return without(...given);
  }
  const shadow: TypeShadow = {
    disable: () => without('all'),
    disableQueries: () => without('queries'),
    disableMutations: () => without('mutations'),
    disableAction: (action) => actions([action]),
    disableActions: actions,
    askFor(asked) {
      for (const [action, permission] of Object.entries(asked)) permissions.set(action, permission);
      return shadow;
    },
    isEnabled: () => !off.has('all'),
    isDisabled: () => off.has('all'),
    areQueriesEnabled: () => !off.has('queries'),
    areQueriesDisabled: () => off.has('queries'),
    areMutationsEnabled: () => !off.has('mutations'),
    areMutationsDisabled: () => off.has('mutations'),
    isActionEnabled: (action) => !off.has(action),
    isActionDisabled: (action) => off.has(action),
    field(name) {
      demand(name, [...type.attributes.keys(), ...type.nested.keys()], asker, `field of ${uid}`);
      const field = fields.get(name) ?? fieldShadow();
      fields.set(name, field);
      return field.shadow;
    },
  };
  return { shadow, fields, permissions };
}

export function createShadow({ types }: Pick<ContentRegistry, 'types'>): Shadow {
  const known = new Map<string, KnownType>();

  function kept(uid: string, asker: string): KnownType {
    demand(uid, types.keys(), asker, 'content type');
    const found = known.get(uid) ?? typeShadow(types.get(uid)!, asker);
    known.set(uid, found);
    return found;
  }

  const isServed = (uid: string): boolean => known.get(uid)?.shadow.isEnabled() ?? true;
  return {
    type: (uid, asker) => kept(uid, asker).shadow,
    isServed,
    serves(uid, action) {
      const isQuery = queries.includes(action);
      if (!isQuery && withoutMutations(uid)) return false;
      const shadow = known.get(uid)?.shadow;
      if (!shadow) return true;
      const areServed = isQuery ? shadow.areQueriesEnabled() : shadow.areMutationsEnabled();
      return shadow.isEnabled() && areServed && shadow.isActionEnabled(action);
    },
    permission: (uid, action) => known.get(uid)?.permissions.get(action) ?? `${uid}.${action}`,
    servesField: (uid, field, use) => !known.get(uid)?.fields.get(field)?.off.has(use),
  };
}

/** Content types with documents that the schema is made of; the administration's are nobody's here. */
export const shadowedTypes = ({ documents }: ContentRegistry, shadow: Shadow): ContentType[] =>
  documents.filter(({ uid }) => !uid.startsWith('admin::') && shadow.isServed(uid));
