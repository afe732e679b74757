import { dirname, resolve } from 'node:path';
import type { Feature } from '../runner/row';
import { defaultPatience, type Patience } from '../runner/send';
import type { TokenKeys } from '../targets/target';
import { declaredBy, featuresNamed, type Profile, readProfile } from './profile';
import { tokenKeys } from './token-keys';

/** What the command line says. */
export interface ConformOptions {
  /** How reports call the target. */
  name?: string | undefined;
  url?: string | undefined;
  token?: string | undefined;
  /** API tokens of each kind, as `kind=key`; with them the target declares `api-tokens`. */
  tokens?: readonly string[] | undefined;
  profile?: string | undefined;
  /** What the target declares; everything when neither this nor the profile says. */
  features?: string[] | undefined;
  off?: string[] | undefined;
  only?: string[] | undefined;
  /** Whether single types may be written. */
  exclusive?: boolean | undefined;
  /** Seconds for one answer. */
  timeout?: number | undefined;
  retries?: number | undefined;
  concurrency?: number | undefined;
  /** A file of known deviations; the run then passes when exactly those rows fail. */
  deviations?: string | undefined;
  reportJson?: string | undefined;
  reportJunit?: string | undefined;
  reportHtml?: string | undefined;
  reportBadge?: string | undefined;
  reportCoverage?: string | undefined;
  /** The folder of a project that shall get the fixture content types. */
  fixturesInto?: string | undefined;
  /** Play only what needs no content types. */
  smoke?: boolean | undefined;
  /** The folder of the target's own schema files; rows are derived from them. */
  schema?: string | undefined;
  /** Whether derived rows may write. */
  write?: boolean | undefined;
  /** Prints every row as it ends. */
  verbose?: boolean | undefined;
}

/** What a run needs, whoever said it. */
export interface Settings extends Patience {
  name: string | undefined;
  url: string;
  token: string | undefined;
  /** The environment variable that the profile names for the token, set or not. */
  tokenFrom: string | undefined;
  tokens: TokenKeys | undefined;
  /** Undefined where nobody said. */
  features: Feature[] | undefined;
  off: Feature[];
  only: string[];
  exclusive: boolean;
  concurrency: number;
  deviations: string | undefined;
}

function checkedUrl(text: string | undefined): string {
  if (!text) throw new Error('Say where the deployment answers: --url, or "url" in the profile.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('--url is an address such as http://127.0.0.1:1337.');
  if (url.username || url.password) throw new Error('--url has no room for a password; give the key by --token.');
  return text;
}

/** The command line over the profile over what is usual. */
export function settingsOf(options: ConformOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const profile: Profile = options.profile ? readProfile(options.profile) : {};
  const besideProfile = (file: string) => resolve(dirname(options.profile ?? '.'), file);
  const seconds = options.timeout ?? profile.timeout;
  const { tokenFrom } = profile;
  const features = options.features ? featuresNamed(options.features) : declaredBy(profile);
  const off = featuresNamed(options.off ?? profile.off ?? []);
  return {
    name: options.name ?? profile.name,
    url: checkedUrl(options.url ?? profile.url),
    token: options.token ?? (tokenFrom && (env[tokenFrom] || undefined)),
    tokenFrom,
    tokens: tokenKeys(options.tokens),
    features,
    off,
    only: options.only ?? profile.only ?? [],
    exclusive: options.exclusive ?? profile.exclusive ?? false,
    timeout: seconds ? seconds * 1000 : defaultPatience.timeout,
    patience: defaultPatience.patience,
    retries: options.retries ?? profile.retries ?? 2,
    concurrency: options.concurrency ?? profile.concurrency ?? 1,
    deviations: options.deviations ?? (profile.deviations && besideProfile(profile.deviations)),
  };
}
