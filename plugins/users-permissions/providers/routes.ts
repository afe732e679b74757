import type { Context } from 'koa';
import { type Route, validationError } from '../../../core';
import { readTexts } from '../auth/body';
import { unfit } from '../errors';
import type { Handovers } from './handover';
import type { Provider } from './presets';
import type { Identity } from './provider-kind';
import type { Seal } from './sealed';
import type { Attempt, SignIn } from './sign-in';

export interface ConnectParts {
  /** Where the routes begin, such as `/api`. */
  readonly prefix: string;
  /** The address under which the world reaches the service, without a slash at its end. */
  readonly url: string;
  readonly seal: () => Seal;
  readonly handovers: Handovers;
  /** Those in front of all routes. */
  readonly middlewares: Route['middlewares'];
  providerNamed(name: string): Promise<{ readonly provider: Provider; readonly signIn: SignIn } | undefined>;
  /** Answers the user whom a provider knows, with credentials. */
  answer(context: Context, provider: string, identity: Identity): Promise<void>;
}

const cookieName = 'heddle_connect';
const patience = 600_000;

const disabled = () => unfit('This provider is disabled');
const incomplete = () => unfit('OAuth authentication requires a completed provider session');

const single = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The page of the website, as it is configured, with one parameter more. */
function returning(callbackUrl: string, name: string, value: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set(name, value);
  return url.href;
}

/** The way to a provider, back from it, and from there to credentials. */
export function connectRoutes(parts: ConnectParts): Route[] {
  const { prefix, url, seal, handovers, providerNamed, middlewares } = parts;
  const isSecure = url.startsWith('https:');
  const path = `${prefix}/connect`;

  async function required(context: Context) {
    const { provider: name } = context.params as { provider: string };
    if (name === 'email') throw unfit('Unknown OAuth provider');
    const found = await providerNamed(name);
    if (!found) throw disabled();
    return { ...found, redirectUri: `${url}${path}/${name}/callback` };
  }

  function keep(context: Context, value: string | undefined): void {
    const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
    const age = value === undefined ? 0 : patience / 1000;
    context.append('Set-Cookie', [`${cookieName}=${value ?? ''}`, `Max-Age=${age}`, ...attributes].join('; '));
  }

  async function connect(context: Context): Promise<void> {
    const { provider, signIn, redirectUri } = await required(context);
    const { callback } = context.query;
    if (callback !== undefined && callback !== provider.callbackUrl)
      throw validationError('Invalid callback URL provided', { callback });
    const { url: target, attempt } = await signIn.begin(redirectUri);
    keep(context, seal().close({ ...attempt, provider: provider.name }, patience));
    context.set('Cache-Control', 'no-store');
    context.redirect(target);
  }

  function attemptOf(context: Context, name: string): Attempt {
    const kept = seal().open(context.cookies.get(cookieName) ?? '');
    if (kept?.['provider'] !== name) throw incomplete();
    return kept as unknown as Attempt;
  }

  /** Back from the provider: what it says is asked for, and handed to the website as a code that is good once. */
  async function comeBack(context: Context): Promise<void> {
    const { provider, signIn, redirectUri } = await required(context);
    const attempt = attemptOf(context, provider.name);
    keep(context, undefined);
    context.set('Cache-Control', 'no-store');
    const state = single(context.query['state']);
    const error = single(context.query['error']);
    if (error !== undefined && state === attempt.state) {
      const told = /^[a-z_]{1,64}$/.test(error) ? error : 'server_error';
      context.redirect(returning(provider.callbackUrl, 'error', told));
      return;
    }
    const identity = await signIn.finish(new URL(`${redirectUri}?${context.querystring}`), attempt);
    const code = await handovers.give(provider.name, identity);
    // Under the name that websites of existing projects hand back; it is no token of the provider.
    context.redirect(returning(provider.callbackUrl, 'access_token', code));
  }

  /** The website hands the code back, and gets what a login answers. */
  async function exchange(context: Context): Promise<void> {
    const { provider: name } = context.params as { provider: string };
    // Who logs in by a password sends it in a body, by POST: what is asked here misses it.
    if (name === 'local') readTexts({}, { identifier: {}, password: {} });
    if (name !== 'email' && !(await providerNamed(name))) throw disabled();
    const code = single(context.query['access_token']);
    const identity = code === undefined ? undefined : await handovers.take(name, code);
    if (!identity) throw incomplete();
    context.set('Cache-Control', 'no-store');
    await parts.answer(context, name, identity);
  }

  const action = (name: string) => ({ action: `plugin::users-permissions.auth.${name}` });
  return [
    { method: 'GET', path: `${path}/:provider`, access: action('connect'), middlewares, handle: connect },
    { method: 'GET', path: `${path}/:provider/callback`, access: action('connect'), middlewares, handle: comeBack },
    {
      method: 'GET',
      path: `${prefix}/auth/:provider/callback`,
      access: action('callback'),
      middlewares,
      handle: exchange,
    },
  ];
}
