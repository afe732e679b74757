import { Worker } from 'node:worker_threads';

/** What bcrypt is asked. */
type Question =
  | readonly ['hash', password: string, rounds: number]
  | readonly ['compare', password: string, hash: string];
type Answer = { readonly result: string | boolean } | { readonly problem: string };

/** Kept as text, so that it runs from sources and from the build alike. */
const source = `
  const { parentPort, workerData } = require('node:worker_threads');
  // On Linux alone, this is the priority of a thread and not of the whole process.
  const { getPriority, setPriority } = require('node:os');
  if (process.platform === 'linux') setPriority(0, Math.min(19, getPriority(0) + workerData.stepsBack));
  const bcrypt = require(workerData.bcrypt);
  const answer = ([what, password, other]) =>
    what === 'hash' ? bcrypt.hashSync(password, other) : bcrypt.compareSync(password, other);
  parentPort.on('message', (question) => {
    try {
      parentPort.postMessage({ result: answer(question) });
    } catch (error) {
      parentPort.postMessage({ problem: error.message });
    }
  });
`;

/** How far below the thread that answers requests, which then need not wait. */
const stepsBack = 10;

/** A thread that hashes one password at a time, while nobody else waits for it. */
export function createHashThread() {
  let worker: Worker | undefined;

  function start(): Worker {
    const made = new Worker(source, { eval: true, workerData: { stepsBack, bcrypt: require.resolve('bcrypt') } });
    made.once('exit', () => {
      if (worker === made) worker = undefined;
    });
    return made;
  }

  function ask(question: Question): Promise<string | boolean> {
    worker ??= start();
    const asked = worker;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        asked.off('message', answered).off('error', failed).off('exit', ended).unref();
      };
      const answered = (answer: Answer): void => {
        done();
        if ('problem' in answer) reject(new Error(answer.problem));
        else resolve(answer.result);
      };
      const failed = (error: Error): void => {
        done();
        reject(error);
      };
      const ended = (): void => failed(new Error('the thread that hashes passwords ended'));
      asked.on('message', answered).on('error', failed).on('exit', ended);
      // The process stays for an answer, and not for a thread that has nothing to do.
      asked.ref();
      asked.postMessage(question);
    });
  }

  return {
    hash: async (password: string, rounds: number): Promise<string> => String(await ask(['hash', password, rounds])),
    compare: async (password: string, hash: string): Promise<boolean> =>
      (await ask(['compare', password, hash])) === true,
    close: async (): Promise<void> => void (await worker?.terminate()),
  };
}

export type HashThread = ReturnType<typeof createHashThread>;
