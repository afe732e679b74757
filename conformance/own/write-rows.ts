import type { Json, Step } from '../runner/row';
import { isPrivate, isSecret, kindOf } from './kinds';
import { type DerivedRow, shapeOf } from './read-rows';
import type { Attributes, ContentType, Schemas } from './schemas';

export type Derived =
  | DerivedRow
  | { id: string; title: string; level: 'MUST'; rules: string[]; steps: []; skip: string };

/** Valid values for a type's attributes; or why there are none. */
function values(attributes: Attributes, schemas: Schemas, text: string, depth = 0): Record<string, Json> | string {
  const found: Record<string, Json> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const isRequired = attribute['required'] === true;
    const component = String(attribute['component'] ?? '');
    if (attribute.type === 'component' && isRequired) {
      const inside = schemas.components.get(component);
      const value = inside && depth < 5 ? values(inside, schemas, text, depth + 1) : `${component} is not known`;
      if (typeof value === 'string') return value;
      found[name] = attribute['repeatable'] === true ? [value] : value;
      continue;
    }
    const value = kindOf(attribute)?.example?.(attribute, text);
    if (value !== undefined && (isRequired || depth === 0)) found[name] = value;
    else if (isRequired) return `${name} is required, and no value for it can be guessed`;
  }
  return found;
}

const firstText = ({ attributes }: ContentType, data: Record<string, Json>): string | undefined =>
  Object.keys(data).find(
    (key) => ['string', 'text'].includes(attributes[key]?.type ?? '') && !isPrivate(attributes[key]!),
  );

/** What was given and is told again. */
const told = ({ attributes }: ContentType, data: Record<string, Json>): Json => ({
  $partial: Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => !isSecret(attributes[key]!) && kindOf(attributes[key]!) !== undefined)
      .map(([key, value]) => [key, ['float', 'decimal'].includes(attributes[key]!.type) ? '$number' : { $is: value }]),
  ),
});

/** A target that took it would have changed what is there, so that it is asked only where nothing is, of who may be written. */
export const singlePostRow = ({ name, path }: ContentType): DerivedRow => ({
  id: `own.${name}.single.post`,
  title: `${name}: the single type is not made by POST`,
  level: 'SHOULD',
  rules: ['spec.single.write'],
  exclusive: path,
  steps: [{ request: { method: 'POST', path, body: { data: {} } }, expect: { status: 405 } }],
});

/** The life of a document: made, read, changed in part, deleted. */
export function writeRow(type: ContentType, schemas: Schemas): Derived {
  const { name, path } = type;
  const about = {
    id: `own.${name}.write`,
    title: `${name}: a document is made, read, changed and deleted`,
    level: 'MUST' as const,
  };
  const rules = ['spec.collection.create', 'spec.collection.update', 'spec.collection.delete', 'spec.writes.1'];
  const data = values(type.attributes, schemas, '{{row}}');
  if (typeof data === 'string') return { ...about, rules, steps: [], skip: data };
  const text = firstText(type, data);
  if (text === undefined)
    return { ...about, rules, steps: [], skip: 'no attribute takes a text by which the document would be found again' };
  const change = { [text]: `${data[text]}b` };
  const changed = { ...data, ...change };
  const at = `${path}/{{doc}}`;
  const answered = (status: number, content: Record<string, Json>): Step['expect'] => ({
    status,
    type: 'application/json',
    body: { data: { $all: [shapeOf(type), told(type, content)] }, meta: {} },
  });
  return {
    ...about,
    rules,
    steps: [
      {
        request: { method: 'POST', path, body: { data } },
        expect: answered(201, data),
        save: { doc: 'data.documentId' },
      },
      { request: { method: 'GET', path: at }, expect: answered(200, data) },
      { request: { method: 'PUT', path: at, body: { data: change } }, expect: answered(200, changed) },
      {
        request: { method: 'DELETE', path: at, ...(type.isLocalized && { query: { locale: '*' } }) },
        expect: { status: 204 },
      },
      { request: { method: 'GET', path: at }, expect: { status: 404, body: { data: null, error: '$any' } } },
    ],
  };
}
