import type { Context, Middleware } from 'koa';
import { compose } from './compose';

const context = {} as Context;
const through: Middleware = (_context, next) => next();

test('layers surround what comes last, in their order', async () => {
  const told: string[] = [];
  const layer =
    (name: string): Middleware =>
    async (_context, next) => {
      told.push(`${name} in`);
      await next();
      told.push(`${name} out`);
    };
  await compose([layer('one'), layer('two')], () => told.push('last'))(context);
  expect(told).toEqual(['one in', 'two in', 'last', 'two out', 'one out']);
});

test('what fails at once, fails for the layer around it as what fails later', async () => {
  const failures = [
    () => {
      throw new Error('at once');
    },
    () => Promise.reject(new Error('later')),
  ];
  const caught: unknown[] = [];
  const careful: Middleware = (_context, next) => next().catch((error: Error) => caught.push(error.message));
  for (const fail of failures) {
    await compose([careful], fail)(context);
    await compose([careful, fail as Middleware], () => undefined)(context);
  }
  expect(caught).toEqual(['at once', 'at once', 'later', 'later']);
});

test('a promise goes through all layers as it is, so that none of them waits for it', () => {
  const promise = Promise.resolve();
  expect(compose([through, through], () => promise)(context)).toBe(promise);
});
