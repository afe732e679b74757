import type { ZodType } from 'zod';
import { z } from 'zod';
import type { MiddlewareMaker } from '../middleware';
import { bodyOptions, inertBodyOptions } from '../settings/body-limits';
import { inertQueryOptions, queryOptions } from '../settings/query-limits';
import { compression } from './compression';
import { cors } from './cors';
import { etag } from './etag';
import { responseHeaders } from './response-headers';
import { security } from './security';

/** The middlewares that core brings, which `config/middlewares` names with `heddle::` or `strapi::`. */
export const makers: Readonly<Record<string, MiddlewareMaker>> = {
  'heddle::responseHeaders': responseHeaders,
  'heddle::security': security,
  'heddle::cors': cors,
  'heddle::compression': compression,
  'heddle::etag': etag,
};

/** Names whose options say how other parts behave, with the options that are accepted and do nothing. */
export const settings: Readonly<Record<string, { options: ZodType; inert: readonly string[] }>> = {
  'heddle::query': { options: queryOptions, inert: inertQueryOptions },
  'heddle::body': { options: bodyOptions, inert: inertBodyOptions },
  /** Listing it has every request logged, not only when debugging. */
  'heddle::logger': { options: z.looseObject({}), inert: [] },
  /** Errors are always answered in one way. */
  'heddle::errors': { options: z.looseObject({}), inert: [] },
};

/** Names of existing projects that do nothing here. */
export const inert: Readonly<Record<string, string>> = {
  'heddle::session': 'there are no session cookies.',
  'heddle::favicon': 'there is no page that would show an icon.',
  'heddle::public': 'the public folder is not served.',
  'heddle::poweredBy': 'answers do not tell what made them.',
  'heddle::responses': 'answers are not intercepted.',
  'heddle::responseTime': 'the log holds the time.',
  'heddle::ip': 'addresses are not filtered.',
};
