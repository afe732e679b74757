import { type Entry, entriesOf, isPart, type Nested, type Selection } from '../../../core';

// What a row has in common with others is shown with each of them: a list of such things with each of another such list comes to
// many times what the database holds. A part belongs to one row.

export const isSharedList = (nested: Nested): boolean => nested.many && !isPart(nested);

/** Whether a list of what is shared is shown with something that is shared. */
export function multiplies(selection: Selection): boolean {
  const ofEntry = (entry: Entry, isShared: boolean): boolean => {
    if ('inside' in entry) return ofEntries(entry.inside, isShared);
    if (!('populated' in entry) || entry.populated.show === 'count') return false;
    const { nested, selections } = entry.populated;
    if (isShared && isSharedList(nested)) return true;
    return selections.some((each) => ofEntries(entriesOf(each), isShared || !isPart(nested)));
  };
  const ofEntries = (entries: readonly Entry[], isShared: boolean): boolean =>
    entries.some((entry) => ofEntry(entry, isShared));
  return ofEntries(entriesOf(selection), false);
}
