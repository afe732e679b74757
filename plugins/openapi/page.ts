import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'koa';

/** Beside this file; of a build, beside its source. */
const folder = [join(__dirname, 'page'), join(__dirname, '..', '..', '..', 'plugins', 'openapi', 'page')].find((each) =>
  existsSync(join(each, 'page.html')),
)!;

/**
 * A file of the page, which lies below `base`. It needs nothing but its own origin, so that the usual policies of security
 * suffice.
 */
export async function sendPage(context: Context, base: string, file: string): Promise<void> {
  context.type = extname(file);
  context.set('Cache-Control', 'no-cache');
  context.body = (await readFile(join(folder, file), 'utf8')).replace('{{base}}', base);
}
