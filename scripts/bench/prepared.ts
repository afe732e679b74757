import { type Candidate, withService } from './candidates';
import { copyOf, orRemoved, type Place } from './databases';

/** A copy of the content for one candidate: as it would have made it, with what it misses added by a first start. */
export async function prepared(candidate: Candidate, filled: Place): Promise<Place> {
  const place = await copyOf(filled);
  return orRemoved(place, async () => {
    await candidate.adopt?.(place);
    await withService(candidate, place, async () => undefined);
  });
}
