import { type ContentRegistry, flatMapped, rowId, type Validation, type WrittenLink } from '../../core';
import { fileUid } from './content-types';
import { allowedSorts, media, sortOf } from './media-kind';

/** The links that only certain sorts of files may stand behind. */
const restricted = (links: readonly WrittenLink[]): { link: WrittenLink; allowed: readonly string[] }[] =>
  flatMapped(links, (link) => {
    const allowed = link.nested.definition.type === media.name ? allowedSorts(link.nested.definition) : undefined;
    return allowed && link.rows.length > 0 ? [{ link, allowed }] : [];
  });

/** Attributes that take some sorts of files only refuse all others: one statement, whatever the body names. */
export async function refuseOtherSorts(
  { links, issues, transaction }: Validation,
  registry: ContentRegistry,
): Promise<void> {
  const found = restricted(links);
  if (found.length === 0) return;
  const ids = [...new Set(flatMapped(found, ({ link }) => link.rows))];
  const files = await transaction.rows(registry.get(fileUid), { id: ids }, ['id', 'mime']);
  const sorts = new Map(files.map((file) => [rowId(file), sortOf(String(file['mime']))]));
  for (const { link, allowed } of found) {
    const refused = link.rows.find((row) => !allowed.includes(sorts.get(row) ?? ''));
    if (refused === undefined) continue;
    const message = `${link.label} takes ${allowed.join(', ')} only, and file ${refused} is of the sort ${sorts.get(refused)}`;
    issues.push({ path: link.path, message, name: 'ValidationError', value: refused });
  }
}
