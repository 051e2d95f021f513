// The two languages of the console and how they map to the web's own language tags.

export const languages = ['zhTW', 'enUS'] as const;
export type Language = (typeof languages)[number];
/** R-I18N-01: zhTW is the default and the fallback. */
export const defaultLanguage: Language = 'zhTW';
/** BCP 47 tags for `<html lang>`, Intl and the Content-Language header. */
export const languageTags: Record<Language, string> = { zhTW: 'zh-Hant-TW', enUS: 'en-US' };

/** Reads a language text ("zh-TW", "en;q=0.8", "enUS"); undefined for any other language. */
export function languageOf(text: string | null | undefined): Language | undefined {
  const head = text?.trim().toLowerCase() ?? '';
  if (head.startsWith('zh')) return 'zhTW';
  if (head.startsWith('en')) return 'enUS';
  return undefined;
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
