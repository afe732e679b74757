import type { Choice, ChoiceContext, Dimension, Row, TypeDefinition } from '../../core';

export const statusParameter = 'status';
export const publishedAt = 'publishedAt';

export const hasDrafts = ({ options }: TypeDefinition): boolean => options['draftAndPublish'] === true;

/** What a published version has that its draft has not. */
export const publishedNow = (): Row => ({ [publishedAt]: new Date().toISOString() });

const published: Choice = { present: true };
const draft: Choice = { present: false };

/** Anything but exactly `published` means the draft; saying nothing means the published version. */
export const wantsPublished = (given: unknown): boolean => given === undefined || given === 'published';

const shown = (given: unknown): Choice => (wantsPublished(given) ? published : draft);

/** Which version of a document: the draft, or the published one. Writes are made to the draft, deletions to both. */
export const status: Dimension = {
  name: 'status',
  parameter: statusParameter,
  attribute: { name: publishedAt, definition: { type: 'datetime' } },
  // A publication makes a new row in place of the former.
  replaces: true,
  appliesTo: hasDrafts,
  choose(given: unknown, { action }: ChoiceContext): Choice {
    if (action === 'delete') return { any: true };
    return action === 'create' || action === 'update' ? draft : shown(given);
  },
  // Drafts are work in progress: they are checked as a whole when they are published.
  sketches: () => true,
  // Documents that were made while nobody served versions have no draft.
  fitting: (given, rows) => (given === 'draft' && rows.every((row) => row[publishedAt] !== null) ? 'published' : given),
  show: shown,
  tie(given: unknown, source) {
    if (source !== undefined) return source === null ? draft : published;
    if (given === 'draft') return draft;
    return given === 'published' ? published : { any: true };
  },
};
