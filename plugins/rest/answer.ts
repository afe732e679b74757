import type { Context } from 'koa';
import { joinedBytes, madeOf, type StoreAnswer } from '../../core';

const json = 'application/json; charset=utf-8';

/** Asks for documents in the form of the generation before. */
const formHeader = 'Strapi-Response-Format';

/**
 * Sends what an answer holds, which is JSON already, in the envelope of all answers; `documents` takes it out, and `formed`
 * puts it into the older form. What the context hands on to its response takes V8 several times as long.
 */
export function sendDocuments(
  { request, response }: Context,
  { json: bytes }: StoreAnswer,
  documents: Buffer,
  formed: (documents: never) => unknown,
  meta: object = {},
): void {
  const isOlder = request.get(formHeader) === 'v4';
  const end = `,"meta":${JSON.stringify(meta)}}`;
  const shown = (): string | Buffer =>
    isOlder ? JSON.stringify(formed(JSON.parse(documents.toString()) as never)) : documents;
  // A cache between must not give it to who asks for the usual form; those answers say nothing, as they do on the peer.
  if (isOlder) response.vary(formHeader);
  response.set('Content-Type', json);
  response.body = madeOf(bytes, `rest ${isOlder}${end}`, () => joinedBytes(['{"data":', shown(), end]));
}
