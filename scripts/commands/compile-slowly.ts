import { setFlagsFromString } from 'node:v8';

/** What somebody has chosen by himself, or what there is no compiler with; in the forms that V8 takes. */
const chosen = /--(?:no[-_]?)?(?:maglev|jitless|lite[-_]mode|opt)\b/;

/**
 * From Node 24 on V8 has a first compiler that is quick. Little of what a start runs, it runs often enough for that one to be worth
 * it, and what it needs meanwhile the C library keeps. Answers what switches it on when the start is over. Node 22 has it switched
 * off, for its mistakes.
 */
export function compileSlowly(
  version = process.versions.node,
  options = [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
  setFlags = setFlagsFromString,
): () => void {
  if (Number.parseInt(version, 10) < 24 || chosen.test(options)) return () => undefined;
  setFlags('--no-maglev');
  return () => setFlags('--maglev');
}
