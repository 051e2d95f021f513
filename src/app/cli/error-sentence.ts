// The message that a person sees for an error that ends a command.
import { ValidationError, DomainError } from '#kernel/errors.ts';
import { ConfigError } from '#platform/server/config.ts';
import { SealBroken } from '#platform/server/security/sealed-file.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { allTexts } from '#platform/server/http/locales-http.ts';
import { createTranslator } from '#kernel/translate.ts';
import type { Language } from '#kernel/language.ts';
import { CommandRefused } from './command-refused.ts';
import { languageFolders } from '../language-packs.ts';
import { namespaces } from '../locales/namespaces.ts';

/** The message; undefined for an unexpected error. */
export function sentenceOf(error: unknown, language: Language = 'enUS'): string | undefined {
  if (error instanceof DomainError || error instanceof ValidationError) {
    const translate = createTranslator(allTexts(namespaces, languageFolders));
    return error instanceof DomainError
      ? [...error.fields, translate(language, error.code, error.params)].join(': ')
      : error.fields
          .map(({ field, code }) => translate(language, code, { field: `“${field}”` }))
          .join('\n  ');
  }
  const isReadable =
    error instanceof ConfigError ||
    error instanceof StartRefused ||
    error instanceof SealBroken ||
    error instanceof CommandRefused;
  return isReadable ? error.message : undefined;
}
