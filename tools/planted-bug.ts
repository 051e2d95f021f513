// A bug that is planted to check that tests fail.

/** `find` occurs exactly once in `file`; `tests` are paths that Vitest runs. */
export type PlantedBug = {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
};
