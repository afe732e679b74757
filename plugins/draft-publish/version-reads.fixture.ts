import { documentShapes } from './linked-project.fixture';
import { keyOf, type State } from './stored-state.fixture';
import { locales } from './told-steps.fixture';
import type { VersionsApp } from './versions-app.fixture';

// For tests: what reads show has to be what the tables hold, and no draft in what everyone can see.

type Shown = Readonly<Record<string, unknown>> & { readonly documentId: string };

const listed = (value: unknown): Shown[] => (Array.isArray(value) ? value : value === null ? [] : [value]) as Shown[];

/** Reads every type in every version and locale, with all links and with a filter through each, and compares. */
export async function checkReads(
  app: VersionsApp,
  state: State,
  nameOf: (documentId: string) => string,
): Promise<void> {
  for (const [type, { links, hasDrafts, isLocalized }] of Object.entries(documentShapes)) {
    const documents = app.documents.of(`api::${type}.${type}`);
    const { nested } = app.registry.get(`api::${type}.${type}`);
    for (const status of ['published', 'draft']) {
      for (const locale of isLocalized ? locales : ['-']) {
        const parameters = { status, ...(isLocalized && { locale }) };
        const own = hasDrafts ? status : 'published';
        const isShown = (key: string): boolean => {
          const [target, , , version] = key.split(' ');
          return !documentShapes[target!]!.hasDrafts || version === status;
        };
        const expected = [...state].filter(([key]) => key.startsWith(`${type} `) && key.endsWith(` ${locale} ${own}`));
        const shown = (await documents.find({ parameters, populate: Object.keys(links), sort: 'id' })) as Shown[];
        const told = shown.map((document) => {
          const lists = Object.entries(links).map(([attribute, { to }]) => [
            attribute,
            listed(document[attribute]).map((each) => `${to} ${nameOf(each.documentId)}`),
          ]);
          return [keyOf(type, nameOf(document.documentId), locale, own), Object.fromEntries(lists)];
        });
        const held = expected.map(([key, { lists }]) => {
          const visible = Object.keys(links).map((attribute) => [
            attribute,
            lists[attribute]!.filter(isShown).map((each) => each.split(' ').slice(0, 2).join(' ')),
          ]);
          return [key, Object.fromEntries(visible)];
        });
        expect(Object.fromEntries(told)).toEqual(Object.fromEntries(held));

        for (const attribute of Object.keys(links)) {
          if (!nested.has(attribute)) throw new Error(attribute);
          const found = (await documents.find({
            parameters,
            filters: { [attribute]: { title: { $eq: 'a' } } },
          })) as Shown[];
          const matching = expected.filter(([, { lists }]) =>
            lists[attribute]!.some((key) => isShown(key) && state.get(key)!.values['title'] === 'a'),
          );
          expect([
            attribute,
            parameters,
            found.map(({ documentId }) => keyOf(type, nameOf(documentId), locale, own)).sort(),
          ]).toEqual([attribute, parameters, matching.map(([key]) => key).sort()]);
        }
      }
    }
  }
}
