import { type Candidate, withService } from './candidates';
import { copyOf, orRemoved, type Place } from './databases';

/** A copy of the content for one candidate, which has added to it what it misses by a first start. */
export async function prepared(candidate: Candidate, filled: Place): Promise<Place> {
  const place = await copyOf(filled);
  return orRemoved(place, async () => {
    await withService(candidate, place, async () => undefined);
  });
}
