// How a command reads its words and how it ends: with a status, and with a sentence instead of a stack where the reader can mend it.
import { Command, CommanderError } from 'commander';
import type { Language } from '#kernel/language.ts';
import type { Terminal } from './terminal.ts';

/** Ends a command that could not do what it was asked for, or did not understand its words. */
export const exitFailed = 2;

/** Does what the words ask for and answers the exit status. */
export type Run = () => Promise<number>;

/**
 * Parses `words` by the commands that `define` adds, and does what they ask for: an action hands the work to `does`. Answers the exit
 * status, {@link exitFailed} for words that are not understood and for work that fails; help is written to `terminal`.
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
    // Commander has written what is wrong, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitFailed;
    // Loaded only now: the sentences of all features.
    const { sentenceOf } = await import('./error-sentence.ts');
    const sentence = sentenceOf(error, language);
    if (sentence === undefined) console.error(error);
    else terminal.err(`\n  ${sentence}\n\n`);
    return exitFailed;
  }
}
