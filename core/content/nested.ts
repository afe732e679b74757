import { type ZodType, z } from 'zod';
import type { AttributeDefinition } from './definition';

/**
 * How a store keeps an attribute that holds no value of its own: a closed list, as with scalars. `link` ties documents
 * together, `component` embeds a component, `zone` components of several kinds, `morph` ties to documents of any type,
 * `attached` ties to documents of one type that can be attached to anything and keep themselves to what, `variants` are
 * the other variants of the same document and are kept nowhere.
 */
export type NestedStorage = 'link' | 'component' | 'zone' | 'attached' | 'morph' | 'variants';

/** An attribute that is shown only when it is populated: other documents, components, what is attached. */
export interface Nested {
  readonly name: string;
  readonly storage: NestedStorage;
  readonly definition: AttributeDefinition;
  /** Shows a list, or one thing or null. */
  readonly many: boolean;
  /** The uids of the types or components that can stand here; of any type for a morph link. */
  readonly targets: readonly string[];
  /** Neither shown nor accepted in queries, whoever asks. */
  readonly hidden: boolean;
  /** Kept by the service: shown, but not accepted in bodies. */
  readonly system: boolean;
}

/** An attribute kind whose attributes are populated. */
export interface NestedKind {
  readonly name: string;
  /** Checks the options that a schema file gives besides the common ones; it receives all of them. */
  readonly options?: ZodType;
  readonly nested: (definition: AttributeDefinition) => Pick<Nested, 'storage' | 'many' | 'targets'>;
}

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];

const forms = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
] as const;

/**
 * Relations to many end in `Many`; `oneToMany` and `manyToMany`, `morphToMany` and `morphMany` do. The last one and
 * `morphOne` are the other side of a morph link, as one type sees it: documents of one type.
 */
const relation: NestedKind = {
  name: 'relation',
  options: z
    .object({
      relation: z.enum(forms),
      target: z.string().optional(),
      inversedBy: z.string().nullish(),
      mappedBy: z.string().nullish(),
      morphBy: z.string().nullish(),
    })
    .refine(({ relation: form, target }) => target !== undefined || form.startsWith('morphTo'), {
      path: ['target'],
      error: 'is missing: it is the uid of the type that is linked, as in "api::author.author"',
    }),
  nested: ({ relation: form, target }) => ({
    storage: String(form).startsWith('morphTo') ? 'morph' : 'link',
    many: /Many$/.test(String(form)),
    targets: list(target),
  }),
};

const component: NestedKind = {
  name: 'component',
  options: z.object({
    component: z.string(),
    repeatable: z.boolean().nullish(),
    min: z.int().nullish(),
    max: z.int().nullish(),
  }),
  nested: ({ component: uid, repeatable }) => ({ storage: 'component', many: repeatable === true, targets: list(uid) }),
};

const zone: NestedKind = {
  name: 'dynamiczone',
  options: z.object({ components: z.array(z.string()), min: z.int().nullish(), max: z.int().nullish() }),
  nested: ({ components }) => ({ storage: 'zone', many: true, targets: list(components) }),
};

/** The structural kinds that every application has. */
export const nestedKinds: readonly NestedKind[] = [relation, component, zone];

/** The name of the morph link that this is the other side of. */
export const otherSideOf = ({ definition }: Nested): string | undefined =>
  definition['morphBy'] === undefined ? undefined : String(definition['morphBy']);

const sides = ['inversedBy', 'mappedBy', 'morphBy'];

/** Whether the attribute names another one, of what it leads to, that shows the same links. */
export const isTwoSided = ({ definition }: Nested): boolean => sides.some((side) => definition[side] !== undefined);

/** Whether the attribute names this one as the one that shows the same links. */
export const isOtherSide = ({ definition }: Nested, { name }: Nested): boolean =>
  sides.some((side) => definition[side] === name);

/** Whether things of several types may stand there. */
export const isMixed = ({ storage }: Nested): boolean => storage === 'zone' || storage === 'morph';

/** Whether a component may stand there. One that was written before the schema was changed may not, and stays where it is. */
export const mayHold = ({ targets }: Nested, uid: string): boolean => targets.includes(uid);

/** Holds components, which belong to their row and end with it. */
export const isPart = ({ storage }: Nested): boolean => storage === 'component' || storage === 'zone';
