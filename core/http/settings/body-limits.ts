import { z } from 'zod';
import type { Config } from '../../kernel/config';
import { settingsOf } from './middleware-list';

/** How much a request's body may hold: the options of `heddle::body`. */
export interface BodyLimits {
  readonly jsonLimit: string | number;
  readonly formLimit: string | number;
}

const size = (preset: string) =>
  z
    .union([z.int().positive(), z.string().regex(/^\d+(\.\d+)? ?(b|kb|mb|gb)?$/i, 'A size such as 1mb is expected')])
    .default(preset);

export const bodyOptions = z.strictObject({ jsonLimit: size('1mb'), formLimit: size('56kb') });

/** Options of existing projects; what concerns files is set where files are taken. */
export const inertBodyOptions = [
  'textLimit',
  'encoding',
  'patchKoa',
  'patchNode',
  'multipart',
  'includeUnparsed',
  'formidable',
  'json',
  'urlencoded',
  'text',
  'jsonStrict',
  'parsedMethods',
  'onError',
  'queryString',
  'strict',
];

export const bodyLimits = (config: Config): BodyLimits =>
  settingsOf(config.middlewares, 'heddle::body', bodyOptions, inertBodyOptions);
