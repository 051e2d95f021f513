// Rules of notifications: formats stored notices for a reader. Re-exports the other rules.
import { decimalPattern } from '#kernel/decimal.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { formatDecimal, grouped, withSymbol } from '#kernel/format-money.ts';
import { contentLanguageOf, type Language } from '#kernel/language.ts';
import { currencyCodes, type Currency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';

const isCurrency = (value: unknown): value is Currency => currencyCodes.some((code) => code === value);
const figures = new Set(['used', 'limit', 'low', 'high']);
const amounts = new Set(['amount', 'limit']);
const days = new Set(['date', 'day', 'month', 'until']);

/**
 * Formats the parameters of a notice for a reader: an `amount` or `limit` with its `currency` becomes
 * `NT$5,273`, figures are grouped, days and months are written out, and the one of `title_zhTW` and
 * `title_enUS` in the reader's language becomes `title`. They are stored as plain decimals, because the
 * reader's language is unknown at that time.
 */
export function readable(params: TextParams, language: Language): TextParams {
  const { currency } = params;
  const own = `_${contentLanguageOf(language)}`;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      // Texts in both languages: a reader of Chinese gets `title_zhTW` as `title`.
      if (name.endsWith(own)) return [name.slice(0, -own.length), value];
      if (typeof value !== 'string') return [name, value];
      if (days.has(name) && /^\d{4}-\d{2}(-\d{2})?$/.test(value))
        return [name, value.length > 7 ? dayFormat(language).day(value) : dayFormat(language).month(value)];
      if (!decimalPattern.test(value)) return [name, value];
      if (amounts.has(name) && isCurrency(currency))
        return [name, withSymbol(grouped(value), currency, language)];
      return [name, figures.has(name) ? formatDecimal(value) : value];
    }),
  );
}

/** The path of the page that a notice leads to. */
export const pageOf = (link: string): string => link.split(/[?#]/, 1)[0] ?? '';

const longestSubject = 90;

/**
 * Turns a sentence into an e-mail subject: one line, without the final full stop, short enough for a list of
 * e-mails.
 */
export function subjectOf(message: string): string {
  const line = message
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\.)[。.]$/, '');
  const letters = [...line];
  return letters.length <= longestSubject ? line : `${letters.slice(0, longestSubject - 1).join('')}…`;
}

export { allKinds, type KindOf } from './rules-kinds.ts';
export { isSampleText, samples } from './rules-samples.ts';
