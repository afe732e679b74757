/** Events that wait for one subscriber: so many, and no more. */
export interface EventQueue<T> {
  push(event: T): void;
  /** The next event; `idle` after so many milliseconds without one, `over` when there will be none. */
  next(patience: number): Promise<T | 'idle' | 'over'>;
  end(): void;
}

export function createEventQueue<T>(most: number, overflowed: () => void): EventQueue<T> {
  const waiting: T[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;

  function end(): void {
    isOver = true;
    wake?.();
  }

  return {
    push(event) {
      if (isOver) return;
      if (waiting.length >= most) {
        waiting.length = 0;
        end();
        overflowed();
        return;
      }
      waiting.push(event);
      wake?.();
    },
    async next(patience) {
      if (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patience);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wake = undefined;
      if (isOver) return 'over';
      return waiting.shift() ?? 'idle';
    },
    end,
  };
}
