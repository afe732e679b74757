import { madeOf } from '../lasting-bytes';
import type { ShownDocument } from './hooks';
import type { StoreAnswer } from './store';

// Answers travel as the bytes that are sent: a text of JavaScript would be made of them only to be made bytes again.

/** What an answer holds, as values. */
export const valuesIn = <T = ShownDocument>({ json }: Pick<StoreAnswer, 'json'>): T[] =>
  JSON.parse(json.toString()) as T[];

/** Values as an answer holds them. */
export const asJson = (values: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(values));

/** The one document of an answer, spelt as JSON; undefined for none. */
export const onlyDocument = ({ json, count }: StoreAnswer): Buffer | undefined =>
  count === 0 ? undefined : madeOf(json, 'document', () => json.subarray(1, -1));

/** Texts and bytes, one behind the other. */
export const joinedBytes = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
