import { z } from 'zod';
import type { Logger } from '../../../core';
import type { SubscriptionOptions } from './options';

/** Something that happened to a document. */
export interface DocumentEvent {
  readonly kind: string;
  readonly uid: string;
  readonly documentId: string;
}

type Listener = (event: DocumentEvent) => void;

/** Carries events to whoever listens, here and where this application runs besides. */
export interface Channel {
  tell(event: DocumentEvent): void;
  /** Answers how to stop listening. */
  listen(uid: string, kind: string, listener: Listener): () => void;
  /** Connects to where events of other processes come from. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const keyOf = ({ uid, kind }: Pick<DocumentEvent, 'uid' | 'kind'>): string => `${kind} ${uid}`;

export function localChannel(): Channel {
  const listeners = new Map<string, Set<Listener>>();
  return {
    tell(event) {
      for (const listener of listeners.get(keyOf(event)) ?? []) listener(event);
    },
    listen(uid, kind, listener) {
      const key = keyOf({ uid, kind });
      const known = listeners.get(key) ?? new Set();
      listeners.set(key, known.add(listener));
      return () => {
        known.delete(listener);
        if (known.size === 0 && listeners.get(key) === known) listeners.delete(key);
      };
    },
    open: async () => undefined,
    close: async () => listeners.clear(),
  };
}

const topic = 'heddle:graphql:events';

const messageSchema = z.object({
  from: z.string(),
  event: z.object({ kind: z.string(), uid: z.string(), documentId: z.string() }),
});

function readMessage(text: string): z.infer<typeof messageSchema> | undefined {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Events of all processes. While Redis is away, each hears of its own. */
export function redisChannel(redis: NonNullable<SubscriptionOptions['redis']>, log: Logger): Channel {
  const { Redis } = require('ioredis') as typeof import('ioredis');
  const here = localChannel();
  const self = `${process.pid}.${Math.random()}`;
  const patience = { lazyConnect: true, connectTimeout: 2_000, disconnectTimeout: 200, maxRetriesPerRequest: 0 };
  const client = () => (typeof redis === 'string' ? new Redis(redis, patience) : new Redis({ ...redis, ...patience }));
  let isAway = false;

  function away(error: unknown): void {
    if (isAway) return;
    isAway = true;
    const { code, message } = error as NodeJS.ErrnoException;
    log.warn({ reason: code ?? message }, 'Redis is away: subscribers hear only of what happens in this process');
  }

  const [sender, receiver] = [client(), client()];
  for (const one of [sender, receiver]) one.on('error', away);
  // Redis may come after the start, or go and come back.
  async function subscribe(): Promise<void> {
    await receiver.subscribe(topic);
    if (isAway) log.info({}, 'Redis is back: subscribers hear of all processes again');
    isAway = false;
  }
  receiver.on('ready', () => void subscribe().catch(away));
  receiver.on('message', (_topic, text) => {
    const told = readMessage(text);
    if (!told) log.warn({ topic }, 'Redis tells something that is no event: does another program use this topic?');
    else if (told.from !== self) here.tell(told.event);
  });

  return {
    tell(event) {
      here.tell(event);
      sender.publish(topic, JSON.stringify({ from: self, event })).catch(away);
    },
    listen: here.listen,
    async open() {
      await Promise.all([sender.connect(), receiver.connect()]).then(subscribe).catch(away);
    },
    async close() {
      sender.disconnect();
      receiver.disconnect();
      await here.close();
    },
  };
}
