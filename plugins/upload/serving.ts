import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'koa';
import { contentType } from 'mime-types';
import { notFound } from '../../core';
import type { LocalFolders } from './providers/local';
import { isRisky } from './risky-types';

const plainName = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
const octets = 'application/octet-stream';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The one range that a request asks for; `all` for none that is understood, nothing for one that lies outside. */
export function rangeIn(header: string | undefined, size: number): Range | 'all' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || (first === '' && last === '')) return 'all';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : undefined;
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'all';
  return start < size ? { start, end } : undefined;
}

async function openFirst(folders: readonly string[], name: string): Promise<FileHandle | undefined> {
  for (const folder of folders) {
    try {
      const handle = await open(join(folder, name), 'r');
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
    } catch (error) {
      if (
        !['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')
      )
        throw error;
    }
  }
  return undefined;
}

/** The type by the ending of the name, which the service gave: browsers are told not to guess another. */
function typeOf(name: string): { header: string; isDownload: boolean } {
  const header = contentType(extname(name)) || octets;
  return { header, isDownload: isRisky(header.split(';')[0]!) };
}

/** Hands out the files of the local disk, wholly or in part, and as downloads where a browser might run them. */
export function createServing({ own, inherited }: LocalFolders, maxage: number) {
  return async function serve(context: Context): Promise<void> {
    const name = String(context['params'].name);
    if (!plainName.test(name)) throw notFound();
    const handle = await openFirst([own, inherited], name);
    if (!handle) throw notFound();
    try {
      const { size, mtime } = await handle.stat();
      const { header, isDownload } = typeOf(name);
      context.set('Content-Type', header);
      context.set('X-Content-Type-Options', 'nosniff');
      context.set('Accept-Ranges', 'bytes');
      context.set('Cache-Control', `public, max-age=${Math.floor(maxage / 1000)}`);
      context.set('Last-Modified', mtime.toUTCString());
      context.set('ETag', `"${size.toString(36)}-${mtime.getTime().toString(36)}"`);
      context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
      context.set('Cross-Origin-Resource-Policy', 'cross-origin');
      if (isDownload) context.set('Content-Disposition', `attachment; filename="${name}"`);
      context.status = 200;
      if (context.fresh) {
        context.status = 304;
        return void (await handle.close());
      }
      const isSame = context.get('If-Range') === '' || context.get('If-Range') === context.response.get('ETag');
      // Of HEAD a range says nothing (RFC 9110, 14.2).
      const range = isSame && context.req.method === 'GET' ? rangeIn(context.get('Range'), size) : 'all';
      if (range === undefined) {
        context.status = 416;
        for (const ofTheFile of ['ETag', 'Last-Modified', 'Cache-Control']) context.remove(ofTheFile);
        context.set('Content-Range', `bytes */${size}`);
        context.set('Content-Type', 'text/plain; charset=utf-8');
        context.body = 'Range Not Satisfiable';
        return void (await handle.close());
      }
      const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range;
      if (range !== 'all') {
        context.status = 206;
        context.set('Content-Range', `bytes ${start}-${end}/${size}`);
      }
      if (context.req.method === 'HEAD' || size === 0) {
        context.body = Buffer.alloc(0);
        context.length = end - start + 1;
        return void (await handle.close());
      }
      context.body = createReadStream('', { fd: handle, start, end });
      context.length = end - start + 1;
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
}
