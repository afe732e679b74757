import { z } from 'zod';
import { keysOf } from '../../kernel/schema-problems';

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is not in kebab-case, as in "blog-post"');
const options = z
  .looseObject({ draftAndPublish: z.boolean().optional(), privateAttributes: z.array(z.string()).optional() })
  .default({});
export const knownOptions: ReadonlySet<string> = new Set(keysOf(options));
const common = {
  collectionName: z.string().min(1).max(200).optional(),
  options,
  pluginOptions: z.record(z.string(), z.unknown()).default({}),
  // Looked at one by one, so that a broken one hides nothing of the others.
  attributes: z.record(z.string(), z.unknown()).default({}),
};

/** A content type's `schema.json`. */
export const contentTypeFile = z.looseObject({
  ...common,
  kind: z.enum(['collectionType', 'singleType']).default('collectionType'),
  info: z.looseObject({
    singularName: kebab,
    pluralName: kebab,
    displayName: z.string().optional(),
    name: z.string().optional(),
  }),
});

/** A component's file. */
export const componentFile = z.looseObject({
  ...common,
  info: z.looseObject({ displayName: z.string().optional(), name: z.string().optional() }).default({}),
});

/** Keys that schema files of existing projects have; others are named, not refused. */
export const knownKeys: ReadonlySet<string> = new Set([
  'kind',
  'collectionName',
  'info',
  'options',
  'pluginOptions',
  'attributes',
  'config',
  'uid',
  'modelType',
  'modelName',
  'globalId',
  'connection',
  '__schema__',
  'draftAndPublish',
  '$schema',
]);
