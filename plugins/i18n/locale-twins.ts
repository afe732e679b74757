import {
  type ContentRegistry,
  type ContentType,
  flatMapped,
  type Row,
  rowId,
  type StoreTransaction,
  type Tie,
} from '../../core';
import { isLocalized, localeAttribute } from './locale';

/** Finds linked rows' counterparts in other locales, of the same version. */
export interface LocaleTwins {
  /** The row's counterpart in a locale: itself for types that have no locales. */
  twin(tie: Pick<Tie, 'uid' | 'target'>, locale: string): number | undefined;
  documentId(tie: Pick<Tie, 'uid' | 'target'>): string | undefined;
}

const versionOf = (type: ContentType, row: Row): string =>
  flatMapped(type.dimensions, ({ attribute: { name } }) =>
    name === localeAttribute ? [] : [String(row[name] === null)],
  ).join();

const keyOf = (type: ContentType, row: Row, locale: string): string =>
  `${type.uid} ${row['documentId']} ${versionOf(type, row)} ${locale}`;

/** Looks up what these links lead to: two statements for each type. */
export async function localeTwins(
  ties: readonly Tie[],
  transaction: StoreTransaction,
  registry: ContentRegistry,
): Promise<LocaleTwins> {
  const rows = new Map<string, Row>();
  const twins = new Map<string, number>();
  for (const uid of new Set(ties.map((tie) => tie.uid))) {
    const type = registry.types.get(uid);
    if (!type) continue;
    const names = ['id', 'documentId', ...type.dimensions.map(({ attribute }) => attribute.name)];
    const linked = await transaction.rows(
      type,
      { id: [...new Set(ties.filter((tie) => tie.uid === uid).map(({ target }) => target))] },
      names,
    );
    for (const row of linked) rows.set(`${uid} ${row['id']}`, row);
    if (!isLocalized(type.definition) || linked.length === 0) continue;
    const documentIds = [...new Set(linked.map((row) => String(row['documentId'])))];
    for (const row of await transaction.rows(type, { documentId: documentIds }, names))
      twins.set(keyOf(type, row, String(row[localeAttribute])), rowId(row));
  }
  const rowOf = ({ uid, target }: Pick<Tie, 'uid' | 'target'>): Row | undefined => rows.get(`${uid} ${target}`);
  return {
    twin(tie, locale) {
      const row = rowOf(tie);
      const type = registry.types.get(tie.uid);
      if (!row || !type) return undefined;
      return isLocalized(type.definition) ? twins.get(keyOf(type, row, locale)) : tie.target;
    },
    documentId: (tie) => rowOf(tie)?.['documentId'] as string | undefined,
  };
}
