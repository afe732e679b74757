import type { Context } from 'koa';
import {
  type ContentType,
  type DocumentQuery,
  type Documents,
  notFound,
  type Operation,
  type Principal,
  type QueryLimits,
  validationError,
  type WriteOperation,
} from '../../core';
import { onlyDocument, sendDocuments } from './answer';
import { type Page, type PageLimits, parsePagination, refuseMisplaced } from './pagination';
import { parseQueryString, type QueryParameters } from './query-string';

export interface HandlerSettings {
  readonly documents: Documents;
  readonly pages: PageLimits;
  readonly query: QueryLimits;
}

type Handler = (context: Context) => Promise<void>;

function queryOf(parameters: QueryParameters): DocumentQuery {
  const { filters, sort, fields, populate, _q: search, lookup } = parameters;
  // A name that would reach into tables elsewhere; nothing here reads it, and no one should think it does.
  const refuse = (): void => {
    if (lookup !== undefined) throw validationError("Invalid params: 'lookup'");
  };
  return { filters, sort, fields, populate, search, parameters, refuse };
}

function dataOf(context: Context): Readonly<Record<string, unknown>> {
  const { body } = context.request as { body?: unknown };
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined;
  if (typeof data !== 'object' || data === null) throw validationError('Missing "data" payload in the request body');
  return data as Record<string, unknown>;
}

/** The handlers of one type's routes. */
export function handlersOf(
  type: ContentType,
  { documents, pages, query: limits }: HandlerSettings,
): Readonly<Record<string, Handler>> {
  const parametersOf = (context: Context): QueryParameters => parseQueryString(context.querystring, limits);

  function operation(context: Context, action: string, query: DocumentQuery): Operation {
    const { rights } = context['state'].principal as Principal;
    return { action, type, documentId: (context['params'] as { documentId?: string }).documentId, query, rights };
  }

  async function one(context: Context): Promise<void> {
    const document = onlyDocument(await documents.read(operation(context, 'findOne', queryOf(parametersOf(context)))));
    if (document === undefined) throw notFound();
    sendDocuments(context, document);
  }

  /** A write's operation: its query's keys are checked before its body is looked at. */
  function write(context: Context, action: string): WriteOperation {
    const query = queryOf(parametersOf(context));
    documents.checkKeys(type, query);
    return { ...operation(context, action, query), data: dataOf(context) };
  }

  return {
    async find(context) {
      const parameters = parametersOf(context);
      let page: Page | undefined;
      const window = () => {
        page ??= parsePagination(parameters, pages);
        return page.window;
      };
      const query = queryOf(parameters);
      const refuse = (): void => {
        query.refuse?.();
        refuseMisplaced(parameters);
      };
      const answer = await documents.read(operation(context, 'find', { ...query, refuse, window }));
      sendDocuments(context, answer.json, { pagination: page!.meta(answer.total) });
    },
    findOne: one,
    async create(context) {
      const document = onlyDocument(await documents.create(write(context, 'create')))!;
      context.status = 201;
      sendDocuments(context, document);
    },
    async update(context) {
      sendDocuments(context, onlyDocument(await documents.update(write(context, 'update')))!);
    },
    async delete(context) {
      const query = queryOf(parametersOf(context));
      documents.checkKeys(type, query);
      await documents.remove(operation(context, 'delete', query));
      context.status = 204;
    },
  };
}
