import { z } from 'zod';

/** What a target may declare. A row runs only where everything it needs is declared. */
export const featureNames = ['rest', 'draft-publish', 'i18n', 'graphql', 'upload', 'users-permissions'] as const;
export const levelNames = ['MUST', 'SHOULD', 'MAY'] as const;
export const sourceNames = ['specification', 'reference notes', 'security'] as const;

const frozenId = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'use lower-case words joined by dots and dashes');
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/, 'use letters and digits');
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const requestSchema = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    path: z.string().startsWith('/'),
    query: z.union([z.string(), z.record(z.string(), scalar)]).optional(),
    body: z.json().optional(),
    raw: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    as: z
      .string()
      .regex(/^(token|public|user:[A-Za-z][A-Za-z0-9]*)$/)
      .optional(),
  })
  .refine((request) => request.body === undefined || request.raw === undefined, 'body and raw exclude each other');

const expectSchema = z.strictObject({
  status: z.int().min(100).max(599),
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
export type Level = (typeof levelNames)[number];
export type RowRequest = z.infer<typeof requestSchema>;
export type Expectation = z.infer<typeof expectSchema>;
export type Step = z.infer<typeof stepSchema>;
export type Row = z.infer<typeof rowSchema> & { area: string };
export type Scenes = z.infer<typeof sceneFileSchema>;
export type CatalogueEntry = z.infer<typeof catalogueFileSchema>['entries'][number] & { section: string };
