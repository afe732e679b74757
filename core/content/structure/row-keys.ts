import type { Tie } from '../store';

/** Rows have smaller numbers. */
const span = 2 ** 32;

/** Numbers that tell rows apart, whatever their types are. */
export interface RowKeys {
  keyOf(uid: string, row: number): number;
  tied(key: number): Pick<Tie, 'target' | 'uid'>;
}

/** The row that a key is for, of whatever type. */
export const rowOfKey = (key: number): number => key % span;

/** Rows of one type are their own keys; of several types, those of the first one are. */
export function createRowKeys(only: string | undefined): RowKeys {
  if (only !== undefined) return { keyOf: (_uid, row) => row, tied: (target) => ({ target, uid: only }) };
  const uids: string[] = [];
  return {
    keyOf(uid, row) {
      if (!uids.includes(uid)) uids.push(uid);
      return uids.indexOf(uid) * span + row;
    },
    tied: (key) => ({ target: rowOfKey(key), uid: uids[Math.floor(key / span)]! }),
  };
}
