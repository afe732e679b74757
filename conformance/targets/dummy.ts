import { featureNames } from '../runner/row';
import type { Answer, Target } from './target';

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
});

const failure = (status: number, name: string, message: string) =>
  json(status, { data: null, error: { status, name, message, details: {} } });

/** Servers that do nothing. A row that one of them passes proves nothing. */
const answers: Record<string, Answer> = {
  'empty list': json(200, { data: [], meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } } }),
  'empty document': json(200, { data: null, meta: {} }),
  'no content': { status: 204, headers: {}, text: '' },
  forbidden: failure(403, 'ForbiddenError', 'Forbidden'),
  'not found': failure(404, 'NotFoundError', 'Not Found'),
};

export const dummyTargets: Target[] = Object.entries(answers).map(([name, answer]) => ({
  name: `dummy: ${name}`,
  features: new Set(featureNames),
  token: 'dummy-token',
  exclusive: true,
  send: async () => answer,
}));
