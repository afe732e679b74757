import type { Target } from '../targets/target';
import { type Patience, send } from './send';

const request = (target: Target, method: string, path: string) => ({
  method,
  path,
  headers: (target.token ? { authorization: `Bearer ${target.token}` } : {}) as Record<string, string>,
});

/** Why a row may not write a single type: whatever is there, in whatever version, belongs to somebody else. */
export async function singleTypeTaken(target: Target, path: string, patience: Patience): Promise<string | undefined> {
  const versions = [path, `${path}?status=draft`];
  // A filter on the locale stands in place of the default one; types without locales refuse it.
  if (target.features.has('i18n'))
    versions.push(
      ...versions.map((version) => `${version}${version === path ? '?' : '&'}filters[locale][$notNull]=true`),
    );
  for (const version of versions) {
    const { status } = await send(target, request(target, 'GET', version), patience);
    const isOtherwiseFree = version.includes('filters') && status === 400;
    if (status !== 404 && !isOtherwiseFree)
      return `GET ${version} answered ${status}, not 404: its content is not the run's to touch`;
  }
  return undefined;
}
