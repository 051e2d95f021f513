// The language packs of this build.
import { registerLanguages, type LanguagePack } from '#kernel/language.ts';
import { registerConnectionTexts, type ConnectionTexts } from '#platform/locales/connection.ts';

const found = import.meta.glob<Omit<LanguagePack, 'code'>>('/src/languages/*/language.json', {
  eager: true,
  import: 'default',
});
// The sentences for when nothing can be loaded are part of the code, too.
const foundConnectionTexts = import.meta.glob<Partial<ConnectionTexts>>('/src/languages/*/connection.json', {
  eager: true,
  import: 'default',
});
const codeOf = (file: string): string => file.split('/').at(-2) ?? '';

/** Registers them with the page. Must run before anything is shown. */
export function registerLanguagePacks(): void {
  registerLanguages(
    Object.entries(found).map(([file, description]) => ({
      ...description,
      code: codeOf(file),
    })),
  );
  for (const [file, texts] of Object.entries(foundConnectionTexts))
    registerConnectionTexts(codeOf(file), texts);
}
