// How notifications are searched: both languages' sentences and what is looked for are folded the same way.

/** Upper and lower case, full and half width are the same. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
