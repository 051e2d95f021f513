// The pseudo-locale: English with accents, forty percent longer and in brackets, which reveals hard-coded
// texts and narrow layouts before anything is translated. It uses the mechanism by which operators replace
// built-in texts: after `node tools/pseudo-locale.ts data` and a restart English looks like it; `node
// tools/pseudo-locale.ts data --remove` removes it again.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { namespaces } from '../src/app/locales/namespaces.ts';

const plain: string = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented: string = 'àƀçðéƒĝĥîĵķļɱñöþqŕšţûṽŵẋýžÀßÇÐÉƑĜĤÎĴĶĻṀÑÖÞQŔŠŢÛṼŴẊÝŽ';
const accents = new Map([...plain].map((letter, place) => [letter, [...accented][place] ?? letter]));
/** Words between which a line may break, as in real sentences. */
const padding = 'öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ éîĝĥţ ñîñé ţéñ ';

/** `Save` → `［Šàṽé öñ］`: placeholders `{{name}}` stay, the rest is accented and padded by forty percent. */
export function pseudo(sentence: string): string {
  const words = sentence
    .split(/(\{\{\w+\}\})/)
    .map((part) =>
      part.startsWith('{{') ? part : [...part].map((letter) => accents.get(letter) ?? letter).join(''),
    )
    .join('');
  const length = Math.ceil(sentence.replace(/\{\{\w+\}\}/g, '').length * 0.4);
  return `［${words} ${padding
    .repeat(Math.ceil(length / padding.length))
    .slice(0, length)
    .trim()}］`;
}

const folderOf = (dataDir: string): string => join(dataDir, 'locales', 'enUS');

/** Writes the pseudo-locale into a data directory, replacing English. The console reads it at its next start. */
export function writePseudoLocale(dataDir: string): void {
  mkdirSync(folderOf(dataDir), { recursive: true });
  for (const [name, { enUS }] of Object.entries(namespaces))
    writeFileSync(
      join(folderOf(dataDir), `${name}.json`),
      JSON.stringify(
        Object.fromEntries(Object.entries(enUS).map(([key, sentence]) => [key, pseudo(sentence)])),
        null,
        2,
      ),
    );
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { remove: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const dataDir = positionals[0] ?? './data';
  if (values.remove) {
    rmSync(folderOf(dataDir), { recursive: true, force: true });
    console.log('English is English again after the next start.');
  } else if (existsSync(folderOf(dataDir))) {
    console.error(
      `${folderOf(dataDir)} holds changed sentences already; move it away first, or remove it with --remove.`,
    );
    process.exitCode = 1;
  } else {
    writePseudoLocale(dataDir);
    console.log(`Written to ${folderOf(dataDir)}. Start the console and choose English.`);
  }
}
