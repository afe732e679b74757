import { z } from 'zod';

const code = z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'is no locale code such as en or pt-BR');

export const i18nOptions = z.strictObject({
  /** Locales that must be there; those that are missing are added at start, none is removed. */
  locales: z.array(z.union([code, z.strictObject({ code, name: z.string().min(1) })])).default([]),
  /** The locale of requests that name none; the database's own setting unless given. */
  defaultLocale: code.optional(),
});

export type I18nOptions = z.infer<typeof i18nOptions>;

declare module '../../core/types' {
  interface PluginOptions {
    i18n: I18nOptions;
  }
}
