import type { Context } from 'koa';
import { joinedBytes, madeOf, type StoreAnswer } from '../../core';

const json = 'application/json; charset=utf-8';

/** Asks for documents in the form of the generation before. */
const formHeader = 'Strapi-Response-Format';

/**
 * Sends what an answer holds, which is JSON already, in the envelope of all answers; `documents` takes it out, and `formed`
 * puts it into the older form.
 */
export function sendDocuments(
  context: Context,
  { json: bytes }: StoreAnswer,
  documents: Buffer,
  formed: (documents: never) => unknown,
  meta: object = {},
): void {
  const isOlder = context.get(formHeader) === 'v4';
  const end = `,"meta":${JSON.stringify(meta)}}`;
  const shown = (): string | Buffer =>
    isOlder ? JSON.stringify(formed(JSON.parse(documents.toString()) as never)) : documents;
  // A cache between must not give it to who asks for the usual form; those answers say nothing, as they do on the peer.
  if (isOlder) context.vary(formHeader);
  context.type = json;
  context.body = madeOf(bytes, `rest ${isOlder}${end}`, () => joinedBytes(['{"data":', shown(), end]));
}
