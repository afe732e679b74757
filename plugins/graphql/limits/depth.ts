import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** Too deep a document is told by so many places of it. */
const mostTold = 20;

/** Refuses fields that stand more than so many levels below a root field. */
export function depthRule(most: number): ValidationRule {
  return (context: ValidationContext): ASTVisitor => {
    const known = new Map<string, number>();

    /** Levels of a selection. */
    const depthOf = (set: SelectionSetNode | undefined): number =>
      Math.max(0, ...(set?.selections ?? []).map((selection) => depthOfOne(selection)));
    function depthOfFragment(fragment: FragmentDefinitionNode | null | undefined): number {
      if (!fragment) return 0;
      const { value } = fragment.name;
      if (!known.has(value)) known.set(value, depthOf(fragment.selectionSet));
      return known.get(value)!;
    }
    function depthOfOne(selection: SelectionNode): number {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return depthOfFragment(context.getFragment(selection.name.value));
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
      return selection.name.value.startsWith('__') ? 0 : 1 + depthOf(selection.selectionSet);
    }

    let told = 0;
    function tell(set: SelectionSetNode | undefined, above: number, operation: string): void {
      for (const selection of set?.selections ?? []) {
        if (told >= mostTold || above + depthOfOne(selection) <= most + 1) continue;
        if (selection.kind === Kind.FRAGMENT_SPREAD)
          tell(context.getFragment(selection.name.value)?.selectionSet, above, operation);
        else if (selection.kind === Kind.INLINE_FRAGMENT) tell(selection.selectionSet, above, operation);
        else if (above > most) {
          told += 1;
          context.reportError(
            new GraphQLError(`'${operation}' exceeds maximum operation depth of ${most}`, { nodes: [selection] }),
          );
        } else tell(selection.selectionSet, above + 1, operation);
      }
    }

    return {
      OperationDefinition: ({ selectionSet, name }) => tell(selectionSet, 0, name?.value ?? ''),
    };
  };
}
