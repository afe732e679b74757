import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { EmailProvider } from './hooks';
import { wireText } from './nodemailer';

const outboxOptions = z.strictObject({
  /** Messages that are kept; the oldest go first. */
  limit: z.int().min(1).max(10_000).default(100),
});

/** `20240229T102030000Z-1f2e3d4c.eml`: in the order of their times. */
const newName = (): string => `${new Date().toISOString().replace(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.eml`;
const isMessage = (name: string): boolean => /^\d{8}T\d{9}Z-[0-9a-f]{8}\.eml$/.test(name);

async function dropOldest(dir: string, limit: number): Promise<void> {
  const messages = (await readdir(dir)).filter(isMessage).sort();
  const old = messages.slice(0, Math.max(0, messages.length - limit));
  await Promise.all(old.map((name) => rm(join(dir, name), { force: true })));
}

/** Keeps messages as files in the data folder, for whoever may read that, and sends nothing. */
export const outboxProvider: EmailProvider = {
  name: 'outbox',
  options: outboxOptions,
  make(options, { app, log }) {
    const { limit } = options as z.infer<typeof outboxOptions>;
    const dir = join(app.dataDir, 'outbox');
    return {
      async send(mail) {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        const file = join(dir, newName());
        await writeFile(file, await wireText(mail), { mode: 0o600, flag: 'wx' });
        await dropOldest(dir, limit);
        // The message itself may hold a code that lets its reader in.
        log.info({ file }, 'an e-mail was written to the outbox, and not sent');
      },
    };
  },
};
