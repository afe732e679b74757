import type { Context } from 'koa';
import type { Principal } from '../../../core';
import { type AccessPrincipal, isAccessPrincipal, type KnownUser } from '../access/rights';
import { unauthorized } from '../errors';
import { rowNumber } from '../row-number';

export const callerOf = (context: Context): Principal => context['state'].principal as Principal;

/** Who asks, where only this plugin can know them. */
export function knownCaller(context: Context): AccessPrincipal {
  const principal = callerOf(context);
  if (!isAccessPrincipal(principal)) throw unauthorized('Unauthorized');
  return principal;
}

/** The user who asks; programs are none. */
export function callingUser(context: Context, refusal = 'Unauthorized'): KnownUser {
  const { user } = knownCaller(context);
  if (!user) throw unauthorized(refusal);
  return user;
}

/** The number of a row out of the path; 0, which no row has, for what can be none. */
export function idOf(context: Context): number {
  return rowNumber((context['params'] as { id: string }).id);
}

const json = 'application/json; charset=utf-8';

/** Sends what is spelt as JSON already. */
export function sendJson(context: Context, spelt: string | Buffer): void {
  context.type = json;
  context.body = spelt;
}
