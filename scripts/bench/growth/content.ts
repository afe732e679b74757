import { type Client, createPlace, orRemoved, type Place } from '../databases';
import { fill } from '../fill';
import { withStatements } from '../statements';
import { multiply, tidy } from './multiply';
import type { Known } from './scenarios';

/** Articles that are made over HTTP before the database copies them. */
export const originals = 1_000;

const looked = 50;
const rare = { name: 'Rare Author', articles: 10 };

const spread = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * from) / count) + 1);

/** Gives some articles, drafts and published, an author of their own. */
const giveRareAuthor = (place: Place): Promise<void> =>
  withStatements(place, async (run) => {
    const [count] = await run('select count(*)/2 as total from articles');
    // A document's draft stands before what is published of it.
    const articles = spread(Number(count?.['total']), rare.articles).flatMap((at) => [2 * at - 1, 2 * at]);
    await run(`update authors set name='${rare.name}' where id in (select max(id) from authors)`);
    await run('delete from articles_author_lnk where author_id in (select max(id) from authors)');
    await run(`delete from articles_author_lnk where article_id in (${articles.join(',')})`);
    for (const article of articles)
      await run(`insert into articles_author_lnk (article_id,author_id) select ${article},max(id) from authors`);
  });

/** A database with so many articles: a thousand made over HTTP, and copies of them. */
export async function grow(client: Client, articles: number): Promise<Place> {
  const place = await createPlace(client);
  return orRemoved(place, async () => {
    await fill(place, originals);
    await multiply(place, articles / originals);
    await giveRareAuthor(place);
    await tidy(place);
  });
}

/** What is known of a database that was grown to so many articles, whatever has been written since. */
export const lookAt = (place: Place, articles: number): Promise<Known> =>
  withStatements(place, async (run) => {
    // Drafts: what is published of a document has another id by each publication.
    const ids = spread(articles, looked).map((at) => 2 * at - 1);
    const rows = await run(`select document_id, slug from articles where id in (${ids.join(',')})`);
    const documents = async (table: string): Promise<string[]> =>
      (await run(`select document_id from ${table} group by document_id order by min(id)`)).map((row) =>
        String(row['document_id']),
      );
    return {
      ids: rows.map((row) => String(row['document_id'])),
      // The last one is the rare one.
      authors: (await documents('authors')).slice(0, -1),
      categories: await documents('categories'),
      tags: await documents('tags'),
      slugs: rows.map(({ slug }) => String(slug)),
      author: 'Author 7',
      rareAuthor: rare.name,
    };
  });
