import cluster from 'node:cluster';

const mark = 'HEDDLE_WORKER';

/** What a primary that carries counts and events for its workers tells them. */
export const asWorker: Readonly<Record<string, string>> = { [mark]: '1' };

/** Whether this process has such a primary: an application may stand in a cluster of somebody else's, too. */
export const isOneOfWorkers = (): boolean => cluster.isWorker && process.env[mark] === asWorker[mark];
