import { z } from 'zod';
import { tokenTypes } from '../tokens/token-types';

const permissions = z.array(z.string().min(1));

const role = z.union([
  permissions.transform((listed) => ({ name: undefined, description: undefined, permissions: listed })),
  z.strictObject({ name: z.string().min(1).optional(), description: z.string().optional(), permissions }),
]);

const token = z
  .strictObject({
    /** From the environment: `env('WEBSITE_TOKEN')`. */
    key: z
      .string({ error: 'is missing: set the variable that it comes from' })
      .min(16, 'is shorter than 16 characters and could be guessed'),
    type: z.enum(tokenTypes).optional(),
    permissions: permissions.optional(),
  })
  .refine(({ type, permissions: listed }) => (listed === undefined) !== (type === undefined || type === 'custom'), {
    error: 'must have permissions, or the type full-access or read-only',
  })
  .transform(({ key, type = 'custom', permissions: listed = [] }) => ({ key, type, permissions: listed }));

const code = z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'is no locale code such as en or pt-BR');

/** `config/access`: who may do what, as the project's files say. */
export const accessKeys = {
  /** By type, such as `public`; each has exactly these permissions. Roles that are not listed are left alone. */
  roles: z
    .record(z.string().regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, 'is no type of role such as editor'), role)
    .default({}),
  /** By name. Tokens that were made elsewhere are left alone. */
  tokens: z.record(z.string().min(1), token).default({}),
  /** Locales that must be there; none is removed. */
  locales: z.array(z.union([code, z.strictObject({ code, name: z.string().min(1) })])).default([]),
  /** Whether a start makes it so. */
  apply: z.boolean().default(true),
};

export type DeclaredAccess = { readonly [Key in keyof typeof accessKeys]: z.infer<(typeof accessKeys)[Key]> };

declare module '../../../core/types' {
  interface ConfigSections {
    access: DeclaredAccess;
  }
}
