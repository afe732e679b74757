import type { FieldNode } from 'graphql';
import {
  type ContentType,
  type DocumentQuery,
  type Documents,
  type Given,
  HeddleError,
  type Operation,
  type Principal,
  RefusedEntry,
  type Shown,
  type StoreAnswer,
} from '../../../core';
import type { RootArgument } from '../hooks';
import type { RootMeaning } from '../schema/meaning';
import type { Variables } from './collected';
import { filtersFrom } from './filters';
import { type Page, type PageLimits, pageFrom } from './page';
import type { SelectedDocuments } from './select';

export type Values = Readonly<Record<string, unknown>>;

/** What reads and writes need besides what is asked. */
export interface Surroundings {
  readonly documents: Documents;
  readonly limits: PageLimits;
  readonly rootArguments: readonly RootArgument[];
  typeOf(uid: string): ContentType | undefined;
  /** Whether somebody may do something. */
  mayDo(principal: Principal, action: string): Promise<boolean>;
}

/** What a root field shows of documents, under a name of its own where that is kept. */
export interface NamedSelection extends SelectedDocuments {
  readonly shape?: string;
}

export const forbiddenAccess = (): HeddleError => new HeddleError('ForbiddenError', 'Forbidden access', {});

/** What is wrong, as it is told over GraphQL. */
export const asTold = <Thrown>(error: Thrown): Thrown | HeddleError =>
  error instanceof HeddleError && error.name === 'ForbiddenError' ? forbiddenAccess() : error;

/** What is asked of each list inside, now that the variables are known. */
function givenOf({ given }: NamedSelection, variables: Variables): Given[] {
  return given.map((read, index) => {
    try {
      return read(variables);
    } catch (error) {
      throw error instanceof HeddleError ? new RefusedEntry(index, error) : error;
    }
  });
}

export const shownOf = (selection: NamedSelection, variables: Variables): Shown => ({
  shape: selection.shape,
  entries: selection.entries,
  given: givenOf(selection, variables),
});

/** The actions that a root field takes to be allowed. */
export const scopeOf = ({ permission, scope }: Pick<RootMeaning, 'permission' | 'scope'>): readonly string[] =>
  scope ?? [permission];

/** Reads and writes documents as root fields say. */
export function createDocumentAccess({ documents, limits, rootArguments, typeOf, mayDo }: Surroundings) {
  async function permit(meaning: Pick<RootMeaning, 'permission' | 'scope'>, principal: Principal): Promise<void> {
    for (const action of scopeOf(meaning)) if (!(await mayDo(principal, action))) throw forbiddenAccess();
  }

  function parametersOf(type: ContentType, use: 'read' | 'write' | 'delete', values: Values): Values {
    const parameters: Record<string, unknown> = {};
    for (const { name, parameter, toParameter, takesNull, appliesTo } of rootArguments) {
      const value = values[name];
      const isSaid = value !== undefined && (value !== null || takesNull === use);
      if (!isSaid || !appliesTo(type, use)) continue;
      parameters[parameter] = toParameter ? toParameter(value) : value;
    }
    return parameters;
  }

  function operation(
    action: string,
    { type }: RootMeaning,
    principal: Principal,
    documentId: unknown,
    query: DocumentQuery,
  ): Operation {
    return {
      action,
      type,
      rights: principal.rights,
      may: (entailed) => mayDo(principal, entailed),
      query,
      ...(documentId !== undefined && { documentId: String(documentId) }),
    };
  }

  return {
    permit,
    parametersOf,
    operation,
    /** One document, or the one of a single type. */
    findOne(meaning: RootMeaning, principal: Principal, values: Values, shown: Shown): Promise<StoreAnswer> {
      const parameters = parametersOf(meaning.type, 'read', values);
      return documents.read(operation('findOne', meaning, principal, values['documentId'], { shown, parameters }));
    },
    /** A page of documents, with how many there are where that is asked for. */
    async find(
      meaning: RootMeaning,
      principal: Principal,
      values: Values,
      shown: Shown | 'none',
      total: boolean,
    ): Promise<{ answer: StoreAnswer; page: Page }> {
      const { type } = meaning;
      const page = pageFrom(values['pagination'], limits);
      const query: DocumentQuery = {
        filters: filtersFrom(type, values['filters'], typeOf),
        sort: values['sort'],
        shown: shown === 'none' ? { shape: 'none', entries: [], given: [] } : shown,
        parameters: parametersOf(type, 'read', values),
        window: () => ({ start: page.start, limit: shown === 'none' ? 0 : page.limit, total }),
      };
      return { answer: await documents.read(operation('find', meaning, principal, undefined, query)), page };
    },
  };
}

export type DocumentAccess = ReturnType<typeof createDocumentAccess>;

/** The node of a list that is asked for something wrong. */
export const refusedNode = ({ nodes }: SelectedDocuments, { given }: RefusedEntry): FieldNode => nodes[given]!;
