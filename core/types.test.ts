import type { HookBags, PluginOptions } from 'heddle';
import { SyncHook } from 'tapable';
import { definePlugin } from './index';
import { testApplication } from './testing/test-application';

// The compiler is who tests most of this: a plugin adds to the open interfaces through the one module it imports.

const weaveHooks = () =>
  Object.freeze({ /** A thread came through. */ threaded: new SyncHook<[thread: string]>(['thread']) });

declare module 'heddle' {
  interface PluginOptions {
    weave: { threads: number };
  }
  interface HookBags {
    weave: ReturnType<typeof weaveHooks>;
  }
}

test('a plugin keeps hooks of its own, whose types join those of Heddle', async () => {
  const options: PluginOptions['weave'] = { threads: 2 };
  // @ts-expect-error the option is a number
  const wrong: PluginOptions['weave'] = { threads: '2' };
  const seen: string[] = [];
  const weave = definePlugin({
    name: 'weave',
    apply: ({ ownHooks, hooks }) => {
      ownHooks('weave', weaveHooks());
      hooks.weave.threaded.tap('weave', (thread) => void seen.push(thread));
    },
  });
  const app = await testApplication({ plugins: [weave] });
  const bag: HookBags['weave'] = app.kernel.hooks.weave;
  for (const { threads } of [options, wrong]) bag.threaded.call(String(threads));
  expect(seen).toEqual(['2', '2']);
  await app.remove();
});
