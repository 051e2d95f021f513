// Finds the reader's language in the places a browser keeps one, in the order of R-I18N-03.
import { defaultLanguage, languageOf, type Language } from '#kernel/language.ts';

/** What a browser knows; everything is optional, so that the order can be tested without one. */
export type LanguageSources = {
  /** The page's query string, with or without '?'. */
  readonly query?: string;
  /** document.cookie */
  readonly cookie?: string;
  readonly local?: (key: string) => string | null;
  readonly session?: (key: string) => string | null;
  /** navigator.languages */
  readonly browser?: readonly string[];
  /** The lang attribute of <html>. */
  readonly html?: string;
};

/** The first of ours in: query `language`, query `lng`, cookie `i18next`, local storage, session storage, browser, <html lang>; else zhTW. */
export function detectLanguage(sources: LanguageSources): Language {
  const query = new URLSearchParams(sources.query ?? '');
  const places = [
    () => query.get('language'),
    () => query.get('lng'),
    () => cookieValue(sources.cookie ?? '', 'i18next'),
    () => sources.local?.('language'),
    () => sources.local?.('i18nextLng'),
    () => sources.session?.('language'),
    () => sources.session?.('i18nextLng'),
    ...(sources.browser ?? []).map((tag) => () => tag),
    () => sources.html,
  ];
  for (const place of places) {
    const found = languageOf(place());
    if (found) return found;
  }
  return defaultLanguage;
}

/** The value of one cookie in a document.cookie text; undefined when it is not there. */
export function cookieValue(cookies: string, name: string): string | undefined {
  const pair = cookies.split('; ').find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const raw = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    // A cookie that somebody else wrote with a stray '%': its raw text is as good as it gets.
    return raw;
  }
}
