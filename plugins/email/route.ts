import type { Context } from 'koa';
import { bodyOf, type Route, validationError } from '../../core';
import type { EmailMessage } from './message';

const keys = ['to', 'cc', 'bcc', 'from', 'replyTo', 'subject', 'text', 'html'];

/** A message out of a body; what it says is checked when it is sent. */
function messageIn(body: unknown): EmailMessage {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('A message must be an object');
  const unknown = Object.keys(body).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw validationError(`Invalid key ${unknown}`, { key: unknown, source: 'body' });
  return body as EmailMessage;
}

/** Sends a message for who may. */
export const sendRoute = (prefix: string, send: (message: EmailMessage) => Promise<void>): Route => ({
  method: 'POST',
  path: `${prefix}/email`,
  access: { action: 'plugin::email.email.send' },
  body: 'json',
  async handle(context: Context) {
    await send(messageIn(bodyOf(context)));
    context.body = {};
  },
});
