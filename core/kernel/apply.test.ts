import { setImmediate as turn } from 'node:timers/promises';
import { bag, kernelWith, plugin } from './kernel.fixture';
import { silentLogger } from './logger';
import type { AnyPlugin } from './plugin';
import { token } from './services';

const refusing =
  (apply: AnyPlugin['apply'], rest: Partial<AnyPlugin> = {}, log = silentLogger) =>
  () =>
    kernelWith({ log }).kernel.configure([{ plugin: plugin('mine', apply, rest) }], {});

/** A plugin in JavaScript: nobody checks what it does. */
// biome-ignore lint/suspicious/noExplicitAny: as it is there
const untyped = (apply: (heddle: any) => unknown) => apply as AnyPlugin['apply'];

test('what "apply" throws names the plugin and the place', () => {
  expect(
    refusing(() => {
      throw new TypeError('oh');
    }),
  ).toThrow(/plugin "mine": fails in "apply": TypeError: oh \(at .*apply\.test\.ts:\d+:\d+\)+\. Mend it there\.$/);
  expect(refusing(untyped((heddle) => heddle.config()))).toThrow('plugin "mine": fails in "apply": Error: the config');
});

test('a promise is refused; what it fails with is logged and uncaught by nobody', async () => {
  const logged: unknown[] = [];
  const log = { ...silentLogger, error: (given: object) => logged.push(given), child: () => log };
  const failure = new Error('later');
  expect(
    refusing(
      async () => {
        throw failure;
      },
      {},
      log as never,
    ),
  ).toThrow('plugin "mine": answers a promise in "apply", which is to answer nothing. Take async away from it');
  await turn();
  expect(logged).toEqual([{ err: failure }]);
});

test('a hook or a bag that is not there is told with the one that was meant', () => {
  expect(refusing(untyped(({ hooks }) => hooks.demo.maed.tap('mine')))).toThrow(
    'plugin "mine": there is no hook demo.maed. Did you mean "demo.made"?',
  );
  expect(refusing(untyped(({ hooks }) => hooks.dmeo.made.tap('mine')))).toThrow(
    'plugin "mine": there is no bag dmeo. Did you mean "demo"?',
  );
  // One that may be there in a later version is not refused.
  expect(refusing(untyped(({ hooks }) => hooks.lifecycle.load?.tap('mine')))).not.toThrow();
  const giver = plugin('giver', (heddle) => heddle.ownHooks('giver' as never, bag() as never));
  const taker = plugin(
    'taker',
    untyped(({ hooks }) => hooks.giver.txet.tap('taker')),
  );
  expect(() => kernelWith().kernel.configure([{ plugin: giver }, { plugin: taker }], {})).toThrow(
    'plugin "taker": there is no hook giver.txet. Did you mean "giver.text"?',
  );
});

test('the hooks of another plugin may be missing, and afterwards anything may', () => {
  let later: (() => unknown) | undefined;
  const apply = untyped(({ hooks }) => {
    hooks.unheardOf?.made.tap('mine');
    expect([String(hooks.demo), 'maed' in hooks.demo]).toEqual(['[object Object]', false]);
    later = () => hooks.demo.maed;
  });
  expect(refusing(apply)).not.toThrow();
  expect(later!()).toBeUndefined();
});

test('a hook that does not wait takes no function that may', () => {
  const told = 'plugin "mine": taps demo.made with a function that may wait, and nobody waits there. Use tap.';
  expect(refusing(untyped(({ hooks }) => hooks.demo.made.tapPromise('mine:x', async () => undefined)))).toThrow(told);
  expect(refusing(untyped(({ hooks }) => hooks.demo.made.tapAsync({ name: 'mine' }, () => undefined)))).toThrow(told);
});

test('options that are no schema are refused', () => {
  expect(refusing(() => undefined, { options: { size: 1 } as never })).toThrow(
    'plugin "mine": has "options" that are no zod schema. Write them as in z.strictObject({ size: z.int() }).',
  );
});

test('a service is asked for later', () => {
  const clock = token<object>('clock');
  expect(refusing((heddle) => void heddle.service(clock))).toThrow(
    'plugin "mine": asks for service "clock" in "apply", when there are no services yet. They are there from lifecycle.provide on',
  );
});
