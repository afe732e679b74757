import { CONTENT, newDocumentId, type Services, STORE } from '../../core';
import { DATABASE } from '../sql';
import { folderUid } from './content-types';

const settings = 'strapi_core_store_settings';
const folderKey = 'plugin_upload_api-folder';
const folderName = 'API Uploads';

/** What is uploaded over the interface is filed in a folder of its own, as administrators of existing projects know it. */
export function createFiling(get: Services['get']) {
  const type = () => get(CONTENT).get(folderUid);

  async function knownId(): Promise<number | undefined> {
    const { rows, dialect } = get(DATABASE);
    const sql = `select value from ${settings} where ${dialect.id('key')}=${dialect.placeholder(1)}`;
    const [found] = await rows({ sql }, [folderKey]);
    const { id } = (found ? JSON.parse(String(found[0])) : {}) as { id?: unknown };
    return typeof id === 'number' ? id : undefined;
  }

  async function remember(id: number): Promise<void> {
    const knex = get(DATABASE).knex();
    const value = JSON.stringify({ id });
    const changed = await knex(settings).where({ key: folderKey }).update({ value });
    if (changed === 0) await knex(settings).insert({ key: folderKey, value, type: 'object' });
  }

  /** Several first uploads at once make one folder. */
  async function made(): Promise<number> {
    return get(STORE).transaction(async (transaction) => {
      await transaction.lock(folderKey);
      const folders = await transaction.rows(type(), {}, ['id', 'name', 'pathId', 'path']);
      const present = folders.find(({ name, pathId, path }) => name === folderName && path === `/${pathId}`);
      if (present) return Number(present['id']);
      const pathId = Math.max(0, ...folders.map((folder) => Number(folder['pathId']))) + 1;
      const now = new Date().toISOString();
      const stamps = { createdAt: now, updatedAt: now, publishedAt: now };
      const folder = { documentId: newDocumentId(), name: folderName, pathId, path: `/${pathId}`, ...stamps };
      const [id] = await transaction.insert(type(), [folder]);
      return id!;
    });
  }

  async function pathOf(id: number): Promise<string | undefined> {
    const { rows, dialect } = get(DATABASE);
    const [found] = await rows({ sql: `select path from upload_folders where id=${dialect.placeholder(1)}` }, [id]);
    return found && String(found[0]);
  }

  return async function filing(): Promise<Record<string, unknown>> {
    let id = await knownId();
    let path = id === undefined ? undefined : await pathOf(id);
    if (id === undefined || path === undefined) {
      id = await made();
      path = await pathOf(id);
      await remember(id);
    }
    return { folder: { id }, folderPath: path ?? '/' };
  };
}
