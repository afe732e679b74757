import { z } from 'zod';
import type { AttributeDefinition, NestedKind } from '../../core';
import { fileUid } from './content-types';

/** `{ "type": "media" }`: one file, or several in an order. */
export const media: NestedKind = {
  name: 'media',
  options: z.object({ multiple: z.boolean().nullish(), allowedTypes: z.array(z.string()).nullish() }),
  nested: ({ multiple }) => ({ storage: 'attached', many: multiple === true, targets: [fileUid] }),
};

export const fileSorts = ['images', 'videos', 'audios', 'files'] as const;
export type FileSort = (typeof fileSorts)[number];

const sortOfType: Readonly<Record<string, FileSort>> = { image: 'images', video: 'videos', audio: 'audios' };

/** The sort of file that a media type belongs to; whatever is no image, video or sound is a plain file. */
export const sortOf = (mime: string): FileSort => sortOfType[mime.slice(0, mime.indexOf('/'))] ?? 'files';

/** The sorts that an attribute takes; undefined for all. */
export function allowedSorts({ allowedTypes }: AttributeDefinition): readonly string[] | undefined {
  return Array.isArray(allowedTypes) && allowedTypes.length > 0 ? allowedTypes : undefined;
}
