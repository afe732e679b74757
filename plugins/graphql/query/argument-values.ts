import { type FieldNode, type GraphQLField, getArgumentValues, Kind, visit } from 'graphql';
import type { Variables } from './collected';

type Values = Readonly<Record<string, unknown>>;

/** What a field's arguments are, whatever the variables. */
export interface ArgumentsOf {
  readonly isConstant: boolean;
  (variables: Variables): Values;
}

function hasVariables(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? [])
    visit(argument, {
      [Kind.VARIABLE]() {
        found = true;
      },
    });
  return found;
}

/** Reads a field's arguments: once, where no variable stands in them. */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsOf {
  const isConstant = !hasVariables(node);
  const constant = isConstant ? getArgumentValues(field, node, {}) : undefined;
  const read = (variables: Variables): Values => constant ?? getArgumentValues(field, node, variables);
  return Object.assign(read, { isConstant });
}
