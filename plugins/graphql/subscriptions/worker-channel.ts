import cluster, { type Worker } from 'node:cluster';
import { type Channel, type DocumentEvent, localChannel } from './channel';

const topic = 'heddle:graphql:event';

interface Carried {
  readonly topic: typeof topic;
  readonly event: DocumentEvent;
}

const isCarried = (message: unknown): message is Carried =>
  typeof message === 'object' && message !== null && (message as Partial<Carried>).topic === topic;

/** Events that wait for one worker; one that takes no more is told of nothing until it does. */
const mostWaiting = 10_000;

/** In the primary of several workers: tells each what happens in the others. */
export function carryEvents(say: (text: string) => void): void {
  const waiting = new WeakMap<Worker, number>();
  const told = new WeakSet<Worker>();
  cluster.on('message', (from, message: unknown) => {
    if (!isCarried(message)) return;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (!worker || worker.id === from.id || !worker.isConnected()) continue;
      const before = waiting.get(worker) ?? 0;
      if (before >= mostWaiting) {
        if (!told.has(worker))
          say(`Worker ${worker.id} takes no more events of GraphQL subscriptions: its subscribers miss some.`);
        told.add(worker);
        continue;
      }
      waiting.set(worker, before + 1);
      worker.send(message, () => waiting.set(worker, waiting.get(worker)! - 1));
    }
  });
}

/** Events of all workers of one primary, which carries them. */
export function workerChannel(): Channel {
  const here = localChannel();
  const hear = (message: unknown): void => {
    if (isCarried(message)) here.tell(message.event);
  };
  return {
    tell(event) {
      here.tell(event);
      // A primary that is gone leaves its workers to end.
      if (process.connected) process.send!({ topic, event } satisfies Carried, () => undefined);
    },
    listen: here.listen,
    async open() {
      process.on('message', hear);
    },
    async close() {
      process.off('message', hear);
      await here.close();
    },
  };
}
