import type { GraphQLSchema, ValidationRule } from 'graphql';
import { type Heddle, isOneOfWorkers, publicPrincipal } from '../../../core';
import type { GraphqlOptions } from '../config';
import type { DocumentParts } from '../endpoint';
import type { EventKind } from '../hooks';
import type { CostLimit } from '../limits/cost';
import { type Channel, localChannel, redisChannel } from './channel';
import { createEventStreams, type EventStreams } from './event-stream';
import { createSubscriptionJudge } from './operation';
import { createSubscribers, type Subscribers } from './subscribers';
import { eventKinds } from './subscription-types';
import { createWebSockets } from './web-socket';
import { workerChannel } from './worker-channel';

type Parts = Pick<Heddle, 'hooks' | 'log'> & { readonly options: GraphqlOptions };

interface Served {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
  readonly costLimit: CostLimit;
  readonly introspection: boolean;
  readonly access: DocumentParts;
}

/** Subscriptions, where they are switched on: what is told, how it gets here, and who hears of it. */
export function createSubscriptions({ hooks, log, options: { subscriptions: options, endpoint } }: Parts) {
  if (options === false) return undefined;
  const { redis } = options;
  let channel: Channel | undefined;
  let kinds: readonly EventKind[] | undefined;
  let subscribers: Subscribers | undefined;
  let taken: ReturnType<typeof createWebSockets> | undefined;

  function channelOf(): Channel {
    const among = isOneOfWorkers() ? workerChannel : localChannel;
    channel ??= redis === undefined ? among() : redisChannel(redis, log);
    return channel;
  }

  function kindsOf(): readonly EventKind[] {
    if (kinds) return kinds;
    const added: EventKind[] = [];
    hooks.graphql.events.call({ add: (kind) => added.push(kind) });
    kinds = eventKinds(added);
    return kinds;
  }

  hooks.document.committed.tapPromise('graphql', async ({ operation, documentId }) => {
    const { uid } = operation.type;
    for (const kind of kindsOf())
      if (kind.appliesTo(operation.type) && kind.isMadeBy(operation))
        channelOf().tell({ kind: kind.name, uid, documentId });
  });
  hooks.lifecycle.boot.tapPromise('graphql', () => channelOf().open());
  hooks.http.upgrade.tap('graphql', (request, socket, head) => taken?.(request, socket, head));
  hooks.http.draining.tap('graphql', () => subscribers?.endAll());

  return {
    kinds: kindsOf,
    parts: () => ({ channel: channelOf(), options }),
    /** Begins to answer; what it returns answers by server-sent events. */
    serve({ access, ...judged }: Served): EventStreams {
      const judge = createSubscriptionJudge({
        ...judged,
        failed: (error) => log.error({ err: error }, 'a GraphQL subscription failed'),
      });
      subscribers = createSubscribers({
        options,
        access,
        authenticate: async (http) => (await hooks.http.authenticate.promise(http)) ?? publicPrincipal,
      });
      taken = createWebSockets({ endpoint, judge, subscribers, options, log });
      return createEventStreams({ judge, subscribers, options, log });
    },
    close: async () => channel?.close(),
  };
}

export type Subscriptions = NonNullable<ReturnType<typeof createSubscriptions>>;
