// What a command of `npm run cli` answers.

/** What a command found: as JSON, as lines for a person, and its exit status (0 unless said). */
export type Answer = { readonly data: unknown; readonly lines: readonly string[]; readonly status?: number };
