// The layouts of bill documents: a bill keeps the layout it was issued with.

/**
 * Layout 1 lists line after line, as older bills do. Layout 2 groups the lines of a service under its name
 * with their sum, and explains how each line without a unit price is priced.
 */
export type DocumentLayout = 1 | 2;
/** The layout of newly issued bills. */
export const newestLayout: DocumentLayout = 2;
