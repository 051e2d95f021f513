// The terms as typed input, and the parsed terms once the input is valid.
import {
  currencyCodes,
  isCurrency,
  money,
  moneyText,
  parseMoney,
  type Currency,
  type Money,
} from '#kernel/money.ts';
import { percentDigits, termsMistake } from '../rules.ts';
import { longestGrace, type CurrencyTerms, type LateFeeTerms } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';

export type DraftRow = {
  readonly key: number;
  readonly currency: Currency;
  readonly way: 'percent' | 'fixed';
  /** The percentage, or the amount of each level. */
  readonly figure: string;
  readonly minimum: string;
  readonly cap: string;
};
export type TermsDraft = {
  readonly graceDays: string;
  readonly taxedAs: LateFeeTerms['taxedAs'];
  readonly rows: readonly DraftRow[];
};

export const newRow = (key: number, currency: Currency): DraftRow => ({
  key,
  currency,
  way: 'percent',
  figure: '5',
  minimum: '0',
  cap: '',
});

/** The saved terms, or a proposal while late fees are off. */
export function draftOfTerms(terms: LateFeeTerms | null): TermsDraft {
  if (!terms) return { graceDays: '3', taxedAs: 'standard', rows: [newRow(0, 'TWD')] };
  return {
    graceDays: String(terms.graceDays),
    taxedAs: terms.taxedAs,
    rows: terms.currencies.map(({ currency, percent, fixed, minimum, cap }, key) => ({
      key,
      currency,
      way: fixed === null ? 'percent' : 'fixed',
      figure: fixed === null ? (percent ?? '') : moneyText(fixed),
      minimum: moneyText(minimum),
      cap: cap === null ? '' : moneyText(cap),
    })),
  };
}

/** A currency without a row so far. */
export const freeCurrency = (rows: readonly DraftRow[]): Currency | undefined =>
  ['TWD', ...currencyCodes]
    .filter(isCurrency)
    .find((code) => rows.every(({ currency }) => currency !== code));

const plain = (text: string): string => text.trim().replaceAll(',', '');

type Problem = { readonly code: keyof typeof enUS; readonly params: { readonly digits: number } };
/** The parsed terms, or what is invalid. */
export function termsOfDraft({ graceDays, taxedAs, rows }: TermsDraft): {
  readonly terms?: LateFeeTerms;
  readonly problem?: Problem;
} {
  const problem = (code: keyof typeof enUS) => ({ problem: { code, params: { digits: percentDigits } } });
  const grace = /^\d{1,2}$/.test(graceDays.trim()) ? Number.parseInt(graceDays.trim(), 10) : longestGrace + 1;
  if (grace > longestGrace) return problem('latefees.grace_wrong');
  const currencies: CurrencyTerms[] = [];
  for (const { currency, way, figure, minimum, cap } of rows) {
    const amount = (text: string): Money | undefined => parseMoney(plain(text), currency);
    const least = minimum.trim() === '' ? money(0n, currency) : amount(minimum);
    const most = cap.trim() === '' ? null : amount(cap);
    const fixed = way === 'fixed' ? amount(figure) : null;
    if (!least || fixed === undefined) return problem('latefees.amount_wrong');
    if (most === undefined) return problem('latefees.cap_wrong');
    currencies.push({
      currency,
      percent:
        way === 'percent'
          ? plain(figure)
              .replace(/[%％]$/, '')
              .trim()
          : null,
      fixed,
      minimum: least,
      cap: most,
    });
  }
  const terms = { graceDays: grace, taxedAs, currencies };
  const mistake = termsMistake(terms);
  return mistake ? problem(mistake.code) : { terms };
}
