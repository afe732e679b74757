import type { Tie, Tying } from '../../../../core';

/** Stands for the id of a tie that was added and not read since. */
export const untold = -1;

/** A tie as its table's row has it. */
export interface KeptTie extends Tie {
  readonly id: number;
  readonly order: number | null;
}

export interface AddedTie {
  readonly owner: number;
  readonly target: number;
  readonly uid: string;
  readonly order: number;
  /** Undefined for the end of the target's own list, until it is sent: then it is told here, for all who hold the tie. */
  back: number | undefined;
  /** What stood at that end until it was sent, null where nothing did. Undefined before, elsewhere, and where it is not known. */
  ahead: number | null | undefined;
  readonly shownBy: string | undefined;
}

export interface TieChanges {
  readonly removed: readonly number[];
  readonly added: readonly AddedTie[];
  /** Rows that keep their tie and change their place. */
  readonly ordered: readonly (readonly [id: number, order: number])[];
  readonly turned: readonly (readonly [id: number, back: number])[];
}

const keyOf = ({ target, uid }: Omit<Tie, 'owner'>): string => `${uid} ${target}`;

/** The places in which the list is in order already, except for what comes new at its end. */
function isAppending(wanted: readonly (KeptTie | undefined)[], current: readonly KeptTie[]): boolean {
  let last = -1;
  let ended = false;
  for (const tie of wanted) {
    if (!tie) ended = true;
    else {
      const at = current.indexOf(tie, last + 1);
      if (ended || at < 0 || tie.order === null) return false;
      last = at;
    }
  }
  return true;
}

const addedTie = (
  owner: number,
  { target, uid, back, shownBy }: Tying['targets'][number],
  order: number,
): AddedTie => ({
  owner,
  target,
  uid,
  order,
  back,
  ahead: undefined,
  shownBy,
});

/**
 * What must change so that one row is tied as wanted: no more than that. Pure. The gap that a removed tie leaves in the
 * numbers stays: no answer shows it, and closing it would write every tie behind it.
 */
export function changesOf({ owner, targets }: Tying, current: readonly KeptTie[]): TieChanges {
  // What is new is tied to nothing.
  if (current.length === 0)
    return {
      removed: [],
      added: targets.map((target, at) => addedTie(owner, target, at + 1)),
      ordered: [],
      turned: [],
    };
  const free = new Map<string, KeptTie>();
  for (const tie of current) if (!free.has(keyOf(tie))) free.set(keyOf(tie), tie);
  const wanted = targets.map((target) => {
    const kept = free.get(keyOf(target));
    free.delete(keyOf(target));
    return kept;
  });
  const keeps = new Set(wanted);
  const appending = isAppending(wanted, current);
  let end = wanted.reduce((most, tie) => Math.max(most, tie?.order ?? 0), 0);
  const added: AddedTie[] = [];
  const ordered: [number, number][] = [];
  const turned: [number, number][] = [];
  for (const [index, target] of targets.entries()) {
    const { back } = target;
    const kept = wanted[index];
    if (!kept) added.push(addedTie(owner, target, appending ? ++end : index + 1));
    else {
      if (!appending && kept.order !== index + 1) ordered.push([kept.id, index + 1]);
      if (back !== undefined && kept.back !== back) turned.push([kept.id, back]);
    }
  }
  return { removed: current.filter((tie) => !keeps.has(tie)).map(({ id }) => id), added, ordered, turned };
}
