// Search in notifications: the texts in both languages and the query are normalized in the same way.

/** Folds upper and lower case, and full and half width. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
