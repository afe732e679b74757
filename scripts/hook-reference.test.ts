import { hookReference, mayHoldHooks, silentHooks } from './hook-reference';

const bag = {
  path: 'plugins/colour/hooks.ts',
  text: `
/** The life of a colour. */
export const colourHooks = () =>
  Object.freeze({
    /** Before it dries;
     *  what a tap returns replaces it. */
    mixed: new SyncWaterfallHook<[colour: Colour]>(['colour']),
    /** Asked where it is to be seen. */
    shown: new AsyncSeriesBailHook<
      [colour: Colour, wall: Wall],
      boolean | undefined
    >(['colour', 'wall']),
    /** Told in the end. */
    dried: new SyncHook<[colour: Colour], void, Patience>(['colour']),
    silent: new SyncHook<[]>([]),
  });
`,
};

test('hooks are listed with their kinds, payloads and comments', () => {
  const text = hookReference([bag]);
  expect(text).toContain('## colour\n\nThe life of a colour. (`plugins/colour/hooks.ts`)');
  expect(text).toContain(
    '| `colour.mixed` | SyncWaterfall | `colour: Colour` | Before it dries; what a tap returns replaces it. |',
  );
  expect(text).toContain(
    '| `colour.shown` | AsyncSeriesBail | `colour: Colour, wall: Wall → boolean \\| undefined` | Asked where it is to be seen. |',
  );
  expect(text).toContain('| `colour.dried` | Sync | `colour: Colour; tap: Patience` | Told in the end. |');
});

test('a hook without a comment is told', () => {
  expect(silentHooks([bag])).toEqual(['plugins/colour/hooks.ts: the hook colour.silent has no comment.']);
});

test('bags are looked for in core and in plugins', () => {
  const paths = ['core/http/hooks.ts', 'core/kernel/lifecycle.ts', 'plugins/rest/hooks.ts', 'core/kernel/hook-bag.ts'];
  expect(paths.map(mayHoldHooks)).toEqual([true, true, true, false]);
});
