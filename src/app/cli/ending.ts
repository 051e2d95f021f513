// How a command ends: with a status, and with a sentence instead of a stack where the reader can mend it.
import { ValidationError, DomainError } from '#kernel/errors.ts';
import { ConfigError } from '#platform/server/config.ts';
import { SealBroken } from '#platform/server/security/sealed-file.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { allTexts } from '#platform/server/http/locales-http.ts';
import { createTranslator } from '#kernel/translate.ts';
import { couldNot } from './database.ts';
import { namespaces } from '../locales/namespaces.ts';

/** What is wrong with the words of a command; the message says what is expected. */
export class WrongWords extends Error {
  override readonly name = 'WrongWords';
}

/** What a person reads of an error; undefined for one that nobody expected. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof DomainError || error instanceof ValidationError) {
    const translate = createTranslator(allTexts(namespaces));
    return error instanceof DomainError
      ? translate('enUS', error.code, error.params)
      : error.fields.map(({ field, code }) => translate('enUS', code, { field: `“${field}”` })).join('\n  ');
  }
  const isTold =
    error instanceof ConfigError ||
    error instanceof StartRefused ||
    error instanceof SealBroken ||
    error instanceof WrongWords ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  return isTold ? error.message : undefined;
}

/** Runs a command; its answer is the process's exit status, 2 when it could not do what it was asked for. */
export async function ending(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) console.error(error);
    else console.error(`\n  ${sentence}\n`);
    process.exitCode = couldNot;
  }
}
