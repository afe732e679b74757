import type { Freshness, Moment } from './freshness';
import type { Grants, Lookups } from './lookups';
import { type AccessPrincipal, publicPrincipal } from './rights';

export interface KnownGrants extends Grants {
  readonly everyone: AccessPrincipal;
}

interface Kept {
  readonly moment: Moment;
  readonly readAt: number;
  readonly marks: string;
  readonly grants: KnownGrants;
  /** Whether something has changed since they were read, which their marks don't show. */
  readonly byMarks: boolean;
}

/** How long grants whose marks stay the same are believed to be the same: in milliseconds. */
const longestTrust = 500;

/**
 * What each role may do. Where every write of whatever makes a new version, most of them have nothing to do with grants:
 * then their numbers of rows and highest ids are looked at first, which granting and revoking change.
 */
export function createKeptGrants({ holds }: Freshness, lookups: Lookups): (now: Moment) => Promise<KnownGrants> {
  let kept: Kept | undefined;
  let reading: { readonly moment: Moment; readonly kept: Promise<Kept> } | undefined;

  async function read(moment: Moment): Promise<Kept> {
    const marks = await lookups.marks();
    const isSame =
      kept?.marks === marks &&
      kept.moment.changes === moment.changes &&
      moment.version !== undefined &&
      moment.at - kept.readAt < longestTrust;
    if (isSame) return { ...kept!, moment, byMarks: true };
    const grants = await lookups.grants();
    const all = { ...grants, everyone: publicPrincipal(grants.ofEveryone) };
    return { moment, readAt: moment.at, marks, grants: all, byMarks: false };
  }

  return async (now) => {
    const isOld = kept?.byMarks && now.at - kept.readAt >= longestTrust;
    if (kept && !isOld && holds(kept.moment, now)) return kept.grants;
    const running = reading && holds(reading.moment, now) ? reading : { moment: now, kept: read(now) };
    reading = running;
    try {
      kept = await running.kept;
      return kept.grants;
    } finally {
      if (reading === running) reading = undefined;
    }
  };
}
