// The language packs of this installation, known to the process before anything is said.
import { join } from 'node:path';
import { registerLanguages } from '#kernel/language.ts';
import { readLanguageFolders } from '#platform/server/http/language-folders.ts';

export const languageFolders = readLanguageFolders(join(import.meta.dirname, '../languages'));
registerLanguages(languageFolders.map(({ pack }) => pack));
