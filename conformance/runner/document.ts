/** One statement of the specification: a table row, or the text of a list item or paragraph. */
export interface Statement {
  section: string;
  line: number;
  kind: 'table row' | 'item' | 'paragraph';
  text: string;
}

const separator = /^\|[\s|:-]+\|$/;
/** "Rules:" and its like announce statements and are none. */
const announcement = /^\w[\w ]{0,20}:$/;

/** Everything in the document that says something, in order. Headings and table heads say nothing by themselves. */
export function statements(document: string): Statement[] {
  const found: Statement[] = [];
  const lines = document.split('\n');
  let section = '';
  lines.forEach((line, index) => {
    const heading = /^#+ (.*)$/.exec(line);
    if (heading) {
      section = heading[1] as string;
      return;
    }
    if (line.startsWith('|')) {
      const isHead = separator.test(lines[index + 1] ?? '');
      if (!isHead && !separator.test(line)) found.push({ section, line: index + 1, kind: 'table row', text: line });
      return;
    }
    const item = /^(?:\d+\.|-) (.*)$/.exec(line)?.[1];
    const text = item ?? line.trim();
    if (text === '' || announcement.test(text)) return;
    found.push({ section, line: index + 1, kind: item === undefined ? 'paragraph' : 'item', text });
  });
  return found;
}

/** What no quote covers, without punctuation and joining words; empty when the statement is wholly catalogued. */
export function uncovered({ text }: Statement, quotes: string[]): string {
  const open = [...text].map(() => true);
  for (const quote of quotes) {
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1))
      open.fill(false, at, at + quote.length);
  }
  const rest = [...text].map((character, index) => (open[index] ? character : '\n')).join('');
  return rest
    .split('\n')
    .map((part) => part.replace(/[|.,;:]/g, '').trim())
    .filter((part) => part !== '' && !/^(and|or|Rules)$/.test(part))
    .join(' … ');
}
