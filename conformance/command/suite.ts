import { deriveRows } from '../own/derive';
import { readSchemas } from '../own/schemas';
import type { Specification } from '../runner/load';
import { commonFeatures, type Feature, type Row } from '../runner/row';
import { openSession } from '../runner/session';
import { httpTarget } from '../targets/http';
import type { Target } from '../targets/target';
import type { ConformOptions, Settings } from './settings';

export interface Suite {
  target: Target;
  rows: Row[];
  /** Row id → why it can not be played. */
  skips?: Record<string, string>;
}

/** Features whose absence is seen without any content type. */
const visible: readonly Feature[] = ['graphql', 'i18n', 'upload', 'users-permissions'];

/** What a target has of what can be seen from outside, where nobody declared it. */
async function seenFeatures(settings: Settings, specification: Specification): Promise<Feature[]> {
  const session = openSession({
    ...settings,
    ...specification,
    target: httpTarget({ ...settings, features: commonFeatures }),
  });
  const off: Feature[] = [];
  for (const feature of visible) {
    if ((await session.mirror(feature)).status === 'skip') off.push(feature);
  }
  return commonFeatures.filter((name) => !off.includes(name));
}

/** One of three ways: with the fixtures, with the target's own schema files, or without any. */
export async function suiteFor(
  options: Pick<ConformOptions, 'smoke' | 'schema' | 'write'>,
  settings: Settings,
  specification: Specification,
): Promise<Suite> {
  if (options.smoke && options.schema) throw new Error('Say --smoke or --schema, not both.');
  if (options.write && !options.schema) throw new Error('--write belongs to --schema: other rows write as they must.');
  if (!options.smoke && !options.schema) return { target: httpTarget(settings), rows: specification.rows };
  const features = settings.features ?? (await seenFeatures(settings, specification));
  const target = httpTarget({ ...settings, features });
  if (!options.schema) return { target, rows: specification.smoke };
  const { rows, skips } = await deriveRows(readSchemas(options.schema), target, settings, options.write ?? false);
  return { target, rows: [...specification.smoke, ...rows], skips };
}
