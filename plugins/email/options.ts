import { z } from 'zod';
import { type Mailbox, readMailbox } from './message';

const mailbox = z.string().transform((given, context): Mailbox => {
  const found = readMailbox(given);
  if (!found) context.addIssue(`is no address such as no-reply@example.com or "Shop <no-reply@example.com>"`);
  return found as Mailbox;
});

export const emailOptions = z.strictObject({
  /** Who sends: `outbox`, `nodemailer`, or what a plugin registered; the names of Strapi's packages mean the same. */
  provider: z
    .string()
    .default('outbox')
    .transform((name) => name.replace(/^(@strapi\/provider-email|strapi-provider-email)-/, '')),
  /** The provider's own affair, and checked by it. */
  providerOptions: z.looseObject({}).default({}),
  settings: z
    .strictObject({
      defaultFrom: mailbox.optional(),
      defaultReplyTo: mailbox.optional(),
      /** Where the admin panel of existing projects sends a test. */
      testAddress: z.string().optional(),
    })
    .prefault({}),
});

export type EmailOptions = z.infer<typeof emailOptions>;

declare module '../../core/types' {
  interface PluginOptions {
    email: z.input<typeof emailOptions>;
  }
}
