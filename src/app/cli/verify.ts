// `npm run verify`: finds the database as the console would, running or not, and runs the independent checker
// on it.
import { check } from './checker.ts';
import { atDatabase } from './database.ts';
import { defineVerify, type VerifyOptions } from './options.ts';
import { runProgram } from './program.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** Checks the books and returns the exit status. */
export async function verify(
  { json, organization, pack }: VerifyOptions,
  terminal: Terminal,
): Promise<number> {
  const words = [
    ...(json ? ['--json'] : []),
    ...(organization === undefined ? [] : ['--organization', organization]),
    ...(pack === undefined ? [] : ['--pack', pack]),
  ];
  return pack === undefined ? atDatabase(terminal.config(), (where) => check(words, where)) : check(words);
}

if (import.meta.main)
  process.exitCode = await runProgram(
    'npm run verify --',
    process.argv.slice(2),
    processTerminal,
    (program, run) =>
      defineVerify(program).action((options: VerifyOptions) => run(() => verify(options, processTerminal))),
  );
