// With which arguments Node runs a console for tests.

/** The console's command line, as `npm start` runs it. */
export const sourceProgram = 'src/app/cli/start.ts';

/** Names the file that a run's set-up made of it for all consoles of the run; without it they run from the sources. */
export const consoleProgramVariable = 'TESTS_CONSOLE_PROGRAM';

/** Arguments of Node, to be run in the project folder, that start a console. */
export const consoleArguments = (
  program = process.env[consoleProgramVariable] ?? sourceProgram,
): readonly string[] => [
  // A start makes so much that a young generation of one megabyte is collected a dozen times.
  '--min-semi-space-size=16',
  '--import',
  './tools/require-node.mjs',
  program,
  'start',
];
