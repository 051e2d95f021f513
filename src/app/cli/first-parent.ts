/**
 * The process that started this one. The rest of the console takes a second to load, and the parent may be gone
 * by then; so start.ts imports this file first.
 */
export const firstParent = process.ppid;
