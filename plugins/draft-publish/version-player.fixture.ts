import { HeddleError, type Operation, valuesIn } from '../../core';
import { documentShapes, type Link, partShapes, type Shape } from './linked-project.fixture';
import { type Stored, storedState } from './stored-state.fixture';
import type { Change, Step, Target, ToldNode } from './told-steps.fixture';
import type { VersionsApp } from './versions-app.fixture';

// For tests: plays told operations on an application.

const system = { rights: 'system' } as const;

export function createPlayer({ documents, registry, store, actions }: VersionsApp) {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();

  const typeOf = (name: string) => registry.get(`api::${name}.${name}`);

  function dataOf({ links, parts }: Shape, { values, links: changes, parts: held }: ToldNode): Record<string, unknown> {
    const refOf = (link: Link, { name, locale }: Target) => ({
      documentId: ids.get(`${link.to} ${name}`) ?? 'none',
      ...(locale && { locale }),
    });
    const changed = (link: Link, change: Change): unknown => {
      if ('set' in change) return { set: change.set.map((target) => refOf(link, target)) };
      return {
        disconnect: change.disconnect.map((target) => refOf(link, target)),
        connect: change.connect.map(({ target, position }) => {
          if (!('anchor' in position)) return { ...refOf(link, target), position: { [position.at]: true } };
          const { documentId, ...locale } = refOf(link, position.anchor);
          return { ...refOf(link, target), position: { [position.at]: documentId, ...locale } };
        }),
      };
    };
    return {
      ...values,
      ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, changed(links[name]!, change)])),
      ...Object.fromEntries(
        Object.entries(held).map(([name, told]) => {
          const list = told.map((part) => ({ __component: part.uid, ...dataOf(partShapes[part.uid]!, part) }));
          const isZone = parts[name]!.uids.length > 1;
          const own = isZone ? list : list.map(({ __component, ...rest }) => rest);
          return [name, parts[name]!.many ? own : (own[0] ?? null)];
        }),
      ),
    };
  }

  async function done(step: Step): Promise<void> {
    const type = typeOf(step.type);
    const known = `${step.type} ${step.name}`;
    const documentId = ids.get(known);
    const locale = step.locale === '-' ? undefined : step.locale;
    if (step.does === 'write') {
      const data = dataOf(documentShapes[step.type]!, step.body);
      const query = { parameters: { locale, status: step.draft ? 'draft' : undefined } };
      if (documentId !== undefined)
        return void (await documents.update({ action: 'update', type, documentId, query, data, ...system }));
      const made = await documents.create({ action: 'create', type, query, data, ...system });
      const created = String(valuesIn(made)[0]!['documentId']);
      ids.set(known, created);
      names.set(created, step.name);
      return undefined;
    }
    const operation: Operation = {
      action: step.does,
      type,
      documentId: documentId ?? 'none',
      query: { parameters: { locale } },
      ...system,
    };
    if (step.does === 'delete') await documents.remove(operation);
    else await actions.get(step.does)!.run(operation);
    return undefined;
  }

  return {
    idOf: (type: string, name: string): string => ids.get(`${type} ${name}`)!,
    nameOf: (documentId: string): string => names.get(documentId) ?? documentId,
    /** Answers `done`, or why the step was refused; errors that are no refusals are thrown. */
    async play(step: Step): Promise<string> {
      try {
        await done(step);
        return 'done';
      } catch (error) {
        if (error instanceof HeddleError && error.status < 500) return error.message;
        throw error;
      }
    },
    /** The next document of this name is a new one. */
    forget(type: string, name: string): void {
      ids.delete(`${type} ${name}`);
    },
    stored: (): Promise<Stored> => storedState(store, registry, (documentId) => names.get(documentId) ?? documentId),
    async clear(): Promise<void> {
      for (const type of registry.documents.filter(({ uid }) => uid.startsWith('api::'))) {
        const rows = await store.transaction(async (transaction) => transaction.rows(type, {}, ['documentId']));
        for (const id of new Set(rows.map((row) => String(row['documentId']))))
          await documents.remove({
            action: 'delete',
            type,
            documentId: id,
            query: { parameters: { locale: '*' } },
            ...system,
          });
      }
      ids.clear();
      names.clear();
    },
  };
}

export type Player = ReturnType<typeof createPlayer>;
