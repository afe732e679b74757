import { z } from 'zod';

const webAddress = z.url({ protocol: /^https?$/ });

const isLoopback = (text: string): boolean =>
  URL.canParse(text) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(text).hostname);

/** Whoever can read or change the way to an issuer can be anyone: it is encrypted, but on the machine itself. */
const issuer = webAddress.refine((text) => text.startsWith('https:') || isLoopback(text), 'must begin with https:');

/** A provider under the names that existing projects use; `issuer` makes any OpenID Connect provider one. */
export const providerOptions = z.strictObject({
  enabled: z.boolean().default(true),
  key: z.string({ error: 'is missing: it is what the provider calls client id' }).min(1),
  secret: z.string({ error: 'is missing: set the variable that it comes from' }).min(1),
  /** The page of the website that users come back to. */
  callbackUrl: webAddress,
  scope: z.array(z.string().min(1)).optional(),
  issuer: issuer.optional(),
  /** The host, or the host and the path, that some providers give each customer. */
  subdomain: z.string().min(1).optional(),
});

export type ProviderOptions = z.infer<typeof providerOptions>;

/** By the name in `/api/connect/<name>`. */
export const providersOptions = z
  .record(z.string().regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, 'is no name such as google'), providerOptions)
  .default({});
