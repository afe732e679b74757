import type { Context } from 'koa';
import type { StoreAnswer } from '../../core';

const json = 'application/json; charset=utf-8';

/** The one document of an answer, spelt as JSON; undefined for none. */
export const onlyDocument = ({ json: list, count }: StoreAnswer): string | undefined =>
  count === 0 ? undefined : list.slice(1, -1);

/** Documents in the older form that a request may ask for: attributes in a key of their own. */
const formHeader = 'strapi-response-format';

interface FlatDocument {
  readonly id: number;
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

const nested = ({ id, documentId, ...attributes }: FlatDocument): object => ({ id, documentId, attributes });

function formed(context: Context, data: string): string {
  if (context.get(formHeader) !== 'v4') return data;
  const documents = JSON.parse(data) as FlatDocument | FlatDocument[];
  return JSON.stringify(Array.isArray(documents) ? documents.map(nested) : nested(documents));
}

/** Sends documents that are JSON already in the envelope of all answers. */
export function sendDocuments(context: Context, data: string, meta: object | undefined = undefined): void {
  context.type = json;
  context.body = `{"data":${formed(context, data)},"meta":${meta ? JSON.stringify(meta) : '{}'}}`;
}
