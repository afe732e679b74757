import { z } from 'zod';
import { type Problem, problem } from '../../core';
import { providersOptions } from './providers/options';
import { rateLimitOptions } from './rate-limit/options';

const seconds = z.int().min(1);

/** As `jsonwebtoken` reads it: seconds, or a text such as "7d". */
const lifetime = z.union([seconds, z.string().min(1)]).refine((expiresIn) => {
  // Loaded only where somebody set it.
  const jwt = require('jsonwebtoken') as typeof import('jsonwebtoken');
  try {
    jwt.sign({}, 'any', { expiresIn: expiresIn as number });
    return true;
  } catch {
    return false;
  }
}, 'is no span of time such as 3600 or "30d"');

/** Existing projects have short ones, which go on working; what can be tried out does not. */
const isWeak = (secret: string): boolean => secret.trim().length < 10;
const weakness = 'is empty or shorter than 10 characters, so that anybody could sign tokens of users.';
const remedy = 'Make it long and random, or leave it out to have one made and kept in the data folder.';

/** What is wrong with the key in the environment, where it is the one that counts. */
export const environmentProblems = (options: UsersPermissionsOptions, secret: string | undefined): Problem[] =>
  options.jwtSecret === undefined && secret !== undefined && isWeak(secret)
    ? [problem('JWT_SECRET', weakness, remedy)]
    : [];

const webAddress = z.url({ protocol: /^https?$/ });

/** What the administration panel of existing projects sets; what is given here goes before what the database says. */
const advanced = z.strictObject({
  unique_email: z.boolean().optional(),
  allow_register: z.boolean().optional(),
  email_confirmation: z.boolean().optional(),
  email_reset_password: webAddress.nullable().optional(),
  email_confirmation_redirection: webAddress.nullable().optional(),
  default_role: z.string().min(1).optional(),
});

export type AdvancedSettings = z.infer<typeof advanced>;

export const usersPermissionsOptions = z.strictObject({
  /** The key that users' tokens are signed with; generated and kept in the data folder unless given. */
  jwtSecret: z
    .string()
    .refine((secret) => !isWeak(secret), `${weakness} ${remedy}`)
    .optional(),
  jwt: z.strictObject({ expiresIn: lifetime.default('30d') }).prefault({}),
  jwtManagement: z.enum(['legacy-support', 'refresh']).default('legacy-support'),
  sessions: z
    .strictObject({
      accessTokenLifespan: seconds.default(600),
      maxRefreshTokenLifespan: seconds.default(2_592_000),
      idleRefreshTokenLifespan: seconds.default(1_209_600),
    })
    .prefault({}),
  register: z.strictObject({ allowedFields: z.array(z.string()).default([]) }).prefault({}),
  advanced: advanced.prefault({}),
  /** Who else may say who a user is, by the name in `/api/connect/<name>`. */
  providers: providersOptions,
  /** How often one address may use each route of authentication. */
  ratelimit: rateLimitOptions,
});

export type UsersPermissionsOptions = z.infer<typeof usersPermissionsOptions>;

/** The part of `config/admin` that content tokens need. */
export const adminKeys = {
  apiToken: z.looseObject({ salt: z.string().min(1).optional() }).prefault({}),
};

declare module '../../core/types' {
  interface ConfigSections {
    admin: { apiToken: { salt?: string | undefined } };
  }
  interface PluginOptions {
    'users-permissions': z.input<typeof usersPermissionsOptions>;
  }
}
