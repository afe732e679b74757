import type { ShownDocument } from '../../../core';
import type { Opened } from './database-app.fixture';

// For tests: lists by cursor.

interface Part {
  readonly ids: number[];
  readonly next: string | undefined;
  readonly total: number | undefined;
}

/** Of an application that is opened later. */
export function walksIn(app: () => Opened) {
  async function part(query: object, limit: number, cursor: string, total = false): Promise<Part> {
    const window = () => ({ start: 0, limit, total, cursor });
    const operation = { action: 'find', type: app().type, rights: 'system', query: { ...query, window } };
    const answer = await app().documents.read(operation);
    const documents = JSON.parse(answer.json.toString()) as ShownDocument[];
    expect(answer.count).toBe(documents.length);
    return { ids: documents.map(({ id }) => Number(id)), next: answer.next, total: answer.total };
  }

  return {
    part,
    /** The ids of all pages of a list. */
    async walk(query: object, limit: number): Promise<number[]> {
      const ids: number[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const found: Part = await part(query, limit, cursor);
        expect(found.ids.length).toBe(found.next === undefined ? Math.min(found.ids.length, limit) : limit);
        ids.push(...found.ids);
        cursor = found.next;
      }
      return ids;
    },
    /** Those of the list. */
    whole: async (query: object): Promise<number[]> =>
      (await app().things.find({ ...query, fields: ['id'] })).map(({ id }) => Number(id)),
  };
}
