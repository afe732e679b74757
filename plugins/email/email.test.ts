import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { createApplication, definePlugin, type Logger } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { shipped } from '../shipped';
import email, { EMAIL, type EmailMessage, type Mail } from '.';

const password = 'smtp-pass-4711';
const code = 'reset-code-0815';
const message: EmailMessage = {
  to: ['Ann <ann@example.com>', 'bob@example.com'],
  bcc: 'cat@example.com',
  subject: 'Grüße',
  text: `Your code: ${code}`,
  html: `<p>Your code: ${code}</p>`,
};

interface Received {
  from: string;
  to: string[];
  text: string;
}

const received: Received[] = [];
const smtp = new SMTPServer({
  authOptional: false,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password: given }, _session, done) =>
    username === 'shop' && given === password ? done(null, { user: 'shop' }) : done(new Error(`no: ${given}`)),
  onData(stream, { envelope }, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = envelope;
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString('utf8'),
      });
      done();
    });
  },
});

let folder: AppFolder;
let logged: string;
const line = (fields: object, text: string): void => {
  logged += `${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.stack : value))} ${text}\n`;
};
const log: Logger = { level: 'debug', debug: line, info: line, warn: line, error: line, child: () => log };

beforeAll(() => new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)));
beforeEach(() => {
  folder = appFolder();
  logged = '';
  received.length = 0;
});
afterEach(() => folder.remove());

const port = (): number => (smtp.server.address() as AddressInfo).port;

async function application(config: object, plugins: object = {}) {
  const off = { sql: false, rest: false, i18n: false, upload: false, 'users-permissions': false };
  const overrides = { plugins: { ...off, email: { config }, ...plugins } };
  return createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' }, overrides, log });
}

async function send(config: object, what: EmailMessage = message): Promise<void> {
  const app = await application(config);
  await app.start();
  try {
    await app.kernel.services.get(EMAIL).send(what);
  } finally {
    await app.close();
  }
}

const bySmtp = (given: object = {}, settings: object = { defaultFrom: 'Shop <shop@example.com>' }) => ({
  provider: 'nodemailer',
  providerOptions: { host: '127.0.0.1', port: port(), auth: { user: 'shop', pass: password }, ...given },
  settings,
});

test('a message goes to the mail server, as its recipients are to see it', async () => {
  await send(bySmtp({}, { defaultFrom: 'Shop <shop@example.com>', defaultReplyTo: 'help@example.com' }));
  const [mail] = received;
  expect(mail).toMatchObject({
    from: 'shop@example.com',
    to: ['ann@example.com', 'bob@example.com', 'cat@example.com'],
  });
  expect(mail?.text).toMatch(/^From: Shop <shop@example\.com>\r?$/m);
  expect(mail?.text).toMatch(/^To: Ann <ann@example\.com>, bob@example\.com\r?$/m);
  expect(mail?.text).toMatch(/^Reply-To: help@example\.com\r?$/m);
  expect(mail?.text).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(mail?.text).toContain(`Your code: ${code}`);
  expect(mail?.text).toContain('multipart/alternative');
  expect(mail?.text).not.toContain('cat@example.com');
});

test('the name of a package means its provider, and a message may say who sends it', async () => {
  await send({ ...bySmtp(), provider: '@strapi/provider-email-nodemailer' }, { ...message, from: 'x@example.com' });
  expect(received[0]?.from).toBe('x@example.com');
});

test('nothing is sent that would change the headers', async () => {
  await expect(send(bySmtp(), { ...message, subject: 'a\r\nBcc: eve@example.com' })).rejects.toMatchObject({
    status: 400,
  });
  await expect(send(bySmtp(), { ...message, to: 'a@example.com\r\nRCPT TO:<eve@example.com>' })).rejects.toMatchObject({
    status: 400,
  });
  expect(received).toEqual([]);
});

