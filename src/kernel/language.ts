// The languages of the console. Two are built in: what operators name (services, discounts …) is stored in both, and documents are written in one of them.
// Others come as language packs, folders of texts for screens, messages and e-mails (docs/contributor/languages.md).

/** The built-in languages: names of things are stored in both. */
export const contentLanguages = ['zhTW', 'enUS'] as const;
export type ContentLanguage = (typeof contentLanguages)[number];
declare const packBrand: unique symbol;
/** A language that people read the console in: a built-in one, or the code of a registered language pack. */
export type Language = ContentLanguage | (string & { readonly [packBrand]: true });
/** Something in both built-in languages. */
export type InBoth<T> = Readonly<Record<ContentLanguage, T>>;

/** What a language pack says of itself: `languages/<code>/language.json`. */
export type LanguagePack = {
  /** As the folder is called: `jaJP`. */
  readonly code: string;
  /** BCP 47: `ja-JP`. */
  readonly tag: string;
  /** The language's name in itself, and a letter or two of it for narrow screens. */
  readonly name: string;
  readonly shortName: string;
  /** The built-in language that stands in: for texts that the pack lacks, names that are stored in the built-in ones only, and documents. */
  readonly standIn: ContentLanguage;
  /** The built-in language whose way of writing dates, lists and brackets is used. */
  readonly conventions: ContentLanguage;
  /** Names of powers of ten for short figures, biggest first: `[[8, "億"], [4, "万"]]`. Without it those of `conventions`. */
  readonly scales?: readonly (readonly [power: number, name: string])[];
  /** What was less than a minute ago: `たった今`. Without it the language's "now". */
  readonly justNow?: string;
  /** Fonts whose forms of the characters its readers know, best first; they come before the Chinese ones. */
  readonly fonts?: readonly string[];
  /** Whether a program translated the texts and no speaker of the language has read them all. */
  readonly isMachineTranslated: boolean;
};

const packs = new Map<string, LanguagePack>();

/** Makes language packs known to this process or page: once, before anything is shown. A code that is built in is passed over. */
export function registerLanguages(found: readonly LanguagePack[]): void {
  for (const pack of found) if (!isContentLanguage(pack.code)) packs.set(pack.code, pack);
}

/** All languages to choose from: the built-in ones first. */
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

/** The built-in language that stands in for a language: itself for the built-in ones. */
export const contentLanguageOf = (language: Language): ContentLanguage =>
  isContentLanguage(language) ? language : (packs.get(language)?.standIn ?? defaultLanguage);
/** The built-in language whose way of writing dates, lists and brackets a language has. */
export const conventionsOf = (language: Language): ContentLanguage =>
  isContentLanguage(language) ? language : (packs.get(language)?.conventions ?? defaultLanguage);
/** BCP 47 tag of a language, for Intl, `lang` and the Content-Language header. */
export const tagOf = (language: Language): string =>
  packs.get(language)?.tag ?? builtInTags[contentLanguageOf(language)];

/** What `lang` says of texts in a language: without a country where it makes no difference to readers. */
export const htmlLangOf = (language: Language): string => (language === 'enUS' ? 'en' : tagOf(language));

/** Of something in both built-in languages, the one that readers of a language get. */
export function inLanguage<T>(both: InBoth<T>, language: Language): T;
export function inLanguage<T>(both: InBoth<T> | null | undefined, language: Language): T | undefined;
export function inLanguage<T>(both: InBoth<T> | null | undefined, language: Language): T | undefined {
  return both?.[contentLanguageOf(language)];
}

/** Reads a language text ("zh-TW", "en;q=0.8", "enUS", "ja"); undefined for any other language. */
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
