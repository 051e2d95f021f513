// The language packs of this build.
import { registerLanguages, type LanguagePack } from '#kernel/language.ts';

const found = import.meta.glob<Omit<LanguagePack, 'code'>>('/src/languages/*/language.json', {
  eager: true,
  import: 'default',
});

/** Registers them with the page. Must run before anything is shown. */
export function registerLanguagePacks(): void {
  registerLanguages(
    Object.entries(found).map(([file, description]) => ({
      ...description,
      code: file.split('/').at(-2) ?? '',
    })),
  );
}
