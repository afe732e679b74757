import { type Difference, formOf, forms, isObject, words } from './matchers';
import { own } from './own';
import type { Json } from './row';

export type { Difference } from './matchers';

/** Compares an answer with an expectation. Objects and arrays are exact unless a form says otherwise. */
export function match(expected: Json, got: Json | undefined, path = 'body'): Difference[] {
  const form = formOf(expected);
  if (form) {
    const known = forms[form.name];
    if (!known) throw new Error(`Unknown matcher ${form.name} at ${path}; conformance/spec/README.md lists them.`);
    return known.match(form.argument, got, path, match);
  }
  const differs: Difference[] = [{ path, expected, got }];
  if (got === undefined) return differs;
  if (typeof expected === 'string' && expected.startsWith('$')) {
    const word = words[expected];
    if (!word) throw new Error(`Unknown matcher ${expected} at ${path}; conformance/spec/README.md lists them.`);
    return word(got) ? [] : differs;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return differs;
    return expected.flatMap((item, index) => match(item, got[index], `${path}.${index}`));
  }
  if (isObject(expected)) {
    if (!isObject(got)) return differs;
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    return keys.flatMap((key) => {
      const item = own(expected, key);
      return item === undefined
        ? [{ path: `${path}.${key}`, expected: { $absent: true }, got: own(got, key) }]
        : match(item, own(got, key), `${path}.${key}`);
    });
  }
  return expected === got ? [] : differs;
}

/** What is wrong with an expectation itself: unknown words, unknown forms, arguments that make no sense. */
export function matcherProblems(expected: Json): string[] {
  const form = formOf(expected);
  if (form) {
    const known = forms[form.name];
    if (!known) return [`unknown matcher ${form.name}`];
    if (!known.check(form.argument)) return [`${form.name} can't take ${JSON.stringify(form.argument)}`];
    if (form.name === '$is') return [];
    return isObject(form.argument) && ['$partial', '$pluck'].includes(form.name)
      ? Object.values(form.argument).flatMap(matcherProblems)
      : matcherProblems(form.argument);
  }
  if (typeof expected === 'string')
    return expected.startsWith('$') && !words[expected]
      ? [`unknown matcher ${expected}; write { "$is": … } for the text`]
      : [];
  if (Array.isArray(expected)) return expected.flatMap(matcherProblems);
  if (!isObject(expected)) return [];
  const stray = Object.keys(expected).filter((key) => key.startsWith('$'));
  return [
    ...stray.map((key) => `${key} stands beside other keys, a matcher stands alone`),
    ...Object.values(expected).flatMap(matcherProblems),
  ];
}
