import { DOCUMENTS, type Token } from 'heddle';
import { entries } from './entries';

/** Fills a database in which no type of the sample has a document yet; answers how many entries were made. */
export async function seed(service: <T>(token: Token<T>) => T): Promise<number> {
  const documents = service(DOCUMENTS);
  for (const uid of Object.keys(entries)) {
    const [present] = await documents.of(uid).find({ window: () => ({ start: 0, limit: 1, total: false }) });
    if (present) return 0;
  }
  let made = 0;
  for (const [uid, list] of Object.entries(entries)) {
    for (const data of list) await documents.of(uid).create(data);
    made += list.length;
  }
  return made;
}
