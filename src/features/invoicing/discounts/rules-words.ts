// Describes the terms of a discount; the caller supplies the translated sentences.
import { formatDecimal, formatMoney } from '#kernel/format-money.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { type Language, inLanguage } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Terms } from './contract.ts';

/** The keys of the sentences and fragments that terms consist of. */
export type TermsKey =
  | 'discounts.terms_percent'
  | 'discounts.terms_percent_maximum'
  | 'discounts.terms_fixed'
  | 'discounts.terms_fixed_once'
  | 'discounts.terms_once'
  | 'discounts.terms_months'
  | 'discounts.terms_until'
  | 'discounts.terms_forever'
  | 'discounts.terms_scope'
  | 'discounts.terms_service_charges'
  | 'discounts.terms_separator';
export type Say = (key: TermsKey, params?: TextParams) => string;

/** "10% off for 3 months"; the scope is a separate part, for lists with a column for it. */
export function termsInWords(
  terms: Pick<Terms, 'reduction' | 'maximum' | 'duration' | 'scope'>,
  language: Language,
  say: Say,
): { readonly short: string; readonly scope: string | null; readonly full: string } {
  const short = lasting(terms, what(terms, language, say), language, say);
  const scope = scopeInWords(terms.scope, language, say);
  return {
    short,
    scope,
    full: scope === null ? short : say('discounts.terms_scope', { terms: short, scope }),
  };
}

function what(
  { reduction, maximum, duration }: Pick<Terms, 'reduction' | 'maximum' | 'duration'>,
  language: Language,
  say: Say,
): string {
  if (reduction.kind === 'fixed')
    return say(duration.kind === 'once' ? 'discounts.terms_fixed_once' : 'discounts.terms_fixed', {
      amount: formatMoney(reduction.amount, language),
    });
  const percent = formatDecimal(reduction.percent);
  return maximum
    ? say('discounts.terms_percent_maximum', { percent, maximum: formatMoney(maximum, language) })
    : say('discounts.terms_percent', { percent });
}

function lasting({ duration }: Pick<Terms, 'duration'>, off: string, language: Language, say: Say): string {
  switch (duration.kind) {
    case 'once':
      return say('discounts.terms_once', { what: off });
    case 'months':
      return say('discounts.terms_months', { what: off, count: duration.months });
    case 'until':
      return say('discounts.terms_until', {
        what: off,
        month: dayFormat(language).month(duration.until.slice(0, 7)),
      });
    case 'forever':
      return say('discounts.terms_forever', { what: off });
  }
}

/** "Virtual machine (Hours, Disk), Storage"; null for everything. */
function scopeInWords(scope: Terms['scope'], language: Language, say: Say): string | null {
  if (scope === null) return null;
  const separator = say('discounts.terms_separator');
  return scope
    .map(({ serviceName, charges }) =>
      charges === null
        ? serviceName
        : say('discounts.terms_service_charges', {
            service: serviceName,
            charges: charges.map(({ name }) => inLanguage(name, language)).join(separator),
          }),
    )
    .join(separator);
}
