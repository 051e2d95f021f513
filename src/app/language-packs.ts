// Registers the language packs of this installation before any text is used.
import { join } from 'node:path';
import { registerLanguages } from '#kernel/language.ts';
import { readLanguageFolders } from '#platform/server/http/language-folders.ts';

export const languageFolders = readLanguageFolders(join(import.meta.dirname, '../languages'));
registerLanguages(languageFolders.map(({ pack }) => pack));
