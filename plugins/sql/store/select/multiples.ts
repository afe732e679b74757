import { type Entry, entriesOf, isPart, type Selection } from '../../../../core';
import { isSharedList } from './shared-lists';

// What a row has in common with others is shown with each of them: a list of such things with each of another such list comes to
// many times what the database holds. A part belongs to one row.

/** Whether a list of what is shared is shown, or counted, with something that is shared. */
export function multiplies(selection: Selection): boolean {
  const ofEntry = (entry: Entry, isShared: boolean): boolean => {
    if ('inside' in entry) return ofEntries(entry.inside, isShared);
    if (!('populated' in entry)) return false;
    const { nested, selections, show } = entry.populated;
    if (isShared && isSharedList(nested)) return true;
    if (show === 'count') return false;
    return selections.some((each) => ofEntries(entriesOf(each), isShared || !isPart(nested)));
  };
  const ofEntries = (entries: readonly Entry[], isShared: boolean): boolean =>
    entries.some((entry) => ofEntry(entry, isShared));
  return ofEntries(entriesOf(selection), false);
}
