import fc from 'fast-check';
import supertest from 'supertest';
import type { Application } from '../core';
import { token } from './looked-at.fixture';

// For tests: documents of many kinds that are tied to each other, and what random questions about them are made of.

/** Writes them; their documentIds, each by the name of its type. */
export async function writeContent({ handler }: Application): Promise<Readonly<Record<string, string>>> {
  async function put(method: 'post' | 'put', path: string, data: object): Promise<string> {
    const call = supertest(handler)[method](`/api/${path}`).set('Authorization', `Bearer ${token}`);
    const { body } = await call.send({ data }).expect(({ status }) => expect([200, 201]).toContain(status));
    return body.data.documentId;
  }

  const author = await put('post', 'authors', { name: 'An "author"\u2028', bio: null, active: true });
  const category = await put('post', 'categories', { name: 'One' });
  await put('put', `categories/${category}?locale=fr`, { name: 'Une' });
  const hero = { __component: 'blocks.hero', title: 'Hero', author };
  const first = await put('post', 'articles?status=draft', { title: 'A draft', categories: [category] });
  const article = await put('post', 'articles', {
    title: 'An article',
    content: [{ type: 'paragraph', children: [{ type: 'text', text: '1' }] }],
    extra: { a: 1e21, ' b': [null, true, ''] },
    at: '2024-02-29T10:11:12.130Z',
    day: '2024-02-29',
    hour: '10:11:12',
    views: '9007199254740993',
    score: 0.1,
    price: 12.5,
    author,
    categories: [category],
    related: [first],
    seo: { metaTitle: 'On it', social: [{ network: 'x', handle: '@a' }] },
    sections: [{ heading: 'A', expert: author }, { heading: 'B' }],
    zone: [{ ...hero, articles: [first] }, { __component: 'blocks.quote', text: 'T' }, hero],
  });
  await put('put', `articles/${article}?status=draft`, { title: 'An article, changed', related: [] });
  await put('put', 'homepage', { headline: 'Home', zone: [{ ...hero, articles: [article, first] }, hero] });
  return { article, author, category };
}

/** Numbers that choose: fewer of them, and smaller ones, make a simpler question. */
export const someChoices = fc.array(fc.nat(10_000), { minLength: 60, maxLength: 400 });

/** Takes one choice after the other; where there are no more of them, the first of a list each time. */
export function chooser(choices: readonly number[]) {
  let at = 0;
  const next = (count: number): number => (choices[at++] ?? 0) % count;
  return {
    next,
    oneOf: <T>(list: readonly T[]): T => list[next(list.length)]!,
    sometimes: (one: string, times: number): string => (next(times) === 1 ? one : ''),
  };
}
