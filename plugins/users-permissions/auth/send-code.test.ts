import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../core/kernel/logger';
import { DATABASE } from '../../sql';
import { USERS } from '..';
import { type UsersApp, usersApp } from '../app.fixture';
import type { UserRow } from '../users/users';
import { createAuth } from './auth';
import { createBackground } from './background';
import type { Auth, AuthParts } from './parts';

const known = { id: 1, documentId: 'd', username: 'ann', email: 'ann@example.org', confirmed: false } as UserRow;

/** What each request makes the service do, before its answer and after it; nothing is looked up before it is let. */
async function workFor(ask: (auth: Auth) => Promise<unknown>) {
  const done: string[] = [];
  const step = (name: string, answer?: unknown) => async () => {
    done.push(name);
    return answer;
  };
  const background = createBackground(silentLogger);
  const parts = {
    users: {
      ofEmail: async (email: string) => {
        done.push('look up');
        return email === known.email ? [known] : [];
      },
      settle: step('write for somebody', true),
      settleNobody: step('write for nobody'),
    },
    mails: { newPassword: step('write the message'), confirmation: step('write the message') },
    mailing: { send: step('send'), rehearse: step('rehearse') },
    settings: { advanced: step('look at the settings', {}) },
    options: { register: { allowedFields: [] } },
    background,
  } as unknown as AuthParts;
  const answer = await ask(createAuth(parts));
  const before = [...done];
  await background.finish();
  return { answer, before, after: done };
}

test.each([
  ['to choose a new password', 'forgotPassword'],
  ['to confirm an address', 'sendConfirmation'],
] as const)('a message %s is asked for alike by everyone: nothing is done before the answer', async (_, method) => {
  const ofKnown = await workFor((auth) => auth[method]({ email: known.email }));
  const ofNobody = await workFor((auth) => auth[method]({ email: 'nobody@example.org' }));
  expect([ofKnown.before, ofNobody.before]).toEqual([[], []]);
  expect(ofKnown.after).toEqual(['look up', 'write for somebody', 'write the message', 'send']);
  expect(ofNobody.after).toEqual(['look up', 'write for nobody', 'write the message', 'rehearse']);
});

describe('over HTTP', () => {
  let app: UsersApp;
  beforeAll(async () => {
    app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config: { ratelimit: { max: 100 } } } } });
    const user = { password: 'secret-1', provider: 'local' };
    for (const [name, more] of Object.entries({
      confirmed: { confirmed: true },
      waiting: {},
      blocked: { blocked: true },
    }))
      await app.service(USERS).create({ ...user, username: name, email: `${name}@example.org`, ...more });
  });
  afterAll(() => app.remove());

  test('what is written for nobody is one row, every time another one', async () => {
    for (const code of ['first', 'last']) await app.service(USERS).settleNobody(code);
    const rows = await app.service(DATABASE).knex()('heddle_meta').where({ key: 'code_for_nobody' });
    expect(rows).toMatchObject([{ value: 'last' }]);
  });

  test('answers are equal, and only those get messages whom they are for', async () => {
    const names = ['confirmed', 'waiting', 'blocked', 'nobody'];
    const masked = async (path: string, name: string) => {
      const { status, text } = await app.post(path, { email: `${name}@example.org` });
      return [status, text.replace(name, 'NAME')];
    };
    for (const [path, text] of [
      ['/api/auth/forgot-password', '{"ok":true}'],
      ['/api/auth/send-email-confirmation', '{"email":"NAME@example.org","sent":true}'],
    ] as const)
      for (const name of names) expect(await masked(path, name)).toEqual([200, text]);

    const { folder } = app;
    await app.app.close();
    const outbox = join(folder.dataDir, 'outbox');
    // Two for a new password, one to confirm an address.
    expect(existsSync(outbox) ? readdirSync(outbox) : []).toHaveLength(3);
  });
});
