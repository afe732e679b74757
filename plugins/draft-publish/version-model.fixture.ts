import { HeddleError } from '../../core';
import { documentShapes } from './linked-project.fixture';
import { createBodies } from './model-bodies.fixture';
import { createRows, inVersion, placed, Refused, type Row, type Version } from './model-rows.fixture';
import { keyOf, type Node, type Part, type State } from './stored-state.fixture';
import type { Step, ToldNode, VersionChange, Write } from './told-steps.fixture';

// For tests: what a sequence of operations has to come to, on plain data and one row after the other.

export function createModel() {
  const table = createRows();
  const { rows, linksOf, added, keyOfRow, rowsOf, relink, remove, there, mappedTo, toLocale, copiedParts } = table;
  const { applyBody } = createBodies(table);

  /**
   * Makes one version what the other is, as far as what it links is there in that version. Of a new document both versions
   * stand at the ends of the lists that they come to.
   */
  function copy(
    from: Row,
    into: Row,
    keeping: (attribute: string, list: string[]) => string[],
    isNewDocument = false,
  ): void {
    const map = mappedTo(into.version);
    const behindOthers = (target: Row, inverse: string): string[] => {
      const seen = rows.get(inVersion(keyOfRow(target), from.version))!.lists[inverse]!;
      const at = seen.indexOf(keyOfRow(from));
      const before = seen
        .slice(0, at)
        .flatMap((key) =>
          rows.get(keyOfRow(target)) === rows.get(inVersion(keyOfRow(target), from.version)) ? [key] : map([key]),
        );
      // Where a row is linked by both versions, they stand beside each other.
      return target.lists[inverse]!.includes(keyOfRow(from)) ? [...before, keyOfRow(from)] : before;
    };
    into.values = { ...from.values };
    for (const [attribute] of linksOf(from.type))
      relink(
        into,
        attribute,
        keeping(attribute, map(from.lists[attribute]!)),
        isNewDocument ? undefined : behindOthers,
      );
  }

  function publish(draft: Row, isNewDocument = false): void {
    if (draft.values['title'] === null) throw new Refused('no title');
    const { type, name, locale } = draft;
    const key = keyOf(type, name, locale, 'published');
    const row = rows.get(key) ?? added(type, name, locale, 'published');
    row.born = table.nextBirth();
    copy(draft, row, (_attribute, list) => list, isNewDocument);
    row.parts = copiedParts(draft.parts, mappedTo('published'));
    join(keyOfRow(draft), key);
  }

  /** What is published appears wherever a draft links it. */
  function join(draft: string, published: string): void {
    const joinNode = (from: Node, into: Node, isSame: boolean, ofType: string | undefined): void => {
      for (const [attribute, keys] of Object.entries(from.lists)) {
        const link = ofType === undefined ? undefined : documentShapes[ofType]!.links[attribute];
        const list = into.lists[attribute]!;
        if (link?.inverse !== undefined || !keys.includes(draft) || list.includes(published)) continue;
        const isMany = link ? link.many : attribute === 'sources';
        if (!isMany && !isSame && list.length > 0) continue;
        const before = keys.slice(0, keys.indexOf(draft));
        into.lists[attribute] = placed(list, published, isSame ? [...before, draft] : mappedTo('published')(before));
      }
      for (const [attribute, parts] of Object.entries(from.parts)) {
        for (const [index, part] of parts.entries()) {
          const counterpart = into.parts[attribute]![index];
          if (counterpart?.uid === part.uid) joinNode(part, counterpart, isSame, undefined);
        }
      }
    };
    for (const [key, row] of rows) {
      const twin = rows.get(inVersion(key, 'published'));
      if (twin && (row.version === 'draft' || twin === row)) joinNode(row, twin, twin === row, row.type);
    }
  }

  /** What a draft links and nobody can see yet stays linked, in its place. */
  function withUnpublished(list: string[], before: readonly string[], isMany: boolean): string[] {
    const kept = before.filter((key) => there(inVersion(key, 'published')).length === 0);
    if (!isMany && list.length > 0) return list;
    return kept.reduce(
      (all, key) => (all.includes(key) ? all : placed(all, key, before.slice(0, before.indexOf(key)))),
      list,
    );
  }

  function keptInParts(parts: Record<string, Part[]>, before: Record<string, Part[]>): void {
    for (const [attribute, list] of Object.entries(parts)) {
      for (const [index, part] of list.entries()) {
        const former = before[attribute]![index];
        if (former?.uid !== part.uid) continue;
        for (const name of Object.keys(part.lists))
          part.lists[name] = withUnpublished(part.lists[name]!, former.lists[name]!, name === 'sources');
        keptInParts(part.parts, former.parts);
      }
    }
  }

  function discard(draft: Row): void {
    const published = rows.get(inVersion(keyOfRow(draft), 'published'));
    if (!published) return;
    const before = structuredClone(draft.lists);
    const parts = copiedParts(published.parts, mappedTo('draft'));
    copy(published, draft, (attribute, list) =>
      withUnpublished(list, before[attribute]!, documentShapes[draft.type]!.links[attribute]!.many),
    );
    keptInParts(parts, draft.parts);
    draft.parts = parts;
  }

  /** What is the same in all locales follows what was written. */
  function share(type: string, name: string, locale: string, version: Version): void {
    if (!documentShapes[type]!.isLocalized) return;
    const own = rows.get(keyOf(type, name, locale, documentShapes[type]!.hasDrafts ? version : 'published'));
    if (!own) return;
    for (const row of rowsOf(type, name)) {
      if (row === own || row.version !== own.version) continue;
      row.values['code'] = own.values['code'];
      if (type !== 'note') continue;
      const { facts } = copiedParts({ facts: own.parts['facts']! }, toLocale(row.locale));
      const back = copiedParts({ facts: row.parts['facts']! }, toLocale(own.locale))['facts'];
      if (JSON.stringify(back) !== JSON.stringify(own.parts['facts'])) row.parts['facts'] = facts!;
    }
  }

  /** A document that is there in other locales gets one more. */
  function inherited({ type, name, locale, draft, body }: Write): ToldNode & { copied?: Part[] } {
    const shape = documentShapes[type]!;
    const siblings = rowsOf(type, name).sort((a, b) => a.born - b.born);
    const { code } = body.values;
    if (code !== undefined && code !== null && siblings.some(({ values }) => values['code'] !== null))
      throw new Refused('code is the same in all locales');
    const wanted: Version = shape.hasDrafts && draft ? 'draft' : 'published';
    const rank = (row: Row): number => (row.version === wanted ? 0 : 2) + (row.locale === 'en' ? 0 : 1);
    const source = [...siblings].sort((a, b) => rank(a) - rank(b))[0]!;
    const copied =
      body.parts['facts'] || type !== 'note'
        ? undefined
        : copiedParts({ facts: source.parts['facts']! }, (keys) => toLocale(locale)(mappedTo('draft')(keys)))['facts'];
    return { ...body, values: { ...body.values, code: code ?? source.values['code'] }, copied };
  }

  function write(told: Write): void {
    const { type, name, locale, draft } = told;
    const { hasDrafts } = documentShapes[type]!;
    const version: Version = hasDrafts ? 'draft' : 'published';
    const isNew = !rows.has(keyOf(type, name, locale, version));
    const isNewDocument = rowsOf(type, name).length === 0;
    const body: ToldNode & { copied?: Part[] } = isNew && !isNewDocument ? inherited(told) : told.body;
    const row = isNew ? added(type, name, locale, version) : rows.get(keyOf(type, name, locale, version))!;
    applyBody(row, body, isNew);
    if (body.copied) row.parts['facts'] = body.copied;
    if (hasDrafts && !draft) publish(row, isNewDocument);
    share(type, name, locale, draft ? 'draft' : 'published');
  }

  function changeVersion({ does, type, name, locale }: VersionChange): void {
    if (does === 'delete') {
      for (const row of rowsOf(type, name)) if (row.locale === locale) remove(row);
      return;
    }
    const draft = rows.get(keyOf(type, name, locale, 'draft'));
    if (!draft) throw new Refused('not there');
    if (does === 'publish') publish(draft);
    else if (does === 'discardDraft') discard(draft);
    else for (const row of there(inVersion(keyOfRow(draft), 'published'))) remove(rows.get(row)!);
    if (does !== 'unpublish') share(type, name, locale, does === 'publish' ? 'published' : 'draft');
  }

  return {
    /** Whether a step is done; one that is refused changes nothing. */
    play(step: Step): boolean {
      try {
        table.undoing(() => (step.does === 'write' ? write(step) : changeVersion(step)));
        return true;
      } catch (error) {
        if (error instanceof Refused || error instanceof HeddleError) return false;
        throw error;
      }
    },
    state: (): State => new Map([...rows].map(([key, { values, lists, parts }]) => [key, { values, lists, parts }])),
    exists: (type: string, name: string): boolean => rowsOf(type, name).length > 0,
  };
}
