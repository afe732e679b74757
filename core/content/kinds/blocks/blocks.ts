import { z } from 'zod';
import { jsonFilter, toStoredJson, unwrapped } from '../json';
import type { AttributeKind, Refusal } from '../kind';
import {
  allRules,
  children,
  isNode,
  linkRule,
  type NodeRule,
  oneOf,
  refusal,
  requiredKeys,
  textRule,
} from './node-rules';

const inlineRule: NodeRule = (node, label, path) => {
  if (node['type'] === 'text') return textRule(node, label, path);
  if (node['type'] === 'link')
    return allRules(linkRule, children('Link node children must have at least one Text node', textRule))(
      node,
      label,
      path,
    );
  return [refusal('Inline node must be Text or Link', path, node)];
};

const inlineChildren = (name: string): NodeRule =>
  children(`${name} node children must have at least one Text or Link node`, inlineRule);

const listItemRule: NodeRule = (node, label, path) => {
  if (node['type'] === 'list') return listRule(node, label, path);
  if (node['type'] === 'list-item') return inlineChildren('ListItem')(node, label, path);
  return [refusal('Inline node must be list-item or list', path, node)];
};

const listRule: NodeRule = allRules(
  oneOf('format', ['ordered', 'unordered']),
  children('List node children must have at least one ListItem or ListNode', listItemRule),
);

const imageKeys = [
  'name',
  'url',
  'width',
  'height',
  'hash',
  'ext',
  'mime',
  'size',
  'provider',
  'createdAt',
  'updatedAt',
];

const blockRules: Readonly<Record<string, NodeRule>> = {
  paragraph: inlineChildren('Paragraph'),
  heading: allRules(oneOf('level', [1, 2, 3, 4, 5, 6]), inlineChildren('Heading')),
  quote: inlineChildren('Quote'),
  code: inlineChildren('Code'),
  list: listRule,
  image: allRules(
    requiredKeys('image', imageKeys),
    children('Image node children must have at least one Text node', textRule),
  ),
};

function blockRefusals(node: unknown, label: string, index: number): Refusal[] {
  const path = [String(index)];
  const rule =
    isNode(node) && Object.hasOwn(blockRules, String(node['type'])) ? blockRules[String(node['type'])] : undefined;
  if (!rule) return [refusal('Block node is of invalid type', path, node)];
  return rule(node as Record<string, unknown>, `${label}[${index}]`, path);
}

/** Rich text as a list of block objects. */
export const blocks: AttributeKind = {
  name: 'blocks',
  storage: 'json',
  typeName: 'array',
  options: z.object({ default: z.unknown().optional() }),
  check: () => (given, label) => {
    const value = unwrapped(given);
    if (!Array.isArray(value)) return { value: null };
    const refusals = value.flatMap((node, index) => blockRefusals(node, label, index));
    return refusals.length > 0 ? { refusals } : { value: toStoredJson(value) };
  },
  toFilter: jsonFilter,
};
