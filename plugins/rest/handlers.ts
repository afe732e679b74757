import type { Context } from 'koa';
import {
  bodyOf,
  type ContentType,
  type DocumentQuery,
  type Documents,
  notFound,
  type Operation,
  onlyDocument,
  type Principal,
  type StoreAnswer,
  validationError,
  type WriteOperation,
} from '../../core';
import { sendDocuments } from './answer';
import type { DocumentAction } from './hooks';
import type { OlderForm } from './older-form';
import { type Page, type PageLimits, parsePagination, refuseMisplaced } from './pagination';
import type { QueryParameters } from './query-string';

export interface HandlerSettings {
  readonly documents: Documents;
  readonly pages: PageLimits;
  readonly readQuery: (text: string) => QueryParameters;
  readonly olderForm: OlderForm;
  /** Asks for a permission that the operation entails. */
  mayDo(principal: Principal, action: string): Promise<boolean>;
}

type Handler = (context: Context) => Promise<void>;

/** What parameters ask for; of which page, where they are about a list. */
function queryOf(parameters: QueryParameters, window?: DocumentQuery['window']): DocumentQuery {
  const { filters, sort, fields, populate, _q: search, lookup } = parameters;
  const refuse = (): void => {
    // A name that would reach into tables elsewhere; nothing here reads it, and no one should think it does.
    if (lookup !== undefined) throw validationError("Invalid params: 'lookup'");
    if (window) refuseMisplaced(parameters);
  };
  return { filters, sort, fields, populate, search, parameters, refuse, window };
}

function dataOf(context: Context): Readonly<Record<string, unknown>> {
  const body = bodyOf(context);
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : undefined;
  if (typeof data !== 'object' || data === null) throw validationError('Missing "data" payload in the request body');
  return data as Record<string, unknown>;
}

export interface Handlers {
  readonly find: Handler;
  readonly findOne: Handler;
  readonly create: Handler;
  readonly update: Handler;
  readonly delete: Handler;
  /** The handler of an action that a plugin adds. */
  act(action: DocumentAction): Handler;
}

/** The handlers of one type's routes. */
export function handlersOf(
  type: ContentType,
  { documents, pages, readQuery, mayDo, olderForm }: HandlerSettings,
): Handlers {
  const formed = (data: never): unknown => olderForm(type, data);
  const parametersOf = (context: Context): QueryParameters => readQuery(context.querystring);

  function operation(context: Context, action: string, query: DocumentQuery): Operation {
    const principal = context['state'].principal as Principal;
    const { documentId } = context['params'] as { documentId?: string };
    return { action, type, documentId, query, rights: principal.rights, may: (entailed) => mayDo(principal, entailed) };
  }

  async function one(context: Context): Promise<void> {
    sendOne(context, await documents.read(operation(context, 'findOne', queryOf(parametersOf(context)))));
  }

  function sendOne(context: Context, answer: StoreAnswer): void {
    const document = onlyDocument(answer);
    if (document === undefined) throw notFound();
    sendDocuments(context, answer, document, formed);
  }

  /** A write's operation: its query's keys are checked before its body is looked at. */
  async function write(context: Context, action: string): Promise<WriteOperation> {
    const asked = operation(context, action, queryOf(parametersOf(context)));
    await documents.checkKeys(asked);
    const { documentId, query, rights, may } = asked;
    return { action, type, documentId, query, rights, may, data: dataOf(context) };
  }

  return {
    async find(context) {
      const parameters = parametersOf(context);
      let page: Page | undefined;
      const window = () => {
        page ??= parsePagination(parameters, pages);
        return page.window;
      };
      const answer = await documents.read(operation(context, 'find', queryOf(parameters, window)));
      sendDocuments(context, answer, answer.json, formed, { pagination: page!.meta(answer) });
    },
    findOne: one,
    async create(context) {
      const answer = await documents.create(await write(context, 'create'));
      context.status = 201;
      sendOne(context, answer);
    },
    async update(context) {
      sendOne(context, await documents.update(await write(context, 'update')));
    },
    async delete(context) {
      const asked = operation(context, 'delete', queryOf(parametersOf(context)));
      await documents.checkKeys(asked);
      await documents.remove(asked);
      context.status = 204;
    },
    act: (action) => async (context) => {
      const asked = operation(context, action.name, queryOf(parametersOf(context)));
      await documents.checkKeys(asked);
      sendOne(context, await action.run(asked));
    },
  };
}
