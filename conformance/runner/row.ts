import { z } from 'zod';

/** What a target may declare, as features.json describes it. A row runs only where everything it needs is declared. */
export const commonFeatures = [
  'rest',
  'draft-publish',
  'i18n',
  'graphql',
  'upload',
  'users-permissions',
  'aggregates',
  'beyond',
] as const;
/**
 * Those that a deployment must have been prepared for: API tokens of each kind, and a rate limit that lets an address use
 * each route of authentication at most ten times in a while, of which it has used none.
 */
export const preparedFeatures = ['api-tokens', 'rate-limit'] as const;
export const featureNames = [...commonFeatures, ...preparedFeatures] as const;
/** Kinds of API tokens besides the one that may do everything. */
export const tokenKinds = ['read-only', 'custom', 'expired'] as const;
export const levelNames = ['MUST', 'SHOULD', 'MAY'] as const;
export const sourceNames = ['specification', 'reference notes', 'security'] as const;

const frozenId = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'use lower-case words joined by dots and dashes');
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/, 'use letters and digits');
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A part of a form: a field with a text or JSON, or a file with a text, bytes, or an image of a size. */
const formPartSchema = z
  .strictObject({
    name: z.string().min(1),
    /** The name of a file; a part without one is a field. */
    file: z.string().optional(),
    /** The type that the client says a file is of. */
    type: z.string().min(1).optional(),
    text: z.string().optional(),
    json: z.json().optional(),
    base64: z.base64().optional(),
    image: z.tuple([z.int().min(1).max(2_000), z.int().min(1).max(2_000)]).optional(),
  })
  .refine(
    ({ text, json, base64, image }) => [text, json, base64, image].filter((given) => given !== undefined).length === 1,
    'a part has one of text, json, base64 and image',
  )
  .refine(
    ({ file, type, base64, image }) => file !== undefined || (type ?? base64 ?? image) === undefined,
    'type, base64 and image belong to files: name the file',
  )
  .refine(({ file, json }) => file === undefined || json === undefined, 'json belongs to fields');

const requestSchema = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    path: z.string().startsWith('/'),
    query: z.union([z.string(), z.record(z.string(), scalar)]).optional(),
    body: z.json().optional(),
    raw: z.string().optional(),
    /** The parts of a form, which is sent as multipart/form-data. */
    form: z.array(formPartSchema).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    as: z
      .string()
      .regex(/^(token(:read-only|:custom|:expired)?|public|user:[A-Za-z][A-Za-z0-9]*)$/)
      .optional(),
  })
  .refine(
    ({ body, raw, form }) => [body, raw, form].filter((given) => given !== undefined).length < 2,
    'body, raw and form exclude each other',
  );

const statusCode = z.int().min(100).max(599);

const expectSchema = z.strictObject({
  /** Several where the specification leaves the choice. */
  status: z.union([statusCode, z.array(statusCode).min(2)]),
  type: z.string().optional(),
  headers: z.record(z.string(), z.json()).optional(),
  body: z.json().optional(),
});

const stepSchema = z.strictObject({
  request: requestSchema,
  expect: expectSchema,
  save: z.record(name, z.string().min(1)).optional(),
});

export const rowSchema = z.strictObject({
  id: frozenId,
  title: z.string().min(1),
  level: z.enum(levelNames),
  rules: z.array(z.string()).min(1),
  source: z.enum(sourceNames),
  needs: z.array(z.enum(featureNames)).default(['rest']),
  /** Features that the target must not have: what a type does where an option has nobody to obey it. */
  without: z.array(z.enum(featureNames)).min(1).optional(),
  scene: name.optional(),
  /** The path of the single type that the row writes. */
  exclusive: z.string().startsWith('/').optional(),
  steps: z.array(stepSchema).min(1),
});

export const rowFileSchema = z.strictObject({ area: z.string().min(1), rows: z.array(rowSchema).min(1) });

/** A data set that read-only rows share; made once per run. */
export const sceneFileSchema = z.record(
  name,
  z.strictObject({ about: z.string().min(1), steps: z.array(stepSchema).min(1) }),
);

/** For each feature, steps that go well on a target that does without it, and on no other. */
export const featureFileSchema = z.record(
  z.enum(commonFeatures),
  z.strictObject({ about: z.string().min(1), off: z.array(stepSchema).min(1) }),
);

export const catalogueFileSchema = z.strictObject({
  section: z.string().min(1),
  entries: z
    .array(
      z.union([
        z.strictObject({
          id: frozenId,
          quote: z.string().min(1),
          issue: z.int().positive(),
          level: z.enum(levelNames),
        }),
        z.strictObject({ id: frozenId, quote: z.string().min(1), untestable: z.string().min(1) }),
      ]),
    )
    .min(1),
});

export type Json = z.infer<ReturnType<typeof z.json>>;
export type Feature = (typeof featureNames)[number];
export type TokenKind = (typeof tokenKinds)[number];
export type Level = (typeof levelNames)[number];
export type FormPart = z.infer<typeof formPartSchema>;
export type RowRequest = z.infer<typeof requestSchema>;
export type Expectation = z.infer<typeof expectSchema>;
export type Step = z.infer<typeof stepSchema>;
export type Row = z.infer<typeof rowSchema> & { area: string };
export type Scenes = z.infer<typeof sceneFileSchema>;
export type Features = z.infer<typeof featureFileSchema>;
export type CatalogueEntry = z.infer<typeof catalogueFileSchema>['entries'][number] & { section: string };
