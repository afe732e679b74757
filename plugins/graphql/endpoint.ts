import type { GraphQLError } from 'graphql';
import type { Context, Request } from 'koa';
import { bodyOf, HeddleError, type Principal } from '../../core';
import type { Apollo } from './answer/apollo';
import { type Asked, OversizedDocument, type PlainAnswers } from './answer/plain';
import type { ShownDocumentReader } from './answer/shown-document';
import type { GraphqlContext } from './hooks';
import type { LandingPage } from './landing/landing-page';
import { createSizeGuard } from './limits/size-guard';
import type { DocumentAccess } from './query/read';
import type { EventStreams } from './subscriptions/event-stream';

const json = 'application/json; charset=utf-8';
const keys = new Set(['query', 'variables', 'operationName']);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As nearly all spell it; to take a media type apart was a fiftieth of a request. */
const isJson = (request: Request): boolean =>
  request.req.headers['content-type'] === 'application/json' || Boolean(request.is('json'));

/** A request in the one form that nearly all have; whatever else may come is Apollo's to judge. */
function plainlyAsked(context: Context): Asked | undefined {
  const { request } = context;
  if (request.method !== 'POST' || !isJson(request)) return undefined;
  const accepted = request.get('accept');
  if (accepted !== '' && !/(^|[\s,])(\*\/\*|application\/json)\s*($|,)/.test(accepted)) return undefined;
  const body = bodyOf(context);
  if (!isRecord(body) || typeof body['query'] !== 'string') return undefined;
  const { query, variables, operationName } = body;
  if (!Object.keys(body).every((key) => keys.has(key))) return undefined;
  if (variables !== undefined && variables !== null && !isRecord(variables)) return undefined;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
  return { query, variables, operationName };
}

function sendOversized(context: Context, errors: readonly GraphQLError[]): void {
  const told = errors.map((error) => ({ ...error.toJSON(), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }));
  context.status = 400;
  context.type = json;
  context.body = `${JSON.stringify({ errors: told })}\n`;
}

/** What resolvers may ask of documents. */
export interface DocumentParts extends Pick<DocumentAccess, 'permit'> {
  readonly shown: ShownDocumentReader;
}

export interface EndpointParts {
  readonly apollo: Apollo;
  readonly access: DocumentParts;
  readonly plain: PlainAnswers;
  readonly landing: LandingPage;
  readonly streams: EventStreams | undefined;
}

/** What resolvers know of a request. */
export const contextOf = (http: Context, principal: Principal, { permit, shown }: DocumentParts): GraphqlContext => ({
  principal,
  permit: (permission) => permit({ permission }, principal),
  shown(...document) {
    return shown(this, ...document);
  },
  http,
  koaContext: http,
  state: http['state'],
  refusals: new Map(),
  inGroups: { documents: 0 },
});

/** Answers one request: plain queries by themselves, all else through Apollo Server. */
export function createEndpoint({ apollo, access, plain, landing, streams }: EndpointParts) {
  const tooLarge = createSizeGuard();

  return async function answer(context: Context): Promise<void> {
    context.response.set('Cache-Control', 'no-store');
    if (landing.answers(context)) return;
    const principal = context['state'].principal as Principal;
    if (streams && (await streams(context, principal))) return;
    const asked = plainlyAsked(context);
    try {
      const bytes = asked && (await plain(asked, principal));
      if (bytes) {
        context.response.set('Content-Type', json);
        context.response.body = bytes;
        return;
      }
    } catch (error) {
      if (error instanceof OversizedDocument) return sendOversized(context, error.errors);
      throw error;
    }
    const errors = tooLarge(context);
    if (errors) return sendOversized(context, errors);
    const { status, headers, body } = await apollo.answer(context, async () => contextOf(context, principal, access));
    if (body.kind !== 'complete') throw new HeddleError('NotImplementedError', 'Answers in parts are not supported');
    for (const [name, value] of headers) context.set(name, value);
    // Without one, it is what a resolver made it, or 200.
    if (status !== undefined) context.status = status;
    context.body = body.string;
  };
}
