import type { Context } from 'koa';
import { bodyOf, type DocumentQuery, type Operation, onlyDocument, type Route, validationError } from '../../../core';
import { callerOf, callingUser, idOf, sendJson } from './callers';
import { createUserWrites, type UserWriteParts } from './user-writes';

export interface UserRouteParts extends UserWriteParts {
  readonly parse: (query: string) => Readonly<Record<string, unknown>>;
  /** The most users of one answer; absent for no maximum. */
  readonly maxLimit: number | undefined;
}

const everything = Number.MAX_SAFE_INTEGER;

function wholeNumber(given: unknown, name: string, fallback: number): number {
  if (given === undefined || given === '') return fallback;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < (name === 'Start' ? 0 : -1))
    throw validationError(`convert${name}QueryParams expected a positive integer got ${number}`);
  return number;
}

/** As on the peer, a limit below one is none; the configured maximum holds in any case. */
function windowOf({ start, limit }: Readonly<Record<string, unknown>>, most = everything) {
  const asked = wholeNumber(limit, 'Limit', everything);
  return { start: wholeNumber(start, 'Start', 0), limit: Math.min(asked < 1 ? everything : asked, most), total: false };
}

/** The users, as documents of their type, without the envelope that other documents have. */
export function userRoutes(prefix: string, parts: UserRouteParts): Route[] {
  const { type, documents, users, parse, mayDo, maxLimit } = parts;
  const writes = createUserWrites(parts);

  function operation(context: Context, action: string, query: DocumentQuery, documentId?: string): Operation {
    const principal = callerOf(context);
    const may = (entailed: string): Promise<boolean> => mayDo(principal, entailed);
    return { action, type: type(), documentId, query, rights: principal.rights, may };
  }

  function queryOf(context: Context): DocumentQuery & { readonly parameters: Readonly<Record<string, unknown>> } {
    const parameters = parse(context.querystring);
    const { filters, sort, fields, populate, _q: search } = parameters;
    return { filters, sort, fields, populate, search, parameters };
  }

  /** One user by the number of their row, if the query's own filters let them through. */
  async function sendOne(context: Context, id: number): Promise<void> {
    const user = await users().find(id);
    const query = queryOf(context);
    // Asked for even where there is nobody, so that a wrong query is told.
    const found = onlyDocument(await documents().read(operation(context, 'findOne', query, user?.documentId ?? '')));
    if (found) sendJson(context, found);
    else context.status = 204;
  }

  const withRole = (context: Context): DocumentQuery => ({
    populate: { role: true },
    parameters: parse(context.querystring),
  });

  async function create(context: Context): Promise<void> {
    const created = await writes.create(callerOf(context), bodyOf(context), withRole(context));
    context.status = 201;
    sendJson(context, onlyDocument(created)!);
  }

  async function update(context: Context): Promise<void> {
    const updated = await writes.update(callerOf(context), idOf(context), bodyOf(context), withRole(context));
    sendJson(context, onlyDocument(updated)!);
  }

  async function destroy(context: Context): Promise<void> {
    const removed = await writes.remove(callerOf(context), idOf(context));
    if (removed) sendJson(context, onlyDocument(removed)!);
    else context.status = 204;
  }

  const route = (method: Route['method'], path: string, action: string, handle: Route['handle']): Route => ({
    method,
    path: `${prefix}/users${path}`,
    access: { action: `plugin::users-permissions.user.${action}` },
    ...((method === 'POST' || method === 'PUT') && { body: 'json' as const }),
    handle,
  });

  return [
    route('GET', '/count', 'count', async (context) => {
      const window = () => ({ start: 0, limit: 1, total: true });
      const { total } = await documents().read(operation(context, 'find', { ...queryOf(context), window }));
      context.body = total;
    }),
    route('GET', '', 'find', async (context) => {
      const query = queryOf(context);
      const window = () => windowOf(query.parameters, maxLimit);
      sendJson(context, (await documents().read(operation(context, 'find', { ...query, window }))).json);
    }),
    route('GET', '/me', 'me', (context) => sendOne(context, callingUser(context).id)),
    route('GET', '/:id', 'findOne', (context) => sendOne(context, idOf(context))),
    route('POST', '', 'create', create),
    route('PUT', '/:id', 'update', update),
    route('DELETE', '/:id', 'destroy', destroy),
  ];
}
