import type { Step, ToldNode } from './told-steps.fixture';

// For tests: writes of the linked project in few words.

export const body = (parts: Partial<ToldNode>): ToldNode => ({ values: {}, links: {}, parts: {}, ...parts });
export const write = (type: string, name: string, told: Partial<ToldNode>, draft = false, locale = '-'): Step => ({
  does: 'write',
  type,
  name,
  locale,
  draft,
  body: body(told),
});
export const connect = (name: string) => ({
  connect: [{ target: { name, locale: undefined }, position: { at: 'end' as const } }],
  disconnect: [],
});
export const set = (name: string) => ({ set: [{ name, locale: undefined }] });

/** A write's values and its component say the same: two writes that ran into each other would show. */
export const marked = (mark: string): Partial<ToldNode> => ({
  values: { title: mark, code: mark },
  parts: { card: [{ uid: 'part.card', ...body({ values: { text: mark } }) }] },
});
