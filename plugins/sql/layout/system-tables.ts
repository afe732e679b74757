import { idColumn, index, keyColumn, setNull, storageColumn, stringColumn, uniqueIndex } from './columns';
import type { Column, Index, Table } from './layout';
import type { ScalarStorage } from './model';

const columns = (stored: Readonly<Record<string, ScalarStorage>>): Column[] =>
  Object.entries(stored).map(([name, storage]) => storageColumn(name, storage));

const required = (column: Column): Column => ({ ...column, notNull: true });

const table = (name: string, ...own: readonly Column[]): Table => ({
  name,
  columns: [idColumn, ...own],
  indexes: [],
  foreignKeys: [],
});

// The first three are older than the peer's column types: no microseconds, and `json` where others are `jsonb`.
const plainTime: Column = { name: 'time', type: 'datetime', args: [{ useTz: false }] };

const historyAuthor = 'strapi_history_versions_created_by_id_fk';

/** The peer's tables that belong to no content type. */
export const systemTables: readonly Table[] = [
  table('strapi_migrations', stringColumn('name'), plainTime),
  table('strapi_migrations_internal', stringColumn('name'), plainTime),
  table('strapi_database_schema', { name: 'schema', type: 'json' }, plainTime, stringColumn('hash')),
  table(
    'strapi_core_store_settings',
    ...columns({ key: 'string', value: 'text', type: 'string', environment: 'string', tag: 'string' }),
  ),
  table(
    'strapi_webhooks',
    ...columns({ name: 'string', url: 'text', headers: 'json', events: 'json', enabled: 'boolean' }),
  ),
  {
    ...table(
      'strapi_history_versions',
      required(stringColumn('content_type')),
      ...columns({
        related_document_id: 'string',
        locale: 'string',
        status: 'string',
        data: 'json',
        schema: 'json',
        created_at: 'datetime',
      }),
      keyColumn('created_by_id'),
    ),
    indexes: [index(historyAuthor, 'created_by_id')],
    foreignKeys: [setNull(historyAuthor, 'created_by_id', 'admin_users')],
  },
  table(
    'strapi_ai_metadata_jobs',
    required(stringColumn('status')),
    ...columns({ created_at: 'datetime', completed_at: 'datetime' }),
  ),
  table(
    'strapi_ai_localization_jobs',
    ...columns({
      content_type: 'string',
      related_document_id: 'string',
      source_locale: 'string',
      target_locales: 'json',
      status: 'string',
    }).map(required),
    ...columns({ created_at: 'datetime', updated_at: 'datetime' }),
  ),
];

const fileIndexes = ['folder_path', 'created_at', 'updated_at', 'name', 'size', 'ext'];

/** Indexes that the peer gives to its own types only. */
export const systemIndexes: Readonly<Record<string, readonly Index[]>> = {
  'plugin::upload.file': fileIndexes.map((column) => index(`upload_files_${column}_index`, column)),
  'plugin::upload.folder': ['path_id', 'path'].map((column) => uniqueIndex(`upload_folders_${column}_index`, column)),
};