test('texts are no paths: no file is read into a message', async () => {
  await expect(send(bySmtp(), { ...message, html: { path: '/etc/hostname' } as never })).rejects.toMatchObject({
    status: 400,
  });
  expect(received).toEqual([]);
});

test('a mail server that refuses is told without the login and the message', async () => {
  const wrong = send(bySmtp({ auth: { user: 'shop', pass: 'wrong-pass-9' } }));
  await expect(wrong).rejects.toThrow(/did not take a message over \(EAUTH, AUTH, 535\)\. Check email/);
  await wrong.catch((error: Error) => {
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/wrong-pass-9|reset-code/);
    expect(error.cause).toBeUndefined();
  });
  await expect(send(bySmtp({ port: 1 }))).rejects.toThrow(/ECONNREFUSED|ESOCKET/);
  expect(logged).not.toMatch(/wrong-pass-9|reset-code/);
});

test('without a provider, messages are kept in the data folder, the newest of them', async () => {
  const app = await application({ providerOptions: { limit: 3 } });
  await app.start();
  const sender = app.kernel.services.get(EMAIL);
  for (const subject of ['one', 'two', 'three', 'four', 'five']) {
    await sender.send({ ...message, subject });
    // Files of the same millisecond have no order.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await app.close();
  const dir = join(folder.dataDir, 'outbox');
  const texts = readdirSync(dir)
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'));
  expect(texts.map((text) => /^Subject: (.*?)\r?$/m.exec(text)?.[1])).toEqual(['three', 'four', 'five']);
  expect(texts[0]).toContain(code);
  expect(texts[0]).toContain('From: Heddle <no-reply@localhost>');
  expect(statSync(dir).mode & 0o077).toBe(0);
  expect(statSync(join(dir, readdirSync(dir)[0]!)).mode & 0o077).toBe(0);
  expect(logged).toContain('an e-mail was written to the outbox');
  expect(logged).not.toMatch(/reset-code|ann@example/);
});

test('a plugin can bring a provider of its own', async () => {
  const sent: Mail[] = [];
  const pigeon = definePlugin({
    name: 'pigeon',
    requires: ['email'],
    apply({ hooks }) {
      hooks.email.providers.tap('pigeon', ({ add }) =>
        add({ ...provider, make: () => ({ send: async (mail) => void sent.push(mail) }) }),
      );
    },
  });
  const provider = { name: 'pigeon', options: email.options! };
  const app = await createApplication({
    ...folder,
    shipped: { plugins: { email: { load: () => email }, pigeon: { load: () => pigeon, default: true } }, inert: {} },
    env: { NODE_ENV: 'test' },
    overrides: { plugins: { email: { config: { provider: 'pigeon' } } } },
    log,
  });
  await app.start();
  await app.kernel.services.get(EMAIL).send(message);
  await app.close();
  expect(sent).toMatchObject([{ subject: 'Grüße', from: { address: 'no-reply@localhost' } }]);
});

test.each([
  [{ provider: 'nodemaler' }, /email\.config\.provider: names "nodemaler".*Did you mean "nodemailer"\?/],
  [{ provider: 'sendgrid' }, /nothing could be sent\. Known are outbox, nodemailer/],
  [{ provider: 'nodemailer' }, /email\.config\.settings\.defaultFrom: is missing/],
  [{ provider: 'nodemailer', providerOptions: { port: 'x' } }, /email\.config\.providerOptions\.port:/],
  [{ provider: 'nodemailer', providerOptions: { debug: true } }, /providerOptions\.debug: would write messages/],
  [{ providerOptions: { limits: 5 } }, /providerOptions\.limits: is no known option.*Did you mean "limit"\?/],
  [{ settings: { defaultFrom: 'a@example.com\nX: y' } }, /settings\.defaultFrom: is no address/],
  [{ setting: {} }, /email\.config\.setting: is no known option.*"settings"/],
])('%j keeps the application from starting', async (config, problem) => {
  await expect(application(config)).rejects.toThrow(problem);
});
