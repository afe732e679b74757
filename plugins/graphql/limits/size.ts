import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { levelError } from './levels';

/** What one document may hold; far more than applications ask for, and little enough to be looked through at once. */
export const mostTokens = 20_000;
const mostAliases = 200;
const mostFields = 5_000;
const mostAlike = 50;

const refused = (message: string): GraphQLError => new GraphQLError(message);

/** How many fields a selection comes to when its fragments are written out. */
function createFieldCount(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, number>();
  const ofSet = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => sum + ofSelection(selection), 0);
  function ofFragment(name: string): number {
    const count = known.get(name);
    if (count !== undefined) return count;
    const found = ofSet(fragments.get(name)?.selectionSet);
    known.set(name, found);
    return found;
  }
  function ofSelection(selection: SelectionNode): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    return (selection.kind === Kind.FIELD ? 1 : 0) + ofSet(selection.selectionSet);
  }
  return ofSet;
}

/** Aliases in a selection as it is written, and the most fields of one key that stand next to each other. */
function writtenIn(set: SelectionSetNode): { aliases: number; alike: number } {
  const keys = new Map<string, number>();
  let aliases = 0;
  let alike = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      if (selection.alias) aliases += 1;
      keys.set(key, (keys.get(key) ?? 0) + 1);
      alike = Math.max(alike, keys.get(key)!);
    }
    const inner = 'selectionSet' in selection && selection.selectionSet ? writtenIn(selection.selectionSet) : undefined;
    aliases += inner?.aliases ?? 0;
    alike = Math.max(alike, inner?.alike ?? 0);
  }
  return { aliases, alike };
}

/** What makes a document too large to be validated: told before its fields are compared with each other. */
export function sizeErrors({ definitions }: DocumentNode): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const executable = definitions.filter(
    (definition): definition is OperationDefinitionNode | FragmentDefinitionNode => 'selectionSet' in definition,
  );
  const sets = executable.map(({ selectionSet }) => selectionSet);
  // Before anything else goes through fragments.
  const endless = levelError(sets, fragments);
  if (endless) return [endless];
  const count = createFieldCount(fragments);
  const written = sets.map(writtenIn);
  const aliases = written.reduce((sum, each) => sum + each.aliases, 0);
  const alike = Math.max(0, ...written.map((each) => each.alike));
  const fields = sets.reduce((sum, set) => sum + count(set), 0);
  if (aliases > mostAliases) return [refused(`The document has ${aliases} aliases. The maximum is ${mostAliases}.`)];
  if (alike > mostAlike) return [refused(`The document asks ${alike} times for one key. The maximum is ${mostAlike}.`)];
  if (fields > mostFields) return [refused(`The document asks for too many fields. The maximum is ${mostFields}.`)];
  return [];
}
