import type { Socket } from 'node:net';
import { answerBeyond, endedAfter } from './failures';
import { longestStop } from './longest-read';

// What one statement answers has a length that is bounded, so that a short request can't fill the memory.

/** The clock is looked at behind so many lists, or rows. */
const betweenLooks = 64;

/** Counts the lists of one statement after another, as SQLite makes them. */
export interface CountedLists {
  /** To be called before each statement. */
  begin(): void;
  /**
   * Counts a list by how many relations lead to it, and throws where all those are too long. Lists that more lead to are in these,
   * so that all together would be longer than the answer. Throws, too, where they take very long: of many that are empty.
   */
  add(bytes: number, relations: number): void;
  /** Throws where the statement takes very long. */
  look(): void;
}

export function createCountedLists(most: number): CountedLists {
  let lengths: number[] = [];
  let count = 0;
  let begun = 0;

  function look(): void {
    if (count === 0) begun = performance.now();
    count += 1;
    if (count % betweenLooks === 0 && performance.now() - begun > longestStop) throw endedAfter(longestStop);
  }

  return {
    begin() {
      if (count === 0) return;
      lengths = [];
      count = 0;
    },
    look,
    add(bytes, relations) {
      look();
      const length = (lengths[relations] ?? 0) + bytes;
      if (length > most) throw answerBeyond(most);
      lengths[relations] = length;
    },
  };
}

/** Counts what a server sends over one connection. */
export interface CountedAnswers {
  /** To be called as a statement is sent. */
  asked(): void;
  /** To be called as it is answered; throws where that was too long and came to its end all the same. */
  answered(): void;
}

/** Ends a connection that is sent too long an answer. Of statements that others ask over it, nothing is counted. */
export function countAnswers(stream: Socket, most: number): CountedAnswers {
  let waiting = 0;
  let before = 0;
  const isTooLong = (): boolean => waiting > 0 && stream.bytesRead - before > most;
  stream.on('data', () => {
    if (isTooLong()) stream.destroy(answerBeyond(most));
  });
  return {
    asked() {
      if (waiting === 0) before = stream.bytesRead;
      waiting += 1;
    },
    answered() {
      const wasTooLong = isTooLong();
      waiting -= 1;
      before = stream.bytesRead;
      if (wasTooLong) throw answerBeyond(most);
    },
  };
}
