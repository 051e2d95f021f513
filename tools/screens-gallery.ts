// The gallery of screens in the documentation: some pages in both languages, light and dark, small enough to
// be kept in the repository.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { Picture } from './screens-camera.ts';

const folder = path.resolve(import.meta.dirname, '../docs/screens/gallery');
const page = path.resolve(folder, '../README.md');

/** The visits shown, in this order, with their captions. */
export const shown: Readonly<Record<string, string>> = {
  'User-user-dashboard':
    'A customer’s dashboard: what is owed, what is running, what is unusual, what to do.',
  'User-billing-management': 'The running month, priced as its bill will be, and all bills.',
  'User-usage-statistics': 'Usage and its cost, by service, charge and dimension.',
  'User-service-overview': 'The catalog.',
  'Admin-admin-dashboard': 'The operator’s dashboard: what needs attention first.',
  'Admin-admin-billing': 'Closing a month, and everybody’s bills.',
  'Admin-admin-finance':
    'What a finance team asks: recurring revenue and its movements, receivables, recognized revenue.',
  'Admin-admin-service-management': 'Services and their prices.',
};

const looks = [
  ['zhTW', 'light', '繁體中文'],
  ['zhTW', 'dark', '繁體中文, dark'],
  ['enUS', 'light', 'English'],
  ['enUS', 'dark', 'English, dark'],
] as const;

/** Writes the gallery's pictures and its page, from the pictures of a run in `from`. */
export async function writeGallery(from: string, pictures: readonly Picture[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const old of await readdir(folder)) await rm(path.join(folder, old));
  const sections: string[] = [];
  for (const [name, words] of Object.entries(shown)) {
    const cells: string[] = [];
    for (const [language, mode, title] of looks) {
      const picture = pictures.find(
        (one) => one.visit.name === name && one.language === language && one.mode === mode,
      );
      if (!picture) throw new Error(`no picture of ${name} in ${language}, ${mode}`);
      const file = `${name}-${language}-${mode}.webp`;
      await sharp(path.join(from, picture.file))
        .resize({ width: 1200 })
        .webp({ quality: 82 })
        .toFile(path.join(folder, file));
      cells.push(`![${title}](gallery/${file})`);
    }
    sections.push(
      `## ${words}\n\n| | |\n|---|---|\n| ${cells[0]} | ${cells[1]} |\n| ${cells[2]} | ${cells[3]} |`,
    );
  }
  await writeFile(
    page,
    `# Screens\n\nScreenshots of a filled console, 1440 pixels wide, taken by \`npm run screens -- --gallery\`; retaken when screens change.\n\n${sections.join('\n\n')}\n`,
  );
}
