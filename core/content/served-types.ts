import type { ContentType } from './content-type';
import type { DocumentStore } from './store';

/** Types whose rows may be from a time when nobody served a dimension that they have. */
export interface NewlyServed {
  readonly types: readonly ContentType[];
  /** Whether it served others at the last start, and so not these: they had none of its values. */
  readonly servedOthers: boolean;
  /** Once they were made fit for it. */
  remember(): Promise<void>;
}

/** Those among the types which a dimension's attribute serves now that it did not serve at the last start. */
export async function newlyServed(
  { remembered }: Pick<DocumentStore, 'remembered'>,
  attribute: string,
  served: readonly ContentType[],
): Promise<NewlyServed> {
  const key = `served ${attribute}`;
  const before = await remembered?.read(key);
  const known = new Set(before === undefined ? [] : (JSON.parse(before) as string[]));
  const now = JSON.stringify(served.map(({ uid }) => uid).sort());
  return {
    servedOthers: known.size > 0,
    types: remembered ? served.filter(({ uid }) => !known.has(uid)) : [],
    remember: async () => {
      if (now !== before) await remembered?.write(key, now);
    },
  };
}
