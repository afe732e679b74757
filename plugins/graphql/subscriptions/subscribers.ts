import type { Context } from 'koa';
import type { Principal } from '../../../core';
import { contextOf, type DocumentParts } from '../endpoint';
import type { SubscriberContext } from './event-resolvers';
import type { SubscriptionOptions } from './options';

export interface SubscribersParts {
  readonly options: SubscriptionOptions;
  readonly access: DocumentParts;
  authenticate(http: Context): Promise<Principal>;
}

/** A connection over which events are told. */
export interface Subscriber {
  /** What its subscriptions know. */
  context(principal: Principal): SubscriberContext;
  /** To be called when the connection has ended. */
  ended(): void;
}

/** Counts connections, and ends them when the application does. */
export function createSubscribers({ options, access, authenticate }: SubscribersParts) {
  const all = new Set<() => void>();
  let isClosing = false;

  return {
    authenticate,
    /** A connection more, unless there are enough; `close` ends it in order, `drop` cuts it. */
    add(http: Context, close: () => void, drop: () => void): Subscriber | undefined {
      if (isClosing || all.size >= options.maxConnections) return undefined;
      const ends = new Set<() => void>();
      const end = (): void => {
        for (const one of ends) one();
        close();
      };
      all.add(end);
      return {
        context: (principal) => ({
          ...contextOf(http, principal, access),
          authenticate: () => authenticate(http),
          drop,
          ends,
        }),
        ended() {
          all.delete(end);
          for (const one of ends) one();
        },
      };
    },
    endAll(): void {
      isClosing = true;
      for (const end of all) end();
    },
  };
}

export type Subscribers = ReturnType<typeof createSubscribers>;
