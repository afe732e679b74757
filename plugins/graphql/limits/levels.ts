import {
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Selections inside each other, fragments written out: many times fewer than the stack has room for. */
export const mostLevels = 300;

export const tooManyLevels = (): GraphQLError =>
  new GraphQLError(`The document has too many levels. The maximum is ${mostLevels}.`);

/** In the words of the validation, which does not get to see such a document. */
function circleError(circle: readonly FragmentSpreadNode[]): GraphQLError {
  const names = circle.map((spread) => `"${spread.name.value}"`);
  const others = names.slice(0, -1);
  const via = others.length > 0 ? ` via ${others.join(', ')}` : '';
  return new GraphQLError(`Cannot spread fragment ${names.at(-1)} within itself${via}.`, { nodes: circle });
}

/**
 * Why nobody may go through the fragments of a document, if there is a reason: one of them stands within itself, or selections
 * stand inside each other on too many levels.
 */
export function levelError(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): GraphQLError | undefined {
  const known = new Map<SelectionSetNode, number>();
  /** What is being written out, and by which spreads one leads to the next. */
  const open: SelectionSetNode[] = [];
  const spreads: FragmentSpreadNode[] = [];
  let circle: readonly FragmentSpreadNode[] | undefined;

  /** Below `mostLevels` nothing is looked at: the stack might not suffice. */
  function ofSet({ selections }: SelectionSetNode, above: number): number {
    if (above > mostLevels) return 1;
    return 1 + Math.max(0, ...selections.map((selection) => ofSelection(selection, above + 1)));
  }
  function writtenOut(set: SelectionSetNode, above: number): number {
    const levels = known.get(set);
    if (levels !== undefined) return levels;
    open.push(set);
    const found = ofSet(set, above);
    open.pop();
    known.set(set, found);
    return found;
  }
  function ofSpread(spread: FragmentSpreadNode, above: number): number {
    const set = fragments.get(spread.name.value)?.selectionSet;
    if (!set) return 0;
    const first = open.indexOf(set);
    if (first >= 0) {
      circle ??= [...spreads.slice(first), spread];
      return 0;
    }
    spreads.push(spread);
    const found = writtenOut(set, above);
    spreads.pop();
    return found;
  }
  function ofSelection(selection: SelectionNode, above: number): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofSpread(selection, above);
    return selection.selectionSet ? ofSet(selection.selectionSet, above) : 0;
  }

  for (const set of sets) {
    const levels = writtenOut(set, 0);
    if (circle) return circleError(circle);
    if (levels > mostLevels) return tooManyLevels();
  }
  return undefined;
}
