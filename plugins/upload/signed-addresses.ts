import { type ContentRegistry, type ContentType, objectsIn, type ShownDocument } from '../../core';
import { fileUid } from './content-types';
import type { FileStore } from './hooks';
import { type Formats, keyAtEnd, keyOf, keyOfFormat } from './preparing';

/** The key of a file that may show little of itself. */
function shownKey({ hash, ext, url }: ShownDocument): string | undefined {
  if (typeof hash === 'string' && typeof ext === 'string') return keyOf({ hash, ext });
  return keyAtEnd(url);
}

/** Files as answers show them: with addresses that work, for places that nobody may look into without one. */
export function createAddresses({ signedUrl }: FileStore) {
  async function signed(file: ShownDocument): Promise<ShownDocument> {
    const result = { ...file };
    const key = typeof file['url'] === 'string' ? shownKey(file) : undefined;
    if (key !== undefined) result['url'] = await signedUrl!(key);
    const formats = file['formats'] as Formats | null | undefined;
    if (formats) {
      const entries = Object.entries(formats).map(
        async ([name, format]) => [name, { ...format, url: await signedUrl!(keyOfFormat(format)) }] as const,
      );
      result['formats'] = Object.fromEntries(await Promise.all(entries));
    }
    return result;
  }

  /** Signs the files in what a document or component shows, at any depth. */
  async function signInside(type: ContentType, shown: ShownDocument, { types }: ContentRegistry): Promise<void> {
    for (const [{ uid }, inner] of objectsIn(type, shown, types))
      if (uid === fileUid) Object.assign(inner, await signed(inner));
  }

  return {
    signInside: signedUrl ? signInside : undefined,
    /** With the mark that the media library's own answers carry. */
    async shown(file: ShownDocument): Promise<ShownDocument> {
      return { ...(signedUrl ? await signed(file) : file), isUrlSigned: signedUrl !== undefined };
    },
  };
}

export type Addresses = ReturnType<typeof createAddresses>;
