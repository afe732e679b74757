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

/** Stands where the parameter would, for a read that is about either version. No request can say it: it is known by itself. */
export const eitherVersion: object = Object.freeze({});

/** Which version of a document: the draft, or the published one. Writes are made to the draft, deletions to both. */
export const status: Dimension = {
  name: 'status',
  parameter: statusParameter,
  attribute: { name: publishedAt, definition: { type: 'datetime' } },
  // A publication makes a new row in place of the former.
  replaces: true,
  appliesTo: hasDrafts,
  choose(given: unknown, { action }: ChoiceContext): Choice {
    if (action === 'delete' || given === eitherVersion) return { any: true };
    return action === 'create' || action === 'update' ? draft : shown(given);
  },
  // Drafts are work in progress: they are checked as a whole when they are published.
  sketches: () => true,
  show: shown,
  tie(given: unknown, source) {
    if (source !== undefined) return source === null ? draft : published;
    if (given === 'draft') return draft;
    return given === 'published' ? published : { any: true };
  },
};
