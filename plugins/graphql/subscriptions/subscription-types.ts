import type { ContentType } from '../../../core';
import type { EventKind } from '../hooks';
import { namesOf } from '../names';
import type { RootMeaning } from '../schema/meaning';
import { block } from '../schema/type-writer';

/** What a field of the type Subscription tells of. */
export interface EventMeaning {
  readonly kind: EventKind;
  /** How the document is read that is told. */
  readonly read: RootMeaning;
}

const ofWrites: readonly EventKind[] = (['create', 'update', 'delete'] as const).map((action) => ({
  name: `${action[0]!.toUpperCase()}${action.slice(1)}d`,
  isEnd: action === 'delete',
  appliesTo: () => true,
  isMadeBy: (operation) => operation.action === action,
}));

/** All kinds of events: of what adapters do themselves, and of what plugins add. */
export const eventKinds = (added: readonly EventKind[]): readonly EventKind[] => [...ofWrites, ...added];

export interface SubscriptionTypesOptions {
  readonly kinds: readonly EventKind[];
  readonly types: readonly ContentType[];
  serves(type: ContentType): boolean;
  /** Arguments that select variants of what is read. */
  selecting(type: ContentType): readonly string[];
  outputOf(type: ContentType): string;
  permission(type: ContentType): string;
}

/** Fields that tell what happens to documents, for each type that can be found. */
export function subscriptionTypes(options: SubscriptionTypesOptions) {
  const meanings = new Map<string, EventMeaning>();
  const fields: string[] = [];
  for (const type of options.types) {
    if (!options.serves(type)) continue;
    const { one } = namesOf(type);
    const own = type.modelKind === 'singleType' ? [] : ['documentId: ID'];
    for (const kind of options.kinds.filter((each) => each.appliesTo(type))) {
      const args = [...own, ...(kind.isEnd ? [] : options.selecting(type))];
      const answer = kind.isEnd ? 'DeleteMutationResponse' : options.outputOf(type);
      fields.push(`${one}${kind.name}${args.length > 0 ? `(${args.join(', ')})` : ''}: ${answer}`);
      const permission = options.permission(type);
      meanings.set(`${one}${kind.name}`, { kind, read: { type, does: 'findOne', permission } });
    }
  }
  return { typeDefs: fields.length > 0 ? block('type Subscription', fields) : '', meanings };
}
