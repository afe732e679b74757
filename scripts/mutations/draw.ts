import { accessMutations } from './access';
import { answerMutations } from './answers';
import { definitionMutations } from './definitions';
import type { Mutation } from './mutation';
import { predicateMutations } from './predicates';
import { queryMutations } from './queries';

export const mutations: readonly Mutation[] = [
  ...predicateMutations,
  ...queryMutations,
  ...answerMutations,
  ...definitionMutations,
  ...accessMutations,
];

export interface Drawn {
  rule: string;
  mutation: Mutation;
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many rules that can be broken, each with a mutation that breaks it and that no other rule of the draw has. */
export function draw(seed: number, count: number): Drawn[] {
  const next = numbersFrom(seed);
  const rules = [...new Set(mutations.flatMap((mutation) => mutation.rules))].sort();
  const taken = new Set<string>();
  const drawn: Drawn[] = [];
  while (drawn.length < count && rules.length > 0) {
    const [rule] = rules.splice(Math.floor(next() * rules.length), 1) as [string];
    const free = mutations.filter(({ id, rules: broken }) => broken.includes(rule) && !taken.has(id));
    const mutation = free[Math.floor(next() * free.length)];
    if (!mutation) continue;
    taken.add(mutation.id);
    drawn.push({ rule, mutation });
  }
  if (drawn.length < count) throw new Error(`There are mutations for ${drawn.length} rules at most, not for ${count}.`);
  return drawn;
}
