import { createEndsOfTurns } from '../event-turns';

/** Readings of one name that may be under way at once, so that two clients never wait for each other. */
const mostUnderWay = 2;
/** Milliseconds for which a reading that could begin waits at most for those under way. */
const longestWait = 10;

/** Has readings of one name begin together at the end of a turn, or once there is room for one more. */
export function createReadingTurns() {
  const underWay = new Map<string, number>();
  /** What ends the waiting for readings under way. */
  const proceed = new Map<string, () => void>();
  const endOfTurn = createEndsOfTurns();

  const roomFor = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(patience);
        proceed.delete(name);
        resolve();
      };
      const patience = setTimeout(go, longestWait);
      proceed.set(name, go);
    });

  return {
    underWay: underWay as ReadonlyMap<string, number>,
    async begin(name: string): Promise<void> {
      await endOfTurn();
      if ((underWay.get(name) ?? 0) >= mostUnderWay) await roomFor(name);
      underWay.set(name, (underWay.get(name) ?? 0) + 1);
    },
    end(name: string): void {
      const others = underWay.get(name)! - 1;
      if (others > 0) underWay.set(name, others);
      else underWay.delete(name);
      proceed.get(name)?.();
    },
  };
}
