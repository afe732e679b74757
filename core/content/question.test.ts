import fc from 'fast-check';
import { questionOf } from './question';
import type { Bound } from './store';

const value: fc.Arbitrary<Bound> = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', ':', '1', 'a', ' ') }),
  fc.integer(),
  fc.bigInt({ min: 0n, max: 20n }),
  fc.boolean(),
  fc.constant(null),
);

test('questions are the same text for the same plan and values alone', () => {
  const question = fc.tuple(fc.nat({ max: 2 }), fc.array(value, { maxLength: 3 }));
  fc.assert(
    fc.property(question, question, ([plan, values], [otherPlan, others]) => {
      const isSame =
        plan === otherPlan && values.length === others.length && values.every((each, index) => each === others[index]);
      expect(questionOf(plan, values) === questionOf(otherPlan, others)).toBe(isSame);
    }),
    { numRuns: 2_000 },
  );
});

test('one that is too long is no question', () => {
  expect(questionOf(1, ['a'.repeat(3_000)])).toContain('aaa');
  expect(questionOf(1, ['a'.repeat(4_000)])).toBeUndefined();
});
