// The language table for the page's inline script that runs before the first paint: the built-in languages
// and the folders of src/languages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../src/languages');

/** The value of `lang` by a language's code and by the primary subtag of its tag, both in lower case (`jajp`, `ja`). */
function languageTags(): Readonly<Record<string, string>> {
  const packs = readdirSync(folder).flatMap((code): [string, string][] => {
    const { tag } = JSON.parse(readFileSync(join(folder, code, 'language.json'), 'utf8')) as { tag: string };
    return [
      [code.toLowerCase(), tag],
      [tag.split('-')[0]?.toLowerCase() ?? '', tag],
    ];
  });
  return Object.fromEntries([...packs, ['zh', 'zh-Hant-TW'], ['en', 'en']]);
}

/** Inserts the languages of this build into the page's script. */
export const withLanguageTags = (page: string): string =>
  page.replace("'__LANGUAGE_TAGS__'", JSON.stringify(languageTags()));
