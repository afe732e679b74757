import { isPart, type Nested } from '../../../../core';

// What a row has in common with others: a part belongs to one row.

export const isSharedList = (nested: Nested): boolean => nested.many && !isPart(nested);

/** The same, but for a document's other versions and locales, which are few. */
export const isLongList = (nested: Nested): boolean => isSharedList(nested) && nested.storage !== 'variants';
