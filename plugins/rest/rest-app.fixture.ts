import supertest from 'supertest';
import { createApplication, type RawConfig } from '../../core';
import { appFolder } from '../../core/testing/app-folder';
import { pluginOf } from '../../core/testing/test-application';
import sql from '../sql';
import rest from '.';

// For tests: an application that serves its types over REST to everyone, on a SQLite file of its own.

export interface RestApp {
  readonly agent: ReturnType<typeof supertest>;
  /** Adds a document; answers it. */
  add(path: string, data: object): Promise<Record<string, unknown>>;
  /** Deletes all documents of a list. */
  empty(path: string): Promise<void>;
  remove(): Promise<void>;
}

const openToAll = pluginOf('open', ({ hooks }) => hooks.http.authorize.tap('open', () => true));

export async function restApp(files: Record<string, string | object>, overrides: RawConfig = {}): Promise<RestApp> {
  const folder = appFolder(files);
  const load = (plugin: unknown) => ({ default: true, load: () => plugin as never });
  const shipped = { plugins: { sql: load(sql), rest: load(rest), open: load(openToAll) }, inert: {} };
  const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' }, overrides }).catch((error) => {
    folder.remove();
    throw error;
  });
  await app.start();
  const agent = supertest(app.handler);
  return {
    agent,
    async add(path, data) {
      const { status, body } = await agent.post(path).send({ data });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data;
    },
    async empty(path) {
      const { body } = await agent.get(`${path}?fields=id&pagination[pageSize]=100`);
      for (const { documentId } of body.data as { documentId: string }[]) await agent.delete(`${path}/${documentId}`);
    },
    async remove() {
      await app.close();
      folder.remove();
    },
  };
}

export const schemaFile = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;

export const schema = (name: string, attributes: object, over: object = {}): object => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s` },
  options: {},
  attributes,
  ...over,
});
