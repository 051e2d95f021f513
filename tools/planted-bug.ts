// A bug that is planted to see that the tests turn red.

/** `find` stands once in `file`; `tests` are paths that vitest runs. */
export type PlantedBug = {
  readonly name: string;
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
};
