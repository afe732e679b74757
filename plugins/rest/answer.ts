import type { Context } from 'koa';
import type { StoreAnswer } from '../../core';

const json = 'application/json; charset=utf-8';

/** The one document of an answer, spelt as JSON; undefined for none. */
export const onlyDocument = ({ json: list, count }: StoreAnswer): string | undefined =>
  count === 0 ? undefined : list.slice(1, -1);

/** Asks for documents in the form of the generation before. */
const formHeader = 'strapi-response-format';

/** Sends documents that are JSON already in the envelope of all answers; `formed` puts them into the older form. */
export function sendDocuments(
  context: Context,
  data: string,
  formed: (documents: never) => unknown,
  meta: object = {},
): void {
  const isOlder = context.get(formHeader) === 'v4';
  context.type = json;
  context.body = `{"data":${isOlder ? JSON.stringify(formed(JSON.parse(data) as never)) : data},"meta":${JSON.stringify(meta)}}`;
}
