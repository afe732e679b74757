import type { Context } from 'koa';
import { joinedBytes } from '../../core';

const json = 'application/json; charset=utf-8';

/** Asks for documents in the form of the generation before. */
const formHeader = 'strapi-response-format';

/** Sends documents that are JSON already in the envelope of all answers; `formed` puts them into the older form. */
export function sendDocuments(
  context: Context,
  data: Buffer,
  formed: (documents: never) => unknown,
  meta: object = {},
): void {
  const isOlder = context.get(formHeader) === 'v4';
  context.type = json;
  const shown = isOlder ? JSON.stringify(formed(JSON.parse(data.toString()) as never)) : data;
  context.body = joinedBytes(['{"data":', shown, `,"meta":${JSON.stringify(meta)}}`]);
}
