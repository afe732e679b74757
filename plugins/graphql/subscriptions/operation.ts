import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { createErrorFormat } from '../answer/errors';
import { bracketError } from '../limits/brackets';
import type { CostLimit } from '../limits/cost';
import { mostTokens, sizeErrors } from '../limits/size';
import type { SubscriberContext } from './event-resolvers';

/** What a subscriber sends. */
export interface AskedSubscription {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

export interface SubscriptionJudgeParts {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
  readonly costLimit: CostLimit;
  readonly introspection: boolean;
  failed(error: unknown): void;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads and checks what subscribers send, within the limits that queries have. */
export function createSubscriptionJudge({ schema, rules, costLimit, introspection, failed }: SubscriptionJudgeParts) {
  const all = [...specifiedRules, ...rules, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  const format = createErrorFormat(failed);

  function judged(query: string, operationName: string | null | undefined): DocumentNode | readonly GraphQLError[] {
    const tooDeep = bracketError(query, mostTokens);
    if (tooDeep) return [tooDeep];
    let document: DocumentNode;
    try {
      document = parse(query, { maxTokens: mostTokens });
    } catch (error) {
      return [error as GraphQLError];
    }
    const tooLarge = sizeErrors(document);
    if (tooLarge.length > 0) return tooLarge;
    const errors = validate(schema, document, all, { maxErrors: 20 });
    if (errors.length > 0) return errors;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation === 'subscription') return document;
    return [new GraphQLError('Only subscriptions are answered here. Send queries and mutations by POST.')];
  }

  return {
    /** What is to be executed, or what is wrong with it. */
    prepare(asked: AskedSubscription, context: SubscriberContext): ExecutionArgs | readonly GraphQLError[] {
      const { query, operationName, variables } = asked;
      if (typeof query !== 'string' || (variables !== undefined && variables !== null && !isRecord(variables)))
        return [new GraphQLError('A subscription needs a query, and variables that are an object.')];
      const document = judged(query, operationName);
      if (!('kind' in document)) return document;
      const tooMuch = costLimit.refusalOf(document, getOperationAST(document, operationName)!, variables ?? {});
      if (tooMuch) return [tooMuch];
      return { schema, document, operationName, variableValues: variables, contextValue: context };
    },
    format: (errors: readonly GraphQLError[]): GraphQLFormattedError[] =>
      errors.map((error) => format(error.toJSON(), error)),
  };
}

export type SubscriptionJudge = ReturnType<typeof createSubscriptionJudge>;
