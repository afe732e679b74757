import { kernelWith, plugin } from './kernel.fixture';
import { token } from './services';

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
