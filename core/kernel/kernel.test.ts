import { AsyncSeriesBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import { z } from 'zod';
import { HeddleError } from '../errors';
import { TapError, tapsOf } from './hook-bag';
import { createKernel, type KernelOptions } from './kernel';
import { silentLogger } from './logger';
import { type AnyPlugin, definePlugin, isPlugin } from './plugin';
import { ProjectError } from './problems';
import { token } from './services';

const bag = () =>
  Object.freeze({
    made: new SyncHook<[]>([]),
    text: new SyncWaterfallHook<[text: string]>(['text']),
    asked: new AsyncSeriesBailHook<[], string>([]),
  });

type Bag = ReturnType<typeof bag>;

/** The kernel knows its bags by declaration merging; a bag of a test's own goes around that. */
function kernelWith(options: Partial<KernelOptions> = {}) {
  const demo = bag();
  const app = { dir: '/app', dataDir: '/data', environment: 'test', env: {} };
  const bags = { demo } as unknown as KernelOptions['bags'];
  return { demo, kernel: createKernel({ version: '1.2.3', app, log: silentLogger, bags, ...options }) };
}

const plugin = (
  name: string,
  apply: AnyPlugin['apply'] = () => undefined,
  rest: Partial<AnyPlugin> = {},
): AnyPlugin => ({ name, apply, ...rest });
const demoOf = (heddle: { hooks: unknown }): Bag => (heddle.hooks as { demo: Bag }).demo;

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

describe('lifecycle', () => {
  const closing = (name: string, log: string[], fail = false) => ({
    plugin: plugin(name, ({ hooks }) => {
      hooks.lifecycle.boot.tap(name, () => void log.push(`boot ${name}`));
      hooks.lifecycle.close.tapPromise(name, async () => {
        log.push(`close ${name}`);
        if (fail) throw new Error('stuck');
      });
    }),
  });

  test('what was opened last is closed first, and a failure keeps nothing else open', async () => {
    const log: string[] = [];
    const { kernel } = kernelWith();
    kernel.configure([closing('a', log), closing('b', log, true), closing('c', log)], {});
    kernel.provide();
    await kernel.boot();
    await expect(kernel.close()).rejects.toThrow('plugin "b", hook lifecycle.close: stuck');
    expect(log).toEqual(['boot a', 'boot b', 'boot c', 'close c', 'close b', 'close a']);
  });

  test('of several that can not be closed each is told', async () => {
    const { kernel } = kernelWith();
    kernel.configure([closing('a', [], true), closing('b', []), closing('c', [], true)], {});
    kernel.provide();
    await expect(kernel.close()).rejects.toMatchObject({ errors: [{ plugin: 'c' }, { plugin: 'a' }] });
  });

  const warming = (name: string, log: string[], fail: boolean) => ({
    plugin: plugin(name, ({ hooks }) => {
      hooks.lifecycle.warm.tap(name, () => {
        log.push(name);
        if (fail) throw new Error('cold');
      });
    }),
  });

  test('what one plugin can not load keeps no other from it, and is told each time', async () => {
    const log: string[] = [];
    const { kernel } = kernelWith();
    kernel.configure([warming('a', log, true), warming('b', log, false), warming('c', log, true)], {});
    kernel.provide();
    for (let time = 1; time <= 2; time += 1) {
      const failure = await kernel.warm().then(
        () => undefined,
        (error: AggregateError) => error,
      );
      const told = ['plugin "a", hook lifecycle.warm: cold', 'plugin "c", hook lifecycle.warm: cold'];
      expect(failure?.errors.map(({ message }: Error) => message)).toEqual(told);
      for (const each of told) expect(failure?.message).toContain(each);
    }
    expect(log).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('services are made once, late, and only while they can be added', () => {
    const COUNTER = token<{ n: number }>('counter');
    let made = 0;
    const { kernel } = kernelWith();
    let later: (() => void) | undefined;
    const provider = plugin('provider', (heddle) => {
      heddle.hooks.lifecycle.provide.tap('provider', (services) => {
        services.add(COUNTER, () => ({ n: ++made }));
        later = () => services.add(token('late'), () => 1);
      });
    });
    kernel.configure([{ plugin: provider }], {});
    kernel.provide();
    expect(made).toBe(0);
    expect(kernel.services.get(COUNTER)).toBe(kernel.services.get(COUNTER));
    expect(made).toBe(1);
    expect(later).toThrow(/after start-up/);
    expect(() => kernel.services.get(token('countr'))).toThrow(/Did you mean "counter"\?/);
  });

  test('two plugins over one service are both named', () => {
    const { kernel } = kernelWith();
    const adder = (name: string) => ({
      plugin: plugin(name, ({ hooks }) =>
        hooks.lifecycle.provide.tap(name, (services) => services.add(token('mail'), () => name)),
      ),
    });
    kernel.configure([adder('one'), adder('two')], {});
    expect(() => kernel.provide()).toThrow('service "mail": is registered by plugin "one" and by plugin "two".');
  });

  test('kernels share nothing', () => {
    const NAME = token<string>('name');
    const make = (value: string) => {
      const { kernel } = kernelWith();
      kernel.configure(
        [
          {
            plugin: plugin('p', ({ hooks }) =>
              hooks.lifecycle.provide.tap('p', (services) => services.add(NAME, () => value)),
            ),
          },
        ],
        {},
      );
      kernel.provide();
      return kernel;
    };
    const [one, two] = [make('one'), make('two')];
    expect([one.services.get(NAME), two.services.get(NAME)]).toEqual(['one', 'two']);
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
