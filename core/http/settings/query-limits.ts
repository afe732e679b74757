import { z } from 'zod';
import type { Config } from '../../kernel/config';
import { settingsOf } from './middleware-list';

/** How much a query string may hold: the options of `heddle::query`. */
export interface QueryLimits {
  /** Entries of an array in brackets. */
  readonly arrayLimit: number;
  /** Levels of brackets. */
  readonly depth: number;
  /** Parameters in all. */
  readonly parameterLimit: number;
}

const limit = (preset: number) => z.int().min(0).default(preset);

export const queryOptions = z.strictObject({ arrayLimit: limit(100), depth: limit(20), parameterLimit: limit(1000) });

/** Options that the parser of existing projects has, and that have one answer here. */
export const inertQueryOptions = [
  'strictNullHandling',
  'allowDots',
  'allowPrototypes',
  'plainObjects',
  'allowSparse',
  'charset',
  'charsetSentinel',
  'comma',
  'delimiter',
  'duplicates',
  'ignoreQueryPrefix',
  'interpretNumericEntities',
  'parseArrays',
  'strictDepth',
  'throwOnLimitExceeded',
];

export const queryLimits = (config: Config): QueryLimits =>
  settingsOf(config.middlewares, 'heddle::query', queryOptions, inertQueryOptions);
