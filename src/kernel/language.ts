// The console's languages. Two are built in: names that operators enter (services, discounts …) are stored in
// both, and documents are written in one of them. Others come as language packs: folders of texts for
// screens, messages and e-mails (docs/contributor/languages.md).

/** The built-in languages; names are stored in both. */
export const contentLanguages = ['zhTW', 'enUS'] as const;
export type ContentLanguage = (typeof contentLanguages)[number];
declare const packBrand: unique symbol;
/** A language that the console can be displayed in: a built-in one, or the code of a registered language pack. */
export type Language = ContentLanguage | (string & { readonly [packBrand]: true });
/** A value in both built-in languages. */
export type InBoth<T> = Readonly<Record<ContentLanguage, T>>;

/** A language pack's metadata: `languages/<code>/language.json`. */
export type LanguagePack = {
  /** The name of the folder: `jaJP`. */
  readonly code: string;
  /** BCP 47: `ja-JP`. */
  readonly tag: string;
  /** The language's own name, and one or two characters for narrow screens. */
  readonly name: string;
  readonly shortName: string;
  /**
   * The built-in language used as fallback: for texts that the pack lacks, for names that are stored in the
   * built-in languages only, and for documents.
   */
  readonly standIn: ContentLanguage;
  /** The built-in language whose conventions for dates, lists and brackets are used. */
  readonly conventions: ContentLanguage;
  /**
   * Names of powers of ten for compact figures, largest first: `[[8, "億"], [4, "万"]]`. Defaults to those of
   * `conventions`.
   */
  readonly scales?: readonly (readonly [power: number, name: string])[];
  /** The text for less than a minute ago: `たった今`. Defaults to the language's "now". */
  readonly justNow?: string;
  /**
   * Preferred fonts whose glyph shapes the language's readers expect, best first; they come before the
   * Chinese fonts.
   */
  readonly fonts?: readonly string[];
  /** Whether the texts are machine-translated and not yet fully reviewed by a speaker of the language. */
  readonly isMachineTranslated: boolean;
};

const packs = new Map<string, LanguagePack>();

/**
 * Registers language packs in this process or page; call it once, before anything is displayed. Packs with a
 * built-in code are ignored.
 */
export function registerLanguages(found: readonly LanguagePack[]): void {
  for (const pack of found) if (!isContentLanguage(pack.code)) packs.set(pack.code, pack);
}

/** All languages, the built-in ones first. */
export const allLanguages = (): readonly Language[] => [
  ...contentLanguages,
  ...[...packs.keys()].toSorted().filter(isLanguage),
];
export const isContentLanguage = (code: string): code is ContentLanguage =>
  (contentLanguages as readonly string[]).includes(code);
export const isLanguage = (code: unknown): code is Language =>
  typeof code === 'string' && (isContentLanguage(code) || packs.has(code));
/** The language pack of a language; undefined for the built-in ones. */
export const packOf = (language: Language): LanguagePack | undefined => packs.get(language);

/** R-I18N-01: zhTW is the default and the fallback. */
export const defaultLanguage: ContentLanguage = 'zhTW';
const builtInTags: InBoth<string> = { zhTW: 'zh-Hant-TW', enUS: 'en-US' };

/** The built-in language that a language falls back to; a built-in language falls back to itself. */
export const contentLanguageOf = (language: Language): ContentLanguage =>
  isContentLanguage(language) ? language : (packs.get(language)?.standIn ?? defaultLanguage);
/** The built-in language whose conventions for dates, lists and brackets a language uses. */
export const conventionsOf = (language: Language): ContentLanguage =>
  isContentLanguage(language) ? language : (packs.get(language)?.conventions ?? defaultLanguage);
/** The BCP 47 tag of a language, for Intl, `lang` and the Content-Language header. */
export const tagOf = (language: Language): string =>
  packs.get(language)?.tag ?? builtInTags[contentLanguageOf(language)];

/** The `lang` attribute for texts in a language: without the region where it makes no difference to readers. */
export const htmlLangOf = (language: Language): string => (language === 'enUS' ? 'en' : tagOf(language));

/** Picks the value that readers of a language get. */
export function inLanguage<T>(both: InBoth<T>, language: Language): T;
export function inLanguage<T>(both: InBoth<T> | null | undefined, language: Language): T | undefined;
export function inLanguage<T>(both: InBoth<T> | null | undefined, language: Language): T | undefined {
  return both?.[contentLanguageOf(language)];
}

/** Parses a language text ("zh-TW", "en;q=0.8", "enUS", "ja"); undefined for any other language. */
export function languageOf(text: string | null | undefined): Language | undefined {
  const head = text?.trim().toLowerCase() ?? '';
  if (head.startsWith('zh')) return 'zhTW';
  if (head.startsWith('en')) return 'enUS';
  const asked = head.split(/[-_;]/)[0];
  const found = [...packs.values()].find(
    ({ code, tag }) => code.toLowerCase() === head || tag.toLowerCase().split('-')[0] === asked,
  );
  return found && isLanguage(found.code) ? found.code : undefined;
}

/** The best supported language of an Accept-Language header (by weight, then by order), else the default. */
export function acceptedLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',')
    .map((part, index) => {
      const [tag, weight] = part.trim().split(/;\s*q=/);
      return {
        language: languageOf(tag),
        weight: weight === undefined ? 1 : Number.parseFloat(weight) || 0,
        index,
      };
    })
    .filter((entry) => entry.language !== undefined && entry.weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  return wanted[0]?.language ?? defaultLanguage;
}
