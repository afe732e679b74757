import { z } from 'zod';
import type { EmailProvider, EmailSender } from './hooks';
import type { Mail } from './message';

const chatty = z.literal(false, { error: 'would write messages, and the codes in them, to the log' }).optional();

/** What nodemailer takes for a connection by SMTP; it checks the rest itself. */
const smtpOptions = z.looseObject({
  host: z.string().optional(),
  port: z.coerce.number().int().min(1).max(65_535).optional(),
  secure: z.boolean().optional(),
  auth: z.looseObject({}).optional(),
  logger: chatty,
  debug: chatty,
});

/** Shorter than nodemailer's own, of up to ten minutes. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** A message as nodemailer wants it. Texts stay texts: files and addresses in them are never fetched. */
const asNodemailer = ({ from, to, cc, bcc, replyTo, subject, text, html }: Mail) => ({
  from,
  to: [...to],
  cc: [...cc],
  bcc: [...bcc],
  replyTo,
  subject,
  text,
  html,
  disableFileAccess: true,
  disableUrlAccess: true,
});

interface Refusal {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** What the server said may quote the message or the login, so that it isn't told. */
function refused(error: unknown): Error {
  const { code = 'unknown error', command, responseCode } = error as Refusal;
  const details = [code, command?.split(' ')[0], responseCode].filter((part) => part !== undefined);
  return new Error(
    `the mail server did not take a message over (${details.join(', ')}). Check email.config.providerOptions in config/plugins.`,
  );
}

/** Made when the first message is sent: most processes never send one. */
function createSmtpSender(options: z.infer<typeof smtpOptions>): EmailSender {
  type Transport = ReturnType<typeof import('nodemailer').createTransport>;
  let transport: Transport | undefined;
  return {
    async send(mail) {
      const { createTransport } = require('nodemailer') as typeof import('nodemailer');
      transport ??= createTransport({ ...patience, ...options } as object);
      try {
        await transport.sendMail(asNodemailer(mail));
      } catch (error) {
        throw refused(error);
      }
    },
    close: () => transport?.close(),
  };
}

/** The message as it goes over the wire. */
export async function wireText(mail: Mail): Promise<Buffer> {
  const { createTransport } = require('nodemailer') as typeof import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(asNodemailer(mail));
  return message as Buffer;
}

/** Sends by SMTP, with the options of nodemailer. */
export const nodemailerProvider: EmailProvider = {
  name: 'nodemailer',
  options: smtpOptions,
  needsSender: true,
  make: (options) => createSmtpSender(options as z.infer<typeof smtpOptions>),
};
