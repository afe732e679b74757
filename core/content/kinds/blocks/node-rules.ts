import type { Refusal } from '../kind';
import { printed, wrongType } from '../messages';

export type Node = Readonly<Record<string, unknown>>;
export type Path = readonly string[];

/** Checks one node; `label` is how messages call it. */
export type NodeRule = (node: Node, label: string, path: Path) => Refusal[];

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const refusal = (message: string, at: Path, value?: unknown): Refusal =>
  value === undefined ? { message, at } : { message, at, value };

const requiredField = (label: string, at: Path): Refusal => refusal(`${label} is a required field`, at);

export const oneOf =
  (key: string, values: readonly (string | number)[]): NodeRule =>
  (node, label, path) => {
    const at = [...path, key];
    if (node[key] === undefined || node[key] === null) return [requiredField(`${label}.${key}`, at)];
    if (values.includes(node[key] as string)) return [];
    return [refusal(`${label}.${key} must be one of the following values: ${values.join(', ')}`, at, node[key])];
  };

export const requiredKeys =
  (within: string, keys: readonly string[]): NodeRule =>
  (node, label, path) => {
    const inner = isNode(node[within]) ? node[within] : {};
    return keys
      .filter((key) => inner[key] === undefined || inner[key] === null)
      .map((key) => requiredField(`${label}.${within}.${key}`, [...path, within, key]));
  };

export const linkRule: NodeRule = (node, _label, path) => {
  const url = node['url'];
  return typeof url === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|mailto:\S+|tel:\S+|[/#]\S*)$/i.test(url)
    ? []
    : [refusal('Please specify a valid link.', [...path, 'url'], url)];
};

const modifiers = ['bold', 'italic', 'underline', 'strikethrough', 'code'];

export const textRule: NodeRule = (node, label, path) => {
  const { text } = node;
  const refusals: Refusal[] = [];
  if (typeof text === 'object' || text === undefined)
    refusals.push({ ...wrongType(`${label}.text`, 'string', text ?? null), at: [...path, 'text'] });
  for (const key of modifiers) {
    const value = node[key];
    if (value === undefined || typeof value === 'boolean' || value === 'true' || value === 'false') continue;
    refusals.push({
      message: `${label}.${key} must be a \`boolean\` type, but the final value was: \`${printed(value)}\`.`,
      at: [...path, key],
      value,
    });
  }
  return refusals;
};

/** The children of a node: a list, not empty, each of its own rule. */
export const children =
  (empty: string, childRule: NodeRule): NodeRule =>
  (node, label, path) => {
    const at = [...path, 'children'];
    const given = node['children'];
    if (given === undefined) return [requiredField(`${label}.children`, at)];
    if (!Array.isArray(given)) return [{ ...wrongType(`${label}.children`, 'array', null, given), value: null, at }];
    if (given.length === 0) return [refusal(empty, at, [])];
    return given.flatMap((child, index) =>
      childRule(isNode(child) ? child : {}, `${label}.children[${index}]`, [...at, String(index)]),
    );
  };

export const allRules =
  (...rules: readonly NodeRule[]): NodeRule =>
  (node, label, path) =>
    rules.flatMap((rule) => rule(node, label, path));
