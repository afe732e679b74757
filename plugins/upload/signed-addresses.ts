import type { ContentRegistry, ContentType, ShownDocument } from '../../core';
import { fileUid } from './content-types';
import type { FileStore } from './hooks';
import { type Formats, keyOf } from './preparing';

/** Files as answers show them: with addresses that work, for places that nobody may look into without one. */
export function createAddresses({ signedUrl }: FileStore) {
  async function signed(file: ShownDocument): Promise<ShownDocument> {
    const { hash, ext, formats } = file as { hash?: string; ext?: string; formats?: Formats | null };
    const result = { ...file };
    if (hash !== undefined && file['url'] !== undefined)
      result['url'] = await signedUrl!(keyOf({ hash, ext: ext ?? '' }));
    if (formats) {
      const entries = Object.entries(formats).map(
        async ([name, format]) => [name, { ...format, url: await signedUrl!(keyOf(format)) }] as const,
      );
      result['formats'] = Object.fromEntries(await Promise.all(entries));
    }
    return result;
  }

  /** Signs the files in what a document or component shows, at any depth. */
  async function signInside(
    type: ContentType,
    shown: ShownDocument,
    registry: ContentRegistry,
  ): Promise<ShownDocument> {
    if (type.uid === fileUid && Object.hasOwn(shown, 'url')) Object.assign(shown, await signed(shown));
    for (const [name, nested] of type.nested) {
      const value = shown[name];
      for (const item of [value].flat()) {
        if (typeof item !== 'object' || item === null) continue;
        const inner = item as ShownDocument;
        const uid = inner['__component'] ?? inner['__type'] ?? nested.targets[0];
        const innerType = registry.types.get(String(uid));
        if (innerType) await signInside(innerType, inner, registry);
      }
    }
    return shown;
  }

  return {
    signInside: signedUrl ? signInside : undefined,
    /** With the mark that the media library's own answers carry. */
    async shown(file: ShownDocument): Promise<ShownDocument> {
      return { ...(signedUrl ? await signed(file) : file), isUrlSigned: signedUrl !== undefined };
    },
  };
}
