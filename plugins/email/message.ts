import { type Issue, issuesError } from '../../core';

type Recipients = string | readonly string[];

/** A message as a plugin asks for it: each text is one mailbox, `ann@example.com` or `Ann <ann@example.com>`. */
export interface EmailMessage {
  readonly to: Recipients;
  readonly cc?: Recipients;
  readonly bcc?: Recipients;
  /** `settings.defaultFrom`, unless given; likewise the address for answers. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A message that was checked, with its defaults: what providers get. */
export interface Mail {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

export interface Senders {
  readonly defaultFrom: Mailbox;
  readonly defaultReplyTo?: Mailbox;
}

const maxRecipients = 100;
const maxSubject = 998;
const maxBody = 1_000_000;

// What ends a header line, and what no name, address or subject needs.
const control = /[\u0000-\u001f\u007f\u2028\u2029]/;
const address = /^[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,255}$/;
const maxAddress = 320;
const maxName = 200;
/** A name, an address and what stands around them. */
const maxMailbox = maxName + maxAddress + 100;
// No part of it may begin where another could go on, so that any text is read once.
const named = /^(?:"([^"\\<>]*)"\s*|([^"<>]*))<([^<>]*)>$/;

/** Reads one mailbox, and nothing that a mail server could take for several. */
export function readMailbox(given: string): Mailbox | undefined {
  const text = given.trim();
  if (text.length > maxMailbox || control.test(given)) return undefined;
  const [, quoted, plain = '', inBrackets] = named.exec(text) ?? [];
  const [name, found] = [quoted ?? plain.trim(), inBrackets ?? text];
  return name.length <= maxName && address.test(found) ? { name, address: found } : undefined;
}

interface Reading {
  refuse(path: string, message: string): void;
}

function oneMailbox(given: unknown, path: string, { refuse }: Reading): Mailbox | undefined {
  const found = typeof given === 'string' ? readMailbox(given) : undefined;
  if (!found) refuse(path, `${path} must be one address such as ann@example.com or Ann <ann@example.com>`);
  return found;
}

function mailboxes(given: unknown, path: string, reading: Reading): Mailbox[] {
  const list: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return list.map((each) => oneMailbox(each, path, reading)).filter((found) => found !== undefined);
}

function body(given: unknown, path: string, { refuse }: Reading): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'string') refuse(path, `${path} must be a text`);
  else if (given.length > maxBody) refuse(path, `${path} must be at most ${maxBody} characters`);
  else return given;
  return undefined;
}

/** Checks a message and fills in its defaults; every mistake is told at once, and none shows what the message says. */
export function checkedMail(message: EmailMessage, senders: Senders): Mail {
  const issues: Issue[] = [];
  const reading: Reading = {
    refuse: (path, text) => void issues.push({ path: [path], message: text, name: 'ValidationError' }),
  };
  const [to, cc, bcc] = [
    mailboxes(message.to, 'to', reading),
    mailboxes(message.cc, 'cc', reading),
    mailboxes(message.bcc, 'bcc', reading),
  ];
  const from = message.from === undefined ? senders.defaultFrom : oneMailbox(message.from, 'from', reading);
  const replyTo =
    message.replyTo === undefined ? senders.defaultReplyTo : oneMailbox(message.replyTo, 'replyTo', reading);
  const { subject } = message;
  const [text, html] = [body(message.text, 'text', reading), body(message.html, 'html', reading)];

  const count = to.length + cc.length + bcc.length;
  if (message.to === undefined || (Array.isArray(message.to) && message.to.length === 0))
    reading.refuse('to', 'to must name at least one address');
  if (count > maxRecipients) reading.refuse('to', `a message must have at most ${maxRecipients} recipients`);
  if (typeof subject !== 'string' || subject.length > maxSubject || control.test(subject))
    reading.refuse('subject', `subject must be one line of at most ${maxSubject} characters`);
  if (message.text === undefined && message.html === undefined)
    reading.refuse('text', 'a message must have a text or html');
  if (issues.length > 0) throw issuesError(issues);
  return { from: from!, to, cc, bcc, ...(replyTo && { replyTo }), subject, text, html };
}
