import { z } from 'zod';
import type { MiddlewareMaker } from '../middleware';

const policy: Readonly<Record<string, string>> = {
  'connect-src': "'self' https:",
  'img-src': "'self' data: blob:",
  'media-src': "'self' data: blob:",
  'default-src': "'self'",
  'base-uri': "'self'",
  'font-src': "'self' https: data:",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'object-src': "'none'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
  'style-src': "'self' https: 'unsafe-inline'",
};

const source = z.union([z.string(), z.array(z.string()), z.null()]);
const off = z.literal(false);
const withOptions = <T extends z.ZodRawShape>(shape: T) => z.union([z.boolean(), z.strictObject(shape)]);

const options = z.strictObject({
  contentSecurityPolicy: withOptions({
    useDefaults: z.boolean().default(true),
    reportOnly: z.boolean().default(false),
    directives: z.record(z.string(), source).default({}),
  }).default(true),
  crossOriginEmbedderPolicy: withOptions({ policy: z.string().default('require-corp') }).default(false),
  crossOriginOpenerPolicy: withOptions({ policy: z.string().default('same-origin') }).default(false),
  crossOriginResourcePolicy: withOptions({ policy: z.string().default('same-origin') }).default(false),
  originAgentCluster: z.boolean().default(false),
  referrerPolicy: withOptions({ policy: z.union([z.string(), z.array(z.string())]).default('no-referrer') }).default(
    true,
  ),
  hsts: withOptions({
    maxAge: z.int().default(31_536_000),
    includeSubDomains: z.boolean().default(true),
    preload: z.boolean().default(false),
  }).default(true),
  noSniff: z.boolean().default(true),
  dnsPrefetchControl: withOptions({ allow: z.boolean().default(false) }).default(true),
  ieNoOpen: z.boolean().default(true),
  frameguard: withOptions({ action: z.string().default('sameorigin') }).default(true),
  permittedCrossDomainPolicies: withOptions({ permittedPolicies: z.string().default('none') }).default(true),
  xssFilter: z.boolean().default(false),
  hidePoweredBy: z.boolean().optional(),
  expectCt: off.optional(),
});

type Options = z.infer<typeof options>;
type Header = readonly [name: string, value: string];

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An option's object, whether it was given as one, as `true`, or not at all; nothing for `false`. */
const chosen = <T extends object>(given: boolean | T): Partial<T> | undefined =>
  given === true ? {} : given || undefined;

function contentSecurityPolicy(given: Options['contentSecurityPolicy']): Header[] {
  const chosenPolicy = chosen(given);
  if (!chosenPolicy) return [];
  const directives = new Map<string, string | readonly string[] | null>(
    chosenPolicy.useDefaults === false ? [] : Object.entries(policy),
  );
  for (const [name, sources] of Object.entries(chosenPolicy.directives ?? {})) directives.set(kebab(name), sources);
  const text = [...directives]
    .filter(([, sources]) => sources !== null)
    .map(([name, sources]) => `${name} ${[sources].flat().join(' ')}`.trim());
  return [[`Content-Security-Policy${chosenPolicy.reportOnly ? '-Report-Only' : ''}`, text.join(';')]];
}

function transportSecurity(given: Options['hsts']): Header[] {
  const hsts = chosen(given);
  if (!hsts) return [];
  const parts = [`max-age=${hsts.maxAge ?? 31_536_000}`];
  if (hsts.includeSubDomains !== false) parts.push('includeSubDomains');
  if (hsts.preload) parts.push('preload');
  return [['Strict-Transport-Security', parts.join('; ')]];
}

const one = <T extends object>(name: string, given: boolean | T, value: (options: Partial<T>) => string): Header[] => {
  const chosenOptions = chosen(given);
  return chosenOptions ? [[name, value(chosenOptions)]] : [];
};

export const securityHeaders = (given: Options): Header[] => [
  ...contentSecurityPolicy(given.contentSecurityPolicy),
  ...one('Cross-Origin-Embedder-Policy', given.crossOriginEmbedderPolicy, ({ policy = 'require-corp' }) => policy),
  ...one('Cross-Origin-Opener-Policy', given.crossOriginOpenerPolicy, ({ policy = 'same-origin' }) => policy),
  ...one('Cross-Origin-Resource-Policy', given.crossOriginResourcePolicy, ({ policy = 'same-origin' }) => policy),
  ...one('Origin-Agent-Cluster', given.originAgentCluster, () => '?1'),
  ...one('Referrer-Policy', given.referrerPolicy, ({ policy = 'no-referrer' }) => [policy].flat().join(',')),
  ...transportSecurity(given.hsts),
  ...one('X-Content-Type-Options', given.noSniff, () => 'nosniff'),
  ...one('X-DNS-Prefetch-Control', given.dnsPrefetchControl, ({ allow }) => (allow ? 'on' : 'off')),
  ...one('X-Download-Options', given.ieNoOpen, () => 'noopen'),
  ...one('X-Frame-Options', given.frameguard, ({ action = 'sameorigin' }) => action.toUpperCase()),
  ...one(
    'X-Permitted-Cross-Domain-Policies',
    given.permittedCrossDomainPolicies,
    ({ permittedPolicies = 'none' }) => permittedPolicies,
  ),
  ...one('X-XSS-Protection', given.xssFilter, () => '0'),
];

/** Headers that tell browsers to be careful; put together once. */
export const security: MiddlewareMaker = {
  options,
  make(given) {
    const headers = securityHeaders(given as Options);
    return (context, next) => {
      for (const [name, value] of headers) context.res.setHeader(name, value);
      return next();
    };
  },
};
