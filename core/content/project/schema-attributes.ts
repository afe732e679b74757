import { type Problem, problem } from '../../kernel/problems';
import type { AttributeDefinition } from '../definition';

const attributeName = /^[A-Za-z][\w-]*$/;

type Attributes = Readonly<{ [key: string]: unknown }>;

const isRecord = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDefinition = (value: unknown): value is AttributeDefinition =>
  isRecord(value) && typeof value['type'] === 'string';

function problemsOf(where: string, name: string, given: unknown): Problem[] {
  const at = `/attributes/${name}`;
  const found: Problem[] = [];
  if (!attributeName.test(name))
    found.push(
      problem(where, 'is no attribute name: use letters, digits and underscores, a letter first.', 'Rename it.', at),
    );
  if (!isRecord(given)) found.push(problem(where, 'is no object.', 'Write it as in { "type": "string" }.', at));
  else if (!isDefinition(given))
    found.push(problem(where, 'names no type.', 'Name one, as in { "type": "string" }.', `${at}/type`));
  return found;
}

/** What is wrong with the attributes of a schema file, whatever else is wrong with the file. */
export const attributeProblems = (where: string, content: unknown): Problem[] => {
  const { attributes } = isRecord(content) ? content : {};
  return isRecord(attributes)
    ? Object.entries(attributes).flatMap(([name, given]) => problemsOf(where, name, given))
    : [];
};

/** The attributes that say what they are. */
export const soundAttributes = (attributes: Attributes): { [name: string]: AttributeDefinition } =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, AttributeDefinition] => isDefinition(entry[1])),
  );
