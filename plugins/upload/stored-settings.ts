import type { DATABASE } from '../sql';
import type { ImageSettings } from './images/image-work';

type Database = NonNullable<(typeof DATABASE)['type']>;

/** What administrators of an existing project chose about images. */
export async function storedSettings({ rows, dialect }: Database): Promise<Partial<ImageSettings>> {
  const sql = `select value from strapi_core_store_settings where ${dialect.id('key')}=${dialect.placeholder(1)}`;
  const [found] = await rows({ sql }, ['plugin_upload_settings']);
  if (!found) return {};
  const { sizeOptimization, responsiveDimensions } = JSON.parse(String(found[0])) as Record<string, unknown>;
  return {
    ...(typeof sizeOptimization === 'boolean' && { optimize: sizeOptimization }),
    ...(typeof responsiveDimensions === 'boolean' && { responsive: responsiveDimensions }),
  };
}
