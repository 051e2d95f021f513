// Language packs: folders with a description of the language and a file of texts per namespace
// (docs/contributor/languages.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { contentLanguages, type LanguagePack } from '#kernel/language.ts';
import type { Texts } from '#kernel/text.ts';

export type LanguageFolder = {
  readonly pack: LanguagePack;
  /** Namespace → its texts; missing texts fall back to the stand-in language. */
  readonly texts: ReadonlyMap<string, Texts>;
};

const Description = z.strictObject({
  tag: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)),
  name: z.string().check(z.minLength(1), z.maxLength(40)),
  shortName: z.string().check(z.minLength(1), z.maxLength(4)),
  standIn: z.enum(contentLanguages),
  conventions: z.enum(contentLanguages),
  scales: z.optional(z.array(z.tuple([z.int().check(z.positive()), z.string()]))),
  justNow: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
  fonts: z.optional(z.array(z.string().check(z.regex(/^[\w ]{1,60}$/)))),
  isMachineTranslated: z.boolean(),
});
const Table = z.record(z.string(), z.string());

/**
 * Reads every folder of `root`, by name. Throws an error that names the file when one is invalid: the folders
 * are part of the program, so only the person who changed them sees it.
 */
export function readLanguageFolders(root: string): readonly LanguageFolder[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((code) => {
      const folder = join(root, code);
      const description = parsed(join(folder, 'language.json'), Description);
      const texts = readdirSync(folder)
        .filter((file) => file.endsWith('.json') && file !== 'language.json')
        .toSorted()
        .map((file) => [file.slice(0, -'.json'.length), parsed(join(folder, file), Table)] as const);
      return {
        pack: { code, ...description },
        texts: new Map(texts),
      };
    });
}

function parsed<T>(file: string, shape: z.ZodMiniType<T>): T {
  try {
    return z.parse(shape, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not what a language pack holds.`, { cause: error });
  }
}
