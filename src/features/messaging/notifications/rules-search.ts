// Search in notifications: the texts in both languages and the query are normalised in the same way.

/** Upper and lower case, full and half width are the same. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
