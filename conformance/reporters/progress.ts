import { isBad, type RowResult } from '../runner/result';
import { lineOf } from './text';

export interface Progress {
  row(result: RowResult): void;
  /** Makes room for the report. */
  end(): void;
}

export interface Screen {
  write(text: string): void;
  /** What keeps the run from happening. */
  warn(text: string): void;
  /** Whether a line can be written over. */
  isTerminal: boolean;
  columns: number;
}

const clear = '\r\u001b[2K';

/** On a terminal one line that moves; elsewhere a line per tenth of the way. What goes wrong is told as it happens. */
export function openProgress(screen: Screen, total: number, everyRow: boolean): Progress {
  let done = 0;
  let bad = 0;
  let told = 0;

  const tell = (row: RowResult) => {
    if (everyRow || isBad(row)) screen.write(`${screen.isTerminal ? clear : ''}${lineOf(row)}\n`);
    const share = Math.floor((done / total) * 10);
    const state = `${done} of ${total}, ${bad} failed`;
    if (screen.isTerminal) screen.write(`${clear}${`${state}  ${row.id}`.slice(0, screen.columns - 1)}`);
    else if (share > told && !everyRow) screen.write(`${state}\n`);
    told = share;
  };

  return {
    row(result) {
      done += 1;
      if (isBad(result)) bad += 1;
      tell(result);
    },
    end() {
      if (screen.isTerminal) screen.write(clear);
    },
  };
}
