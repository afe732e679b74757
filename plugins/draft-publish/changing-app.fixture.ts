import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, ShownDocument, TypeDocuments } from '../../core';
import { projectFiles } from './linked-project.fixture';
import { makeVersionsPlace, openVersionsApp, type VersionsApp, type VersionsPlace } from './versions-app.fixture';

// For tests: the linked project, whose schema files and plugins change from one start to the next.

export type Files = Record<string, object>;

export const pathOf = (type: string): string => `src/api/${type}/content-types/${type}/schema.json`;
export const idOf = ({ documentId }: ShownDocument): string => String(documentId);
export const draft = { parameters: { status: 'draft' } };

/** The project's files, some types of which have no drafts. */
export function filesWithout(types: readonly string[]): Files {
  const files = projectFiles();
  for (const type of types) files[pathOf(type)] = { ...files[pathOf(type)], options: { draftAndPublish: false } };
  return files;
}

export interface ChangingApp {
  app(): VersionsApp;
  /** Closes it, and starts it with these files, on the same database; the plugins named in `off` are switched off. */
  opened(files: Files, off?: readonly string[]): Promise<void>;
  /** Closes it, with other files for who opens it next. */
  closed(files: Files): Promise<VersionsPlace>;
  use(app: VersionsApp): void;
  /** Closes it and removes its database. */
  removed(): Promise<void>;
  docs(type: string): TypeDocuments;
  rowsOf(type: string): Promise<Row[]>;
}

/** One for each test of a file. */
export function changingApp(): ChangingApp {
  let place: VersionsPlace | undefined;
  let app: VersionsApp | undefined;

  async function closed(files: Files): Promise<VersionsPlace> {
    await app?.close();
    app = undefined;
    place ??= await makeVersionsPlace(files);
    for (const [path, file] of Object.entries(files))
      writeFileSync(join(place.folder.appDir, path), JSON.stringify(file));
    return place;
  }
  async function removed(): Promise<void> {
    await app?.close();
    app = undefined;
    await place?.remove();
    place = undefined;
  }
  afterEach(removed);

  return {
    app: () => app!,
    async opened(files, off) {
      app = await openVersionsApp(await closed(files), off);
    },
    closed,
    use(opened) {
      app = opened;
    },
    removed,
    docs: (type) => app!.documents.of(`api::${type}.${type}`),
    rowsOf: (type) =>
      app!.store.transaction(async (transaction) => transaction.rows(app!.registry.get(`api::${type}.${type}`), {})),
  };
}
