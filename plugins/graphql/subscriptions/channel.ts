import { z } from 'zod';
import { createOutage, type Logger } from '../../../core';
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

/** Drops a connection that does not answer within two seconds. */
const patience = {
  lazyConnect: true,
  connectTimeout: 2_000,
  socketTimeout: 2_000,
  disconnectTimeout: 200,
  maxRetriesPerRequest: 0,
};

/** Milliseconds between questions whether the connection that listens is still one. */
const pulse = 10_000;

/** Events on their way to Redis at once; further ones are told here only. */
const mostOnTheirWay = 10_000;

/** Events of all processes. While Redis is away, each hears of its own. */
export function redisChannel(redis: NonNullable<SubscriptionOptions['redis']>, log: Logger): Channel {
  const { Redis } = require('ioredis') as typeof import('ioredis');
  const here = localChannel();
  const self = `${process.pid}.${Math.random()}`;
  const client = () => (typeof redis === 'string' ? new Redis(redis, patience) : new Redis({ ...redis, ...patience }));
  const [sender, receiver] = [client(), client()];
  const unheard = createOutage(
    log,
    'Redis is away: subscribers hear only of what happens in this process',
    'Redis is back: subscribers hear of all processes again',
  );
  const untold = createOutage(
    log,
    'Redis takes no events: subscribers of other processes do not hear of what happens in this one',
    'Redis takes events again: subscribers of other processes hear of this one',
  );
  let onTheirWay = 0;
  let asking: NodeJS.Timeout | undefined;

  // Redis may come after the start, or go and come back.
  const subscribe = (): Promise<void> => receiver.subscribe(topic).then(unheard.worked, unheard.failed);
  sender.on('error', untold.failed);
  sender.on('ready', untold.worked);
  receiver.on('error', unheard.failed);
  receiver.on('ready', () => void subscribe());
  receiver.on('message', (_topic, text) => {
    const told = readMessage(text);
    if (!told) log.warn({ topic }, 'Redis tells something that is no event: does another program use this topic?');
    else if (told.from !== self) here.tell(told.event);
  });

  async function publish(event: DocumentEvent): Promise<void> {
    if (onTheirWay >= mostOnTheirWay) return untold.failed(new Error(`${onTheirWay} events are on their way to it`));
    onTheirWay += 1;
    try {
      await sender.publish(topic, JSON.stringify({ from: self, event }));
      untold.worked();
    } catch (error) {
      untold.failed(error);
    } finally {
      onTheirWay -= 1;
    }
  }

  return {
    tell(event) {
      here.tell(event);
      void publish(event);
    },
    listen: here.listen,
    async open() {
      const connected = [sender.connect().catch(untold.failed), receiver.connect().then(subscribe, unheard.failed)];
      await Promise.all(connected);
      asking = setInterval(() => void receiver.ping().catch(unheard.failed), pulse).unref();
    },
    async close() {
      clearInterval(asking);
      sender.disconnect();
      receiver.disconnect();
      await here.close();
    },
  };
}
