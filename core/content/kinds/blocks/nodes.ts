import { textOf } from '../../../text-of';
import { listOf, nodeByType, nodeOf, type Reader, type Shape, scalar } from './readers';

const linkProtocols = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

function isLink(link: string): boolean {
  const address = link.startsWith('/') ? `https://heddle.invalid${link}` : link;
  return URL.canParse(address) && linkProtocols.has(new URL(address).protocol);
}

const typed = (type: string, shape: Shape): Reader =>
  nodeOf({ type: scalar('string', { required: true, among: [type] }), ...shape });

const text = typed('text', {
  text: scalar('string', {
    rule: (value) => (value === undefined ? 'Text must be defined with at least an empty string' : undefined),
  }),
  bold: scalar('boolean'),
  italic: scalar('boolean'),
  underline: scalar('boolean'),
  strikethrough: scalar('boolean'),
  code: scalar('boolean'),
});

const link = typed('link', {
  url: scalar('string', {
    rule: (value) => (isLink(textOf(value ?? '')) ? undefined : 'Please specify a valid link.'),
  }),
  children: listOf(text),
});

const inline = nodeByType({ text, link }, 'Inline node must be Text or Link');

const inlines = (name: string): Reader =>
  listOf(inline, `${name} node children must have at least one Text or Link node`);

const listChild: Reader = (given, label, at) =>
  nodeByType(
    { list, 'list-item': typed('list-item', { children: listOf(inline) }) },
    'Inline node must be list-item or list',
  )(given, label, at);

const list = typed('list', {
  format: scalar('string', { required: true, among: ['ordered', 'unordered'] }),
  children: listOf(listChild, 'List node children must have at least one ListItem or ListNode'),
});

const optionalText = scalar('string', { nullable: true });
const needed = (type: 'string' | 'number'): Reader => scalar(type, { required: true });

const image = nodeOf({
  name: needed('string'),
  alternativeText: optionalText,
  url: needed('string'),
  caption: optionalText,
  width: needed('number'),
  height: needed('number'),
  hash: needed('string'),
  ext: needed('string'),
  mime: needed('string'),
  size: needed('number'),
  previewUrl: optionalText,
  provider: needed('string'),
  createdAt: needed('string'),
  updatedAt: needed('string'),
});

/** The blocks of rich text, down to their last word. */
export const block = nodeByType(
  {
    paragraph: typed('paragraph', { children: inlines('Paragraph') }),
    heading: typed('heading', {
      level: scalar('number', { required: true, among: [1, 2, 3, 4, 5, 6] }),
      children: inlines('Heading'),
    }),
    quote: typed('quote', { children: inlines('Quote') }),
    // A code block is told of as a quote: answers elsewhere say so, too.
    code: typed('code', {
      language: optionalText,
      children: listOf(text, 'Quote node children must have at least one Text or Link node'),
    }),
    list,
    image: typed('image', { image, children: listOf(inline) }),
  },
  'Block node is of invalid type',
);
