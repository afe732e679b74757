import { z } from 'zod';
import { HeddleError } from '../errors';
import { TapError, tapsOf } from './hook-bag';
import { type Bag, bag, demoOf, kernelWith, plugin } from './kernel.fixture';
import { type AnyPlugin, definePlugin, isPlugin } from './plugin';
import { ProjectError } from './problems';

test('plugins are applied in order, with their checked options', () => {
  const applied: unknown[] = [];
  const { kernel } = kernelWith();
  const first = plugin('first', (_heddle, options) => applied.push(['first', options]), { requires: ['second'] });
  const second = plugin('second', (_heddle, options) => applied.push(['second', options]), {
    options: z.strictObject({ size: z.int().default(3) }),
  });
  kernel.configure([{ plugin: first }, { plugin: second, options: {} }], {});
  expect(applied).toEqual([
    ['second', { size: 3 }],
    ['first', {}],
  ]);
  expect(kernel.order).toEqual(['second', 'first']);
});

test('options that no plugin knows are refused, with what was meant', () => {
  const { kernel } = kernelWith();
  const palette = plugin('color', undefined, { options: z.strictObject({ palette: z.array(z.string()).optional() }) });
  expect(() =>
    kernel.configure(
      [
        { plugin: palette, options: { pallete: [] } },
        { plugin: plugin('plain'), options: { any: 1 } },
      ],
      {},
    ),
  ).toThrow(
    /config\/plugins color\.config\.pallete: is no known option\. Remove it\. Did you mean "palette"\?\n.*plain\.config\.any/,
  );
  expect(kernel.order).toEqual([]);
});

test('a plugin for another version of Heddle is refused', () => {
  expect(() => kernelWith().kernel.configure([{ plugin: plugin('old', undefined, { heddle: '^0.9.0' }) }], {})).toThrow(
    'plugin "old": supports Heddle ^0.9.0, this is 1.2.3.',
  );
  expect(() =>
    kernelWith().kernel.configure([{ plugin: plugin('new', undefined, { heddle: '^1.0.0' }) }], {}),
  ).not.toThrow();
});

test('configuring twice is an error', () => {
  const { kernel } = kernelWith();
  kernel.configure([], {});
  expect(() => kernel.configure([], {})).toThrow('configured already');
});

describe('taps', () => {
  test('an unexpected error names plugin and hook, whether it is thrown or rejected', async () => {
    const { kernel, demo } = kernelWith();
    const broken = plugin('broken', (heddle) => {
      demoOf(heddle).made.tap('broken', () => {
        throw new TypeError('oh');
      });
      demoOf(heddle).asked.tapPromise('broken:later', async () => {
        throw new TypeError('no');
      });
    });
    kernel.configure([{ plugin: broken }], {});
    expect(() => demo.made.call()).toThrow('plugin "broken", hook demo.made: oh');
    await expect(demo.asked.promise()).rejects.toMatchObject({
      plugin: 'broken',
      hook: 'demo.asked',
      cause: expect.any(TypeError),
    });
  });

  test('errors that are meant for the caller pass as they are', () => {
    const { kernel, demo } = kernelWith();
    const refusal = new HeddleError('ForbiddenError', 'no');
    kernel.configure(
      [
        {
          plugin: plugin('guard', (heddle) =>
            demoOf(heddle).made.tap('guard', () => {
              throw refusal;
            }),
          ),
        },
      ],
      {},
    );
    expect(() => demo.made.call()).toThrow(refusal);
    expect(new TapError('a', 'b', 'text').message).toBe('plugin "a", hook b: text');
  });

  test('a tap must carry the name of a plugin, and no callback', () => {
    const refusing = (apply: AnyPlugin['apply']) => () =>
      kernelWith().kernel.configure([{ plugin: plugin('known', apply) }], {});
    expect(refusing((heddle) => demoOf(heddle).made.tap('stranger', () => undefined))).toThrow(
      'hook demo.made: is tapped as "stranger", but no plugin has that name.',
    );
    expect(refusing((heddle) => demoOf(heddle).asked.tapAsync('known', () => undefined))).toThrow(
      'plugin "known": taps demo.asked with a callback.',
    );
  });

  test('the plugin at work is known while its taps run', () => {
    const { kernel, demo } = kernelWith();
    const seen: string[] = [];
    const watcher = (name: string) => ({
      plugin: plugin(name, (heddle) => demoOf(heddle).made.tap(name, () => void seen.push(kernel.working()))),
    });
    kernel.configure([watcher('a'), watcher('b')], {});
    expect(kernel.working()).toBe('core');
    demo.made.call();
    expect(seen).toEqual(['a', 'b']);
  });

  test('time is measured per plugin and hook when asked for', async () => {
    const { kernel, demo } = kernelWith({ measure: true });
    kernel.configure(
      [
        {
          plugin: plugin('slow', (heddle) =>
            demoOf(heddle).asked.tapPromise('slow', () => new Promise((done) => setTimeout(() => done('yes'), 20))),
          ),
        },
      ],
      {},
    );
    await demo.asked.promise();
    expect(kernel.times).toEqual([{ plugin: 'slow', hook: 'demo.asked', calls: 1, milliseconds: expect.any(Number) }]);
    expect(kernel.times[0]!.milliseconds).toBeGreaterThan(15);
    expect(tapsOf(demo).find(({ hook }) => hook === 'asked')).toEqual({ hook: 'asked', taps: ['slow'] });
  });

  test('core taps first, under its own name', () => {
    const { kernel, demo } = kernelWith();
    demo.text.tap('core', (text) => `${text}core `);
    kernel.configure(
      [{ plugin: plugin('late', (heddle) => demoOf(heddle).text.tap('late', (text) => `${text}late`)) }],
      {},
    );
    expect(demo.text.call('')).toBe('core late');
  });

  test('plugins bring hooks of their own; a name is given once', () => {
    const { kernel } = kernelWith();
    const own = bag();
    const giver = plugin('giver', (heddle) => heddle.ownHooks('giver' as never, own as never));
    const taker = plugin('taker', (heddle) =>
      (heddle.hooks as unknown as { giver: Bag }).giver.made.tap('taker', () => {
        throw new Error('x');
      }),
    );
    kernel.configure([{ plugin: giver }, { plugin: taker }], {});
    expect(() => own.made.call()).toThrow('plugin "taker", hook giver.made: x');
    const thief = plugin('thief', (heddle) => heddle.ownHooks('demo' as never, own as never));
    expect(() => kernelWith().kernel.configure([{ plugin: thief }], {})).toThrow(
      'plugin "thief": adds hooks under the name "demo", which is taken.',
    );
  });
});

test('definePlugin returns what it gets, and isPlugin knows it', () => {
  const given = definePlugin({ name: 'x', apply: () => undefined });
  expect(isPlugin(given)).toBe(true);
  expect(isPlugin({ name: 'x' })).toBe(false);
  expect(isPlugin(null)).toBe(false);
});

test('problems say where, what and the remedy', () => {
  const error = new ProjectError([{ where: 'config/api', at: 'rest', what: 'is odd.', remedy: 'Mend it.' }]);
  expect(error.message).toBe('A problem keeps the application from starting:\n- config/api rest: is odd. Mend it.');
});
