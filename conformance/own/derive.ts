import type { Json, Row } from '../runner/row';
import { bodyOfAnswer, type Patience, send } from '../runner/send';
import { pick } from '../runner/template';
import type { Target } from '../targets/target';
import { collectionRows, type Look, singleRows } from './read-rows';
import type { ContentType, Schemas } from './schemas';
import { type Derived, singlePostRow, writeRow } from './write-rows';

export interface DerivedSuite {
  rows: Row[];
  /** Row id → why it can not be played. */
  skips: Record<string, string>;
}

/** Looks at a type once: whether it may be read, and what there is. */
async function look(type: ContentType, target: Target, patience: Patience): Promise<Look> {
  const headers: Record<string, string> = target.token ? { authorization: `Bearer ${target.token}` } : {};
  const query = type.isSingle ? '' : '?sort=id&pagination[pageSize]=1';
  const answer = await send(target, { method: 'GET', path: type.path + query, headers }, patience);
  const body = bodyOfAnswer(answer);
  const sample = pick(body, type.isSingle ? 'data' : 'data.0');
  return {
    status: answer.status,
    total: Number(pick(body, 'meta.pagination.total') ?? 0),
    ...(sample !== undefined && sample !== null && { sample: sample as Record<string, Json> }),
  };
}

const notRead = ({ name }: ContentType, reason: string): Derived => ({
  id: `own.${name}`,
  title: `${name} answers as its schema says`,
  level: 'MUST',
  rules: ['spec.service.2a'],
  steps: [],
  skip: reason,
});

/** A type that the schema has and the target has not. */
const missing = ({ name, path }: ContentType): Derived => ({
  id: `own.${name}`,
  title: `${name} has endpoints`,
  level: 'MUST',
  rules: ['spec.service.2a'],
  steps: [{ request: { method: 'GET', path }, expect: { status: 200 } }],
});

async function rowsOfType(type: ContentType, schemas: Schemas, target: Target, patience: Patience, write: boolean) {
  const seen = await look(type, target, patience);
  if (seen.status === 401 || seen.status === 403) return [notRead(type, `GET ${type.path} answered ${seen.status}`)];
  if (seen.status !== 200 && !(type.isSingle && seen.status === 404)) return [missing(type)];
  if (type.isSingle) return [...singleRows(type, seen), ...(write ? [singlePostRow(type)] : [])];
  return [...collectionRows(type, seen), ...(write ? [writeRow(type, schemas)] : [])];
}

/** Rows out of a target's own schema files, and out of what it keeps. They only read, unless `write`. */
export async function deriveRows(
  schemas: Schemas,
  target: Target,
  patience: Patience,
  write: boolean,
): Promise<DerivedSuite> {
  const suite: DerivedSuite = { rows: [], skips: {} };
  for (const type of schemas.types) {
    for (const derived of await rowsOfType(type, schemas, target, patience, write)) {
      const { skip, ...row } = { skip: undefined, ...derived };
      suite.rows.push({ ...row, area: `Type ${type.name}`, source: 'specification', needs: ['rest'] });
      if (skip !== undefined) suite.skips[row.id] = skip;
    }
  }
  return suite;
}
