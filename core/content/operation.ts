import type { HeddleError } from '../errors';
import type { ContentType } from './content-type';
import type { AskedGroups } from './query/groups';
import type { Shown } from './query/shown';

/** The part of a list that is asked for. */
export interface Window {
  readonly start: number;
  readonly limit: number;
  /** Whether the number of all matching documents is asked for, too. */
  readonly total: boolean;
  /** What an answer told as the cursor of its next part, which is asked for in the place of `start`; empty for the first. */
  readonly cursor?: unknown;
  /** A mistake that is told only when nothing else is wrong. */
  readonly refused?: HeddleError;
}

/** What a request says about documents, as an adapter read it from its surface, unchecked. */
export interface DocumentQuery {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  /** What is shown key by key, in the place of `fields` and `populate`. */
  readonly shown?: Shown;
  /** Documents in groups, in the place of documents. */
  readonly groups?: AskedGroups;
  /** Text to look for in all readable attributes. */
  readonly search?: unknown;
  /** All parameters, from which dimensions take theirs. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * What plugins read from the parameters and add to the plan, each under its own name; requests that differ in it have
   * plans of their own.
   */
  readonly aspects?: Readonly<Record<string, string>>;
  /** Called after the keys were checked: throws what else an adapter refuses before it looks at values. */
  readonly refuse?: () => void;
  /** Called after the forms were checked, so that a wrong key or form is told before a wrong page. */
  readonly window?: () => Window;
}

/** One thing to be done with the documents of a type. */
export interface Operation {
  /** `find`, `findOne`, `create`, `update`, `delete`, or an action that a plugin brings. */
  readonly action: string;
  readonly type: ContentType;
  readonly documentId?: string;
  /** The row that it is about, where that is not what the parameters choose. */
  readonly row?: number;
  readonly query: DocumentQuery;
  /** What the caller may see; see Principal.rights. */
  readonly rights: string;
  /** Whether the caller may do something else that this operation entails; without it, everything. */
  readonly may?: (action: string) => boolean | Promise<boolean>;
}

export interface WriteOperation extends Operation {
  readonly data: Readonly<Record<string, unknown>>;
}
