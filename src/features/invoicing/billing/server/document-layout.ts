// The layouts of bills' documents: a bill keeps the one with which it was issued.

/**
 * How a bill's document is laid out: 1 line after line, as bills of before are; 2 the lines of a service under its name with their
 * sum, and each line without a unit price with the words for what its price depends on.
 */
export type DocumentLayout = 1 | 2;
/** The layout of bills that are issued now. */
export const newestLayout: DocumentLayout = 2;
