import { setImmediate as nextTurn } from 'node:timers/promises';
import { undoneByDatabase } from './failures';
import type { Queue } from './queue';

/** The connection that writes, as far as transactions go. */
export interface Writer {
  /** Begins a transaction once no other process writes; who has waited until then is refused. */
  begin(until: number): Promise<void>;
  exec(sql: string): void;
  /** False once the database has undone a transaction by itself, as it does when the disk is full. */
  inTransaction(): boolean;
}

/** A writer's turn on the connection. It ends in one of the two ways. */
export interface Turn {
  /** Answers when what was written is committed; fails if that fails. */
  keep(): Promise<void>;
  /** Takes back what was written in this turn, and nothing else. */
  undo(): void;
}

interface Entrant {
  readonly until: number;
  begins(turn: Turn): void;
  refused(error: unknown): void;
}

interface Written {
  committed(): void;
  failed(error: unknown): void;
}

/** One by one, for who looks at statements knows what each of them does alone. */
const undoingTurn = ['rollback to turn', 'release turn'];

/** One commit is for as many writers at most, and for those that came within so many milliseconds. */
const mostTogether = 64;
const longestTogether = 20;

/** What a request that lies in its socket takes to come here: one turn to be read, another to know who sent it. */
const turnsToArrive = 2;

/**
 * Writers take turns, and those that come while others write share one transaction and one commit, which is what takes
 * the time: a disk has to say that it has it. Each is undone alone, and none is told of success before that commit.
 *
 * When a writer has written, the others' requests are most often still in their sockets, for a write hardly ever waits
 * for anything. So the commit waits for them, as many turns of the event loop as they need: where nobody is, that takes no
 * time.
 */
export function createSharedCommit(queue: Queue, writer: Writer): { enter(until: number): Promise<Turn> } {
  const waiting: Entrant[] = [];
  let isServing = false;
  let endWatch: (() => void) | undefined;

  function takeBackAll(): void {
    if (writer.inTransaction()) writer.exec('rollback');
  }

  /** Lets one write, and waits until its turn ends. The first one needs no savepoint: all there is, is its own. */
  async function serve({ until, begins, refused }: Entrant, written: Written[]): Promise<void> {
    const isFirst = written.length === 0;
    try {
      if (isFirst) {
        takeBackAll();
        await writer.begin(until);
      } else writer.exec('savepoint turn');
    } catch (error) {
      refused(error);
      return;
    }
    await new Promise<void>((ended) => {
      begins({
        keep: () =>
          new Promise((committed, failed) => {
            try {
              if (!writer.inTransaction()) throw undoneByDatabase();
              if (!isFirst) writer.exec('release turn');
              written.push({ committed, failed });
            } catch (error) {
              failed(error);
            } finally {
              ended();
            }
          }),
        undo() {
          try {
            if (writer.inTransaction()) for (const sql of isFirst ? ['rollback'] : undoingTurn) writer.exec(sql);
          } finally {
            ended();
          }
        },
      });
    });
  }

  /** What others had written is gone with the turn in which the database gave up: it is theirs to do again. */
  function dropUndone(written: Written[]): void {
    if (written.length === 0 || writer.inTransaction()) return;
    for (const { failed } of written.splice(0)) failed(undoneByDatabase());
  }

  function commit(written: readonly Written[]): void {
    if (written.length === 0) return;
    try {
      writer.exec('commit');
    } catch (error) {
      for (const { failed } of written) failed(error);
      try {
        takeBackAll();
      } catch {
        // Those who wrote know that nothing is kept. Whoever begins next takes it back, or is refused with the reason.
      }
      return;
    }
    for (const { committed } of written) committed();
  }

  async function serveTogether(): Promise<void> {
    const written: Written[] = [];
    const latest = performance.now() + longestTogether;
    let turns = 0;
    const isOver = (): boolean => turns >= mostTogether || queue.isAwaited || performance.now() > latest;
    do {
      for (let next = waiting.shift(); next; next = isOver() ? undefined : waiting.shift()) {
        turns += 1;
        await serve(next, written);
        dropUndone(written);
      }
      if (written.length > 0)
        for (let turn = 0; turn < turnsToArrive && waiting.length === 0 && !isOver(); turn++) await nextTurn();
    } while (waiting.length > 0 && !isOver());
    commit(written);
  }

  function refuseWaiting(error: Error): void {
    for (const { refused } of waiting.splice(0)) refused(error);
  }

  /** To be called once somebody waits. */
  function watch(): void {
    endWatch ??= queue.watch(refuseWaiting);
  }

  async function serveAll(): Promise<void> {
    isServing = true;
    if (queue.isTaken) watch();
    try {
      while (waiting.length > 0) {
        const leave = await queue.enter();
        try {
          await serveTogether();
        } finally {
          leave();
        }
      }
    } finally {
      endWatch?.();
      endWatch = undefined;
      isServing = false;
    }
  }

  return {
    enter: (until) =>
      new Promise((begins, refused) => {
        waiting.push({ until, begins, refused });
        if (isServing) watch();
        else void serveAll();
      }),
  };
}
