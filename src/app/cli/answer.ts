// The result of a command of `npm run cli`.

/** What a command found: as JSON, as lines for a person, and its exit status (default 0). */
export type Answer = { readonly data: unknown; readonly lines: readonly string[]; readonly status?: number };
