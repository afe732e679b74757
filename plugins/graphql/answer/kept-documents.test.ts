import { parse } from 'graphql';
import { createPlainAnswers, type PlainParts } from './plain';

test('long documents make room for each other, and one that is used stays', async () => {
  const judged: string[] = [];
  const judge: PlainParts['judge'] = (text) => {
    judged.push(text);
    return { is: 'valid', document: parse(text) };
  };
  const answer = createPlainAnswers({ judge, surroundings: {} } as PlainParts);
  // Of a mutation nothing but the document is looked at.
  const long = (name: number): string => `mutation m${name} { a } #${'x'.repeat(19_000)}`;
  const ask = (query: string) => answer({ query }, {} as never);
  for (let name = 0; name < 40; name++) {
    await ask(long(name));
    await ask('mutation { a }');
  }
  expect(judged).toHaveLength(41);
  await ask(long(39));
  expect(judged).toHaveLength(41);
  await ask(long(0));
  expect(judged).toHaveLength(42);
});
