import { statusOf } from '../../../core';
import type { Json } from '../hooks';
import { listOf } from './schemas';

const anId: Json = { type: ['integer', 'string'] };
const target: Json = {
  anyOf: [
    anId,
    {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        documentId: { type: 'string' },
        locale: { type: ['string', 'null'] },
        status: { type: 'string' },
        position: { type: 'object', description: '`before`, `after`, `start` or `end`' },
      },
    },
  ],
};
const targets: Json = { anyOf: [target, listOf(target), { type: 'null' }] };

/** Schemas that every description has. */
export const commonSchemas: Readonly<Record<string, Json>> = {
  Error: {
    type: 'object',
    required: ['data', 'error'],
    properties: {
      data: { type: 'null' },
      error: {
        type: 'object',
        required: ['status', 'name', 'message'],
        properties: {
          status: { type: 'integer' },
          name: { type: 'string', examples: Object.keys(statusOf) },
          message: { type: 'string' },
          details: { description: 'Several mistakes are listed in `errors`, each with its `path` and `message`.' },
        },
      },
    },
  },
  Count: {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'integer' } },
  },
  Pagination: {
    type: 'object',
    description:
      'By pages, by `start` and `limit`, or by cursor, as it was asked for; without totals where these are not counted.',
    properties: {
      ...Object.fromEntries(
        ['page', 'pageSize', 'pageCount', 'start', 'limit', 'total'].map((name) => [name, { type: 'integer' }]),
      ),
      nextCursor: { type: ['string', 'null'], description: 'Asks for the next page; null behind the last one.' },
    },
  },
  RelationInput: {
    description:
      'What is tied: alone or as a list it takes the place of what was; `connect` and `disconnect` change it.',
    anyOf: [
      targets,
      {
        type: 'object',
        properties: { connect: targets, disconnect: targets, set: targets, options: { type: 'object' } },
      },
    ],
  },
};

const said: Readonly<Record<number, string>> = {
  400: 'The request is wrong: `error.details` says how',
  401: 'The token is not valid',
  403: 'Not permitted',
  404: 'There is no such thing',
  429: 'Too many requests',
  500: 'Something went wrong in the service',
};

const failure = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

export const commonResponses: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(said).map(([status, description]) => [`Error${status}`, failure(description)]),
);

export const failures = (...statuses: readonly number[]): Json => ({
  ...Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }])),
  default: failure('Any other mistake'),
});
