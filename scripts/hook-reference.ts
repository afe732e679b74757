import type { Source } from './checks/sources';

interface Hook {
  readonly name: string;
  readonly kind: string;
  readonly payload: string;
  readonly comment: string;
}

interface Bag {
  readonly name: string;
  readonly path: string;
  readonly comment: string;
  readonly hooks: readonly Hook[];
}

/** Files that may hold a bag of hooks: a function `somethingHooks` that returns a frozen object. */
export const mayHoldHooks = (path: string): boolean =>
  /^(core|plugins)\/(.+\/)?hooks\.ts$/.test(path) || path === 'core/kernel/lifecycle.ts';

const bagPattern =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const (\w+)Hooks = \(\) =>\s*Object\.freeze\(\{([\s\S]*?)\n {2}\}\);/g;
const hookPattern = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(\w+): new (\w+)Hook<([\s\S]*?)>\(\[/g;

const prose = (comment: string | undefined): string =>
  (comment ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, '').trim())
    .filter(Boolean)
    .join(' ');

/** `[context: Context], Principal | undefined` → `context: Context → Principal | undefined` */
function payloadOf(generics: string): string {
  const text = generics.replace(/\s+/g, ' ').trim();
  const end = text.lastIndexOf(']');
  const answer = text
    .slice(end + 1)
    .replace(/^[, ]+/, '')
    .replace(/[, ]+$/, '');
  const given = text.slice(1, end).trim().replace(/,$/, '');
  // What a tap may say of itself stands behind the answer.
  const tap = /^void, (\w+)$/.exec(answer)?.[1];
  if (tap) return `${given}; tap: ${tap}`;
  return `${given}${answer && ` → ${answer}`}`.trim();
}

const hooksOf = (body: string): Hook[] =>
  [...body.matchAll(hookPattern)].map(([, comment, name, kind, generics]) => ({
    name: name!,
    kind: kind!,
    payload: payloadOf(generics!),
    comment: prose(comment),
  }));

const bagsOf = ({ path, text }: Source): Bag[] =>
  [...text.matchAll(bagPattern)].map(([, comment, name, body]) => ({
    name: name!,
    path,
    comment: prose(comment),
    hooks: hooksOf(body!),
  }));

const code = (text: string): string => (text ? `\`${text.replace(/\|/g, '\\|')}\`` : '');

const tableOf = ({ name, path, comment, hooks }: Bag): string =>
  [
    `## ${name}`,
    `${comment} (\`${path}\`)`,
    [
      '| hook | kind | called with | when |',
      '|---|---|---|---|',
      ...hooks.map((hook) => `| \`${name}.${hook.name}\` | ${hook.kind} | ${code(hook.payload)} | ${hook.comment} |`),
    ].join('\n'),
  ].join('\n\n');

/** Hooks without a word about when they are called. */
export const silentHooks = (sources: readonly Source[]): string[] =>
  sources
    .flatMap(bagsOf)
    .flatMap(({ name, path, hooks }) =>
      hooks.filter(({ comment }) => !comment).map((hook) => `${path}: the hook ${name}.${hook.name} has no comment.`),
    );

/** The reference of all hooks, out of the comments where they are declared. */
export function hookReference(sources: readonly Source[]): string {
  const introduction = [
    '# Hooks',
    'Written by `npm run hooks` out of the comments in the code. A plugin taps a hook as `hooks.<bag>.<hook>.tap(name, …)`,',
    'or by `tapPromise` where the kind begins with Async; the name is that of the plugin, or `plugin:purpose`.',
    '',
    'A **Waterfall** hands each tap what the one before returned. A **Bail** ends at the first answer that is not',
    'undefined. **Parallel** taps run at once, all others one after the other.',
  ].join('\n');
  return `${[introduction.replace('# Hooks\n', '# Hooks\n\n'), ...sources.flatMap(bagsOf).map(tableOf)].join('\n\n')}\n`;
}
