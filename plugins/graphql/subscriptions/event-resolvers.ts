import { HeddleError } from '../../../core';
import { failureOf } from '../answer/errors';
import type { FieldResolvers, GraphqlContext, Resolver } from '../hooks';
import type { DocumentAccess } from '../query/read';
import type { Channel, DocumentEvent } from './channel';
import { createEventQueue } from './event-queue';
import type { SubscriptionOptions } from './options';
import type { EventMeaning } from './subscription-types';

/** What resolvers of subscriptions know: who asks may lose rights while they listen. */
export interface SubscriberContext extends Omit<GraphqlContext, 'principal'> {
  principal: GraphqlContext['principal'];
  /** Who is asking now; throws for those who are nobody any more. */
  authenticate(): Promise<GraphqlContext['principal']>;
  /** Cuts the connection of a subscriber that does not listen. */
  drop(): void;
  /** Called when the connection ends. */
  readonly ends: Set<() => void>;
}

export interface EventResolverParts {
  readonly channel: Channel;
  readonly access: DocumentAccess;
  readonly options: SubscriptionOptions;
}

/** What an event comes to for a subscriber. */
type Told = { readonly document: unknown } | { readonly refusal: unknown };

const isRefused = (error: unknown): boolean =>
  error instanceof HeddleError && (error.name === 'ForbiddenError' || error.name === 'UnauthorizedError');

/** Tells a subscriber what happens, each document read as by itself, with the rights that there are at that moment. */
export function eventResolvers(
  { kind, read }: EventMeaning,
  findOne: Resolver,
  { channel, access, options }: EventResolverParts,
): FieldResolvers {
  function told(...[, args, given, info]: Parameters<Resolver>): AsyncIterableIterator<Told> {
    const context = given as unknown as SubscriberContext;
    const only = (args as { documentId?: string | null }).documentId;
    const queue = createEventQueue<DocumentEvent>(options.maxWaiting, context.drop);
    const stop = channel.listen(read.type.uid, kind.name, (event) => {
      if (only === undefined || only === null || only === event.documentId) queue.push(event);
    });
    context.ends.add(queue.end);

    function finish(): void {
      stop();
      queue.end();
      context.ends.delete(queue.end);
    }

    async function permit(): Promise<void> {
      context.principal = await context.authenticate();
      await access.permit(read, context.principal);
    }

    function documentOf({ documentId }: DocumentEvent): unknown {
      if (kind.isEnd) return { documentId };
      context.refusals.clear();
      const isSingle = read.type.modelKind === 'singleType';
      return findOne(undefined, { ...args, ...(!isSingle && { documentId }) }, given, info);
    }

    async function* events(): AsyncGenerator<Told> {
      try {
        for (;;) {
          const event = await queue.next(options.keepAlive);
          if (event === 'over') return;
          await permit();
          const document = event === 'idle' ? null : await documentOf(event);
          // In the variant that is asked for, there may be nothing to be told of.
          if (document !== null) yield { document };
        }
      } catch (error) {
        yield { refusal: isRefused(error) ? error : failureOf(error) };
      } finally {
        finish();
      }
    }

    // A generator that waits would hear only afterwards that nobody wants more.
    const inner = events();
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => inner.next(),
      return() {
        finish();
        return inner.return(undefined);
      },
    };
  }

  return {
    subscribe: async (...asked) => {
      const context = asked[2] as unknown as SubscriberContext;
      await access.permit(read, context.principal);
      return told(...asked);
    },
    resolve(event) {
      const it = event as Told;
      if ('refusal' in it) throw it.refusal;
      return it.document;
    },
  };
}
