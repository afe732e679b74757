import { issuesError } from '../errors';
import type { ContentRegistry, ContentType } from './content-type';
import type { Chosen } from './query/choices';
import { rowId } from './row-id';
import type { Row, StoreTransaction } from './store';
import { type RowTree, readTree } from './structure/row-tree';
import { storedData } from './structure/stored-data';
import { refuseTaken } from './uniqueness';
import { createJudges, noFindings } from './validator';

/**
 * Checks a stored row, with its components, as strictly as what everyone can see is checked. `rivals` are the rows among
 * which its unique values must be unique. What the row holds is read, unless it was read already.
 */
export function createCompleteCheck(registry: () => ContentRegistry) {
  const judgeOf = createJudges(registry);

  return async function checkComplete(
    type: ContentType,
    row: Row,
    rivals: readonly Chosen[],
    transaction: StoreTransaction,
    tree?: RowTree,
  ): Promise<void> {
    const id = rowId(row);
    const read = tree ?? (await readTree(type, [id], { transaction, registry: registry() }));
    const data = storedData(type, id, read);
    const findings = noFindings();
    await judgeOf(type)(data, { strictness: 'complete', isNew: true, mayMerge: false }, findings);
    const documentId = String(row['documentId']);
    await refuseTaken(findings, { type, documentId, rivals, transaction, registry: registry() });
    if (findings.issues.length > 0) throw issuesError(findings.issues);
    if (findings.unreadable) throw findings.unreadable;
  };
}

export type CompleteCheck = ReturnType<typeof createCompleteCheck>;
