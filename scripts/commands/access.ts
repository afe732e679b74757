import { ACCESS_DECLARATION } from '../../plugins/users-permissions';
import type { FolderOptions } from './application-folder';
import { print, readingOnly, withApplication } from './with-application';

interface DiffOptions extends FolderOptions {
  readonly check?: boolean;
}

/** What the next start would change because of `config/access`; with `check`, a difference is a failure. */
export async function diffAccess({ check = false, ...options }: DiffOptions): Promise<number> {
  let isSame = true;
  const needs = { plugin: 'users-permissions', reason: 'access to declare', config: readingOnly };
  await withApplication(options, needs, async (service) => {
    const lines = (await service(ACCESS_DECLARATION).changes()).flatMap((change) => change.lines);
    isSame = lines.length === 0;
    print(isSame ? 'Nothing would change: all is as config/access says.' : lines.join('\n'));
  });
  return check && !isSame ? 1 : 0;
}
