// Parses a command's arguments and determines how it ends: with an exit status, and with a message instead of
// a stack trace where the reader can fix the problem.
import { Command, CommanderError } from 'commander';
import type { Language } from '#kernel/language.ts';
import type { Terminal } from './terminal.ts';

/** The exit status of a command that failed or did not understand its arguments. */
export const exitFailed = 2;

/** Does what the arguments ask for and returns the exit status. */
export type Run = () => Promise<number>;

/**
 * Parses `words` with the commands that `define` adds, and runs the work that the chosen command's action
 * passes to `does`. Returns the exit status, {@link exitFailed} for invalid arguments and failed work; help
 * is written to `terminal`.
 */
export async function runProgram(
  name: string,
  words: readonly string[],
  terminal: Pick<Terminal, 'out' | 'err'>,
  define: (program: Command, run: (run: Run) => void) => void,
  language: Language = 'enUS',
): Promise<number> {
  let work: Run | undefined;
  const program = new Command(name)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError()
    .exitOverride();
  define(program, (run) => {
    work = run;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return (await work?.()) ?? exitFailed;
  } catch (error) {
    // Commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitFailed;
    // Loaded only now, because it loads the texts of all features.
    const { sentenceOf } = await import('./error-sentence.ts');
    const sentence = sentenceOf(error, language);
    if (sentence === undefined) console.error(error);
    else terminal.err(`\n  ${sentence}\n\n`);
    return exitFailed;
  }
}
