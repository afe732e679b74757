import type { ContentRegistry, ContentType, DocumentStore, Nested, Row } from '../../core';

// For tests: what the tables hold, as plain data.

export interface Node {
  readonly values: Record<string, unknown>;
  /** Attribute → the keys of the linked rows, in order. */
  readonly lists: Record<string, string[]>;
  readonly parts: Record<string, Part[]>;
}

export interface Part extends Node {
  readonly uid: string;
}

/** `note n1 fr published` → what that row holds. */
export type State = Map<string, Node>;

export const keyOf = (type: string, name: string, locale: string, version: string): string =>
  `${type} ${name} ${locale} ${version}`;

const isLink = ({ storage }: Nested): boolean => storage === 'link';

function keyIn(type: ContentType, row: Row, nameOf: (documentId: string) => string): string {
  const locale = type.dimensions.some(({ name }) => name === 'locale') ? String(row['locale']) : '-';
  const drafts = type.dimensions.some(({ name }) => name === 'status');
  return keyOf(
    type.singularName,
    nameOf(String(row['documentId'])),
    locale,
    drafts && row['publishedAt'] === null ? 'draft' : 'published',
  );
}

export interface Stored {
  readonly state: State;
  /** What must not be: two rows of one variant, components that nothing or two things hold, links to nothing. */
  readonly faults: string[];
}

/** Everything in the store; the rows of documents by their names. */
export function storedState(
  store: DocumentStore,
  registry: ContentRegistry,
  nameOf: (documentId: string) => string,
): Promise<Stored> {
  return store.transaction(async (transaction) => {
    const faults: string[] = [];
    const state: State = new Map();
    const keys = new Map<string, string>();
    const nodes = new Map<string, Node>();
    const unheld = new Set<string>();
    const types = [...registry.types.values()].filter(
      ({ uid, modelKind }) => uid.startsWith('api::') || modelKind === 'component',
    );
    const idsOf = new Map<ContentType, number[]>();
    for (const type of types) {
      const rows = await transaction.rows(type, {});
      idsOf.set(
        type,
        rows.map(({ id }) => Number(id)),
      );
      for (const row of rows) {
        const here = `${type.uid} ${row['id']}`;
        const { title, code, text } = row;
        const isPart = type.modelKind === 'component';
        const node: Node = { values: isPart ? { text } : { title, code }, lists: {}, parts: {} };
        nodes.set(here, node);
        if (isPart) {
          Object.assign(node, { uid: type.uid });
          unheld.add(here);
          continue;
        }
        const key = keyIn(type, row, nameOf);
        if (state.has(key)) faults.push(`two rows of ${key}`);
        keys.set(here, key);
        state.set(key, node);
      }
    }
    for (const type of types) {
      for (const nested of type.nested.values()) {
        if (nested.storage === 'variants') continue;
        const ids = idsOf.get(type)!;
        const ties = ids.length > 0 ? await transaction.ties(type, nested, ids) : [];
        for (const id of ids) {
          const { lists, parts } = nodes.get(`${type.uid} ${id}`)!;
          if (isLink(nested)) lists[nested.name] = [];
          else parts[nested.name] = [];
        }
        for (const { owner, target, uid } of ties) {
          const { lists, parts } = nodes.get(`${type.uid} ${owner}`)!;
          const there = `${uid} ${target}`;
          if (!nodes.has(there))
            faults.push(`${type.uid}.${nested.name} of ${owner} leads to ${there}, which is not there`);
          else if (isLink(nested)) {
            const key = keys.get(there)!;
            if (lists[nested.name]!.includes(key))
              faults.push(`${type.uid}.${nested.name} of ${owner} leads to ${key} twice`);
            lists[nested.name]!.push(key);
          } else {
            if (!unheld.delete(there)) faults.push(`${there} is held twice`);
            parts[nested.name]!.push(nodes.get(there) as Part);
          }
        }
      }
    }
    for (const left of unheld) faults.push(`${left} is held by nothing`);
    return { state, faults };
  });
}
