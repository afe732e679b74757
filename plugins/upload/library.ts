import {
  type ContentType,
  createTurns,
  type Documents,
  HeddleError,
  type Logger,
  type Operation,
  type ShownDocument,
  type StoreAnswer,
  valuesIn,
} from '../../core';
import type { FileInfo } from './file-info';
import { checkName } from './file-name';
import type { ReceivedFile } from './form';
import type { Keeper } from './keeper';
import { createPreparing, keysOf, type Named, type Prepared, type PreparingParts, type Versions } from './preparing';

export interface LibraryParts extends PreparingParts {
  readonly documents: Documents;
  readonly type: () => ContentType;
  readonly keeper: Keeper;
  readonly log: Logger;
  /** Data that says where a new file is filed. */
  readonly filing: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Smaller versions that are still to be made of a kept file. */
export interface PendingVersions extends Versions {
  readonly doing: 'versions';
  readonly id: number;
  /** A staged copy of what they are made of. */
  readonly source: string;
}

/** Reads for the library's own use show files as they are kept. */
export const ownRights = 'upload';
const notFound = (): HeddleError => new HeddleError('NotFoundError', 'Entity not found', {});

const documentIn = (answer: StoreAnswer): ShownDocument | undefined => valuesIn(answer)[0];

/** Keeps files and what is known of them: never the one without the other. */
export function createLibrary(parts: LibraryParts) {
  const { documents, keeper, staging, log } = parts;
  const { prepare, formatsOf } = createPreparing(parts);
  const working = new Set<Promise<void>>();
  const inBackground = createTurns(parts.options.images.parallel);
  let stopping = false;
  const operation = (action: string, more: Partial<Operation> = {}): Operation => ({
    action,
    type: parts.type(),
    query: {},
    rights: ownRights,
    ...more,
  });

  async function find(id: number): Promise<ShownDocument | undefined> {
    const query = { filters: { id: { $eq: id } } };
    return documentIn(await documents.read(operation('find', { query })));
  }

  /** Works with a file while nobody else of this process does, whichever way its id is written. */
  async function withFile<T>(
    id: unknown,
    work: (file: ShownDocument, id: number) => Promise<T>,
  ): Promise<T | undefined> {
    if (!/^\d{1,15}$/.test(String(id))) return undefined;
    const number = Number(id);
    return keeper.alone(number, async () => {
      const file = await find(number);
      return file && work(file, number);
    });
  }

  async function create(prepared: Prepared, written: (file: ShownDocument) => void): Promise<void> {
    const { hash } = prepared.data as unknown as Named;
    const filed = await parts.filing();
    await keeper.add(hash, prepared.placings, async () => {
      const data = { ...prepared.data, ...filed };
      written(documentIn(await documents.create({ ...operation('create'), data }))!);
    });
  }

  async function dropAll(prepared: readonly Prepared[], files: readonly ReceivedFile[]): Promise<void> {
    await Promise.all([...prepared.flatMap(({ made }) => made), ...files.map(({ path }) => path)].map(staging.drop));
  }

  /** Keeps received files, all of them or none. */
  async function add(
    files: readonly ReceivedFile[],
    infos: readonly FileInfo[],
    attach: (files: readonly ShownDocument[]) => Promise<void>,
  ): Promise<ShownDocument[]> {
    const prepared: Prepared[] = [];
    const added: ShownDocument[] = [];
    try {
      for (const { name } of files) checkName(name);
      for (const [index, file] of files.entries()) prepared.push(await prepare(file, infos[index]!));
      for (const each of prepared) await create(each, (file) => added.push(file));
      await attach(added);
      for (const [index, { later }] of prepared.entries())
        if (later) await makeLater({ doing: 'versions', id: Number(added[index]!['id']), ...later });
      return added;
    } catch (error) {
      for (const file of added) await removeKept(file);
      throw error;
    } finally {
      await dropAll(prepared, files);
    }
  }

  const update = async (file: ShownDocument, data: Readonly<Record<string, unknown>>): Promise<ShownDocument> =>
    documentIn(await documents.update({ ...operation('update', { documentId: String(file['documentId']) }), data }))!;

  /** Smaller versions of a file, unless it has some, or is another by now. */
  async function makeVersions({ id, source, ...versions }: PendingVersions): Promise<void> {
    const lacking = async (): Promise<ShownDocument | undefined> => {
      const file = await find(id);
      return file?.['formats'] === null && file['hash'] === versions.named.hash ? file : undefined;
    };
    if (!(await lacking())) return;
    const made: string[] = [];
    try {
      const { placings, formats } = await formatsOf(source, versions, () => {
        made.push(staging.newPath());
        return made.at(-1)!;
      });
      // Nobody waits for the work, only for what comes of it.
      await keeper.alone(id, async () => {
        const file = await lacking();
        if (file && formats)
          await keeper.add(versions.named.hash, placings, async () => void (await update(file, { formats })));
      });
    } finally {
      await Promise.all(made.map(staging.drop));
    }
  }

  /** Makes smaller versions when nobody waits for them. What a process doesn't get to, the next one does. */
  async function makeLater(pending: PendingVersions): Promise<void> {
    const own = { ...pending, source: await staging.another(pending.source) };
    const drop = await staging.note(own);
    const finish = async (): Promise<void> => {
      await drop();
      await staging.drop(own.source);
    };
    const work = inBackground(async () => {
      // What waits at a stop has its note.
      if (stopping) return;
      await makeVersions(own);
      await finish();
    })
      .catch(async (error) => {
        log.error({ err: error, file: pending.id }, 'smaller versions of an image could not be made');
        // A broken image stays broken; what passes is tried again at the next start.
        if ((error as HeddleError).status === 400) await finish();
      })
      .finally(() => working.delete(work));
    working.add(work);
  }

  async function updateInfo(id: unknown, info: FileInfo): Promise<ShownDocument> {
    const said = Object.entries(info).filter(([name, value]) => (name === 'focalPoint' ? true : value !== null));
    const changed = await withFile(id, (file) => update(file, Object.fromEntries(said)));
    if (!changed) throw notFound();
    return changed;
  }

  /** Puts another file's bytes in the place of one's own: its address stays. */
  async function replace(id: unknown, given: ReceivedFile, info: FileInfo): Promise<ShownDocument> {
    let prepared: Prepared | undefined;
    try {
      checkName(given.name);
      const replaced = await withFile(id, async (file, number) => {
        const own = file as unknown as Named;
        prepared = await prepare(given, info, { hash: own.hash, ext: own.ext ?? '' });
        const [main, ...versions] = prepared.placings;
        const stale = keysOf(file).filter((key) => key !== main.key);
        // What has no smaller versions any more says so by an empty list; what was of interest in the old image is not in the new.
        const data = { focalPoint: null, ...prepared.data, formats: prepared.data['formats'] ?? {} };
        let changed: ShownDocument | undefined;
        const { id: _id, documentId: _documentId, ...shown } = file;
        const before = Object.fromEntries(Object.entries(shown).filter(([name]) => Object.hasOwn(data, name)));
        const { name, mime, size } = data as Record<string, unknown>;
        const was = String(file['updatedAt']);
        await keeper.replace(
          { id: number, hash: own.hash, was, says: { name, mime, size }, main, versions, stale },
          async () => {
            changed = await update(file, data);
          },
          async () => void (await update(file, before)),
        );
        return changed!;
      });
      if (!replaced) throw notFound();
      return replaced;
    } finally {
      await dropAll(prepared ? [prepared] : [], [given]);
    }
  }

  async function removeKept(file: ShownDocument): Promise<void> {
    await keeper.remove(String(file['hash']), keysOf(file), async () => {
      await documents.remove(operation('delete', { documentId: String(file['documentId']) }));
    });
  }

  async function remove(id: unknown): Promise<ShownDocument | undefined> {
    return withFile(id, async (file) => {
      await removeKept(file);
      return file;
    });
  }

  return {
    add,
    updateInfo,
    replace,
    remove,
    /** Goes on with what an earlier process left, as far as it left what is needed. */
    async resume(pending: PendingVersions): Promise<void> {
      if (await staging.isThere(pending.source)) await makeLater(pending);
    },
    /** Begins nothing more in the background, and ends when what was begun there is done. */
    async settle(): Promise<void> {
      stopping = true;
      while (working.size > 0) await Promise.all(working);
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;
