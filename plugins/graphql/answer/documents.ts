import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { bracketError } from '../limits/brackets';
import { mostTokens, sizeErrors } from '../limits/size';

/** A document as it may be answered: valid, or too large to be looked at, or wrong, which others tell. */
export type JudgedDocument =
  | { readonly is: 'valid'; readonly document: DocumentNode }
  | { readonly is: 'oversized'; readonly errors: readonly GraphQLError[] }
  | { readonly is: 'wrong' };

/** Parses and validates documents with the rules of one schema. */
export function createJudge(schema: GraphQLSchema, rules: readonly ValidationRule[], introspection: boolean) {
  const all = [...specifiedRules, ...rules, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  return (text: string): JudgedDocument => {
    const tooDeep = bracketError(text, mostTokens);
    if (tooDeep) return { is: 'oversized', errors: [tooDeep] };
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: mostTokens });
    } catch {
      // Whoever answers mistakes reads it again, and tells where it can't be read.
      return { is: 'wrong' };
    }
    const errors = sizeErrors(document);
    if (errors.length > 0) return { is: 'oversized', errors };
    return validate(schema, document, all, { maxErrors: 1 }).length === 0 ? { is: 'valid', document } : { is: 'wrong' };
  };
}

export type Judge = ReturnType<typeof createJudge>;
