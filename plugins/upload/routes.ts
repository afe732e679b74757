import type { Context } from 'koa';
import {
  bodyOf,
  type ContentType,
  type DocumentQuery,
  type Documents,
  HeddleError,
  type Operation,
  type Principal,
  type Routes,
  type ShownDocument,
  type StoreAnswer,
  validationError,
  valuesIn,
} from '../../core';
import { type PageLimits, parsePagination, type QueryParameters, refuseMisplaced } from '../rest';
import { type Attachment, readAttachment } from './attach';
import { readInfo, readInfos } from './file-info';
import { discard, type Form, type FormLimits, isForm, readForm } from './form';
import type { Library } from './library';
import type { Staging } from './staging';

/** Nobody needs more at once, and no one is to fill the memory by asking. */
const mostFiles = 10_000;

const action = (name: string): { action: string } => ({ action: `plugin::upload.content-api.${name}` });

export interface RouteParts {
  readonly prefix: string;
  readonly pages: PageLimits;
  readonly limits: FormLimits;
  readonly library: Library;
  readonly documents: Documents;
  readonly staging: Staging;
  readonly type: () => ContentType;
  readonly types: () => ReadonlyMap<string, ContentType>;
  readQuery(text: string): QueryParameters;
  mayDo(principal: Principal, action: string): Promise<boolean>;
  attach(
    attachment: Attachment,
    files: readonly ShownDocument[],
    may: (action: string) => Promise<boolean>,
  ): Promise<void>;
  /** As answers show a file: with an address that its reader can use. */
  shown(file: ShownDocument): Promise<ShownDocument>;
}

const noSuchFile = (): HeddleError => new HeddleError('NotFoundError', 'file.notFound', {});
const empty = (): HeddleError => validationError('Files are empty');

/** A part without name and content is what browsers send where no file was chosen. Among others an empty file is one of them. */
function filesIn({ files }: Form): Form['files'] {
  const chosen = files.filter(({ name, size }) => name !== '' || size > 0);
  return chosen.length === 1 && chosen[0]!.size === 0 ? [] : chosen;
}

/** `start` and `limit` of a bare list, which has no page size of its own. */
function windowOf({ start, limit }: QueryParameters): { start: number; limit: number; total: false } {
  const first = Number(start ?? 0);
  if (!Number.isSafeInteger(first) || first < 0)
    throw validationError(`convertStartQueryParams expected a positive integer got ${first}`);
  const most = Number(limit ?? 0);
  if (!Number.isSafeInteger(most) || most < -1)
    throw validationError(`convertLimitQueryParams expected a positive integer got ${most}`);
  return { start: first, limit: most < 1 ? mostFiles : Math.min(most, mostFiles), total: false };
}

/** Adds what the REST interface offers of files. */
export function addRoutes(routes: Routes, parts: RouteParts): void {
  const { prefix, pages, library, documents, staging, readQuery, mayDo, shown } = parts;
  const base = `${prefix}/upload`;

  const principalOf = (context: Context): Principal => context['state'].principal as Principal;

  function operationOf(context: Context, name: string, query: DocumentQuery): Operation {
    const principal = principalOf(context);
    return {
      action: name,
      type: parts.type(),
      query,
      rights: principal.rights,
      may: (entailed) => mayDo(principal, entailed),
    };
  }

  function queryOf(parameters: QueryParameters): DocumentQuery {
    const { filters, sort, fields, populate, _q: search } = parameters;
    return { filters, sort, fields, populate, search, parameters };
  }

  const listed = (answer: StoreAnswer): Promise<ShownDocument[]> => Promise.all(valuesIn(answer).map(shown));

  /** What a request brings: a form, or JSON, which brings no files. */
  async function formOf(context: Context): Promise<Form> {
    if (isForm(context.req)) return readForm(context.req, staging, parts.limits);
    const body = bodyOf(context);
    const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
    return { fields: isRecord ? (body as Form['fields']) : {}, files: [] };
  }

  async function change(id: string, form: Form): Promise<ShownDocument> {
    const files = filesIn(form);
    if (files.length > 1) throw validationError('Cannot replace a file with multiple ones');
    const [file] = files;
    const info = readInfo(form.fields['fileInfo'], file !== undefined);
    return file ? library.replace(id, file, info) : library.updateInfo(id, info);
  }

  async function upload(context: Context): Promise<void> {
    const { id } = readQuery(context.querystring);
    if (typeof id === 'object' && id !== null) throw validationError('File id is required and must be a single value');
    const form = await formOf(context);
    try {
      if (typeof id === 'string' && id !== '') {
        context.body = await shown(await change(id, form));
        return;
      }
      const files = filesIn(form);
      if (files.length === 0) throw empty();
      const infos = readInfos(form.fields['fileInfo'], files.length);
      const attachment = readAttachment(form.fields, parts.types());
      const may = (entailed: string): Promise<boolean> => mayDo(principalOf(context), entailed);
      const added = await library.add(files, infos, async (kept) => {
        if (attachment) await parts.attach(attachment, kept, may);
      });
      context.status = 201;
      context.body = await Promise.all(added.map(shown));
    } finally {
      await discard(staging, form.files);
    }
  }

  async function find(context: Context): Promise<void> {
    const parameters = readQuery(context.querystring);
    const query = { ...queryOf(parameters), window: () => windowOf(parameters) };
    context.body = await listed(await documents.read(operationOf(context, 'find', query)));
  }

  async function findPage(context: Context): Promise<void> {
    const parameters = readQuery(context.querystring);
    let page: ReturnType<typeof parsePagination> | undefined;
    const query: DocumentQuery = {
      ...queryOf(parameters),
      refuse: () => refuseMisplaced(parameters),
      window() {
        page ??= parsePagination(parameters, pages);
        return page.window;
      },
    };
    const answer = await documents.read(operationOf(context, 'find', query));
    context.body = { data: await listed(answer), meta: { pagination: page!.meta(answer) } };
  }

  async function findOne(context: Context): Promise<void> {
    const { filters, sort, fields, populate } = readQuery(context.querystring);
    const { id } = context['params'] as { id: string };
    // There is nothing to find or to sort by: wrong keys are told all the same.
    await documents.checkKeys(operationOf(context, 'findOne', { filters, sort, fields, populate }));
    if (!/^\d{1,15}$/.test(id)) throw noSuchFile();
    const query = { populate, filters: { id: { $eq: Number(id) } } };
    const [file] = await listed(await documents.read(operationOf(context, 'find', query)));
    if (!file) throw noSuchFile();
    context.body = file;
  }

  async function remove(context: Context): Promise<void> {
    const file = await library.remove((context['params'] as { id: string }).id);
    if (!file) throw noSuchFile();
    context.body = await shown(file);
  }

  routes.add({ method: 'POST', path: base, access: action('upload'), body: 'json', handle: upload });
  routes.add({ method: 'GET', path: `${base}/files`, access: action('find'), handle: find });
  routes.add({ method: 'GET', path: `${base}/files/page`, access: action('findPage'), handle: findPage });
  routes.add({ method: 'GET', path: `${base}/files/:id`, access: action('findOne'), handle: findOne });
  routes.add({ method: 'DELETE', path: `${base}/files/:id`, access: action('destroy'), handle: remove });
}
