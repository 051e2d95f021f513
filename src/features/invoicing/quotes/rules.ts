// Rules of quotes: what may be offered, the state at a given time, numbers, and until when a version can be
// accepted.
import type { FieldError } from '#kernel/errors.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addDays, dayPeriod } from '#kernel/time.ts';
import type { TextParams } from '#kernel/text.ts';
import type { commitmentsErrors } from '#features/invoicing/commitments/contract.ts';
import { amountMistake } from '#features/invoicing/credit-grants/rules.ts';
import { isPercent, percentDigits } from '#features/invoicing/discounts/rules.ts';
import { priceDigits, quantityDigits } from '#features/invoicing/one-offs/contract.ts';
import { pricedOneOff } from '#features/invoicing/one-offs/rules.ts';
import type { quotesErrors, QuoteState } from './contract.ts';
import { commitmentMistakes } from './rules-commitments.ts';
import type { QuoteContent, QuoteDiscount, QuoteOneOff } from './contract-content.ts';

type Mistake = FieldError & { readonly code: keyof typeof quotesErrors | keyof typeof commitmentsErrors };
const mistake = (field: string, code: Mistake['code'], params?: TextParams): Mistake => ({
  field: `content.${field}`,
  code,
  ...(params && { params }),
});

/** Returns the errors of a content, field by field, independent of the catalogue; empty if there are none. */
export function contentMistakes(content: QuoteContent, currency: Currency): Mistake[] {
  const { items, oneOffs, discounts, grants, minimumSpend, commitments = [] } = content;
  if (items.length + oneOffs.length + grants.length + commitments.length === 0 && minimumSpend === null)
    return [mistake('items', 'quotes.nothing_offered')];
  const offered = new Set<string>(items.map(({ serviceId }) => serviceId));
  const ofItem = (field: string, serviceId: string | null | undefined): Mistake[] =>
    typeof serviceId !== 'string' || offered.has(serviceId)
      ? []
      : [mistake(`${field}.serviceId`, 'quotes.not_offered')];
  return [
    ...items.flatMap(({ serviceId }, index) =>
      items.findIndex((each) => each.serviceId === serviceId) === index
        ? []
        : [mistake(`items.${index}.serviceId`, 'quotes.item_twice')],
    ),
    ...oneOffs.flatMap((oneOff, index) => [
      ...oneOffMistakes(`oneOffs.${index}`, oneOff, currency),
      ...ofItem(`oneOffs.${index}`, oneOff.serviceId),
    ]),
    ...discounts.flatMap((discount, index) => [
      ...discountMistakes(`discounts.${index}`, discount, currency),
      ...ofItem(`discounts.${index}`, discount.serviceId),
    ]),
    ...grants.flatMap(({ amount }, index) => wrongAmount(`grants.${index}.amount`, amount, currency)),
    ...wrongAmount('minimumSpend.amount', minimumSpend?.amount, currency),
    ...commitments.flatMap((commitment, index) =>
      commitmentMistakes(`content.commitments.${index}`, commitment, currency, offered),
    ),
  ];
}

/** Amounts must be in the quote's currency, positive, and no larger than real terms may be. */
function wrongAmount(field: string, amount: Money | null | undefined, currency: Currency): Mistake[] {
  if (!amount) return [];
  if (amount.currency !== currency) return [mistake(field, 'quotes.currency_differs', { currency })];
  return amountMistake(amount) ? [mistake(field, 'quotes.amount_wrong')] : [];
}

function oneOffMistakes(
  field: string,
  { quantity = '1', unitPrice }: QuoteOneOff,
  currency: Currency,
): Mistake[] {
  const priced = pricedOneOff({ kind: 'charge', quantity, unitPrice, currency });
  if (!('code' in priced)) return [];
  if (priced.field === 'quantity')
    return [mistake(`${field}.quantity`, 'quotes.quantity_wrong', { digits: quantityDigits })];
  return [
    priced.code === 'oneoffs.price_wrong'
      ? mistake(`${field}.unitPrice`, 'quotes.price_wrong', { digits: priceDigits })
      : mistake(
          `${field}.unitPrice`,
          priced.code === 'oneoffs.amount_zero' ? 'quotes.amount_zero' : 'quotes.amount_wrong',
        ),
  ];
}

function discountMistakes(field: string, discount: QuoteDiscount, currency: Currency): Mistake[] {
  const { percent, fixed, maximum } = discount;
  if ((percent === undefined) === (fixed === undefined))
    return [mistake(`${field}.percent`, 'quotes.discount_unclear')];
  if (percent === undefined)
    return [
      ...wrongAmount(`${field}.fixed`, fixed, currency),
      ...(maximum ? [mistake(`${field}.maximum`, 'quotes.maximum_of_percent')] : []),
    ];
  return [
    ...(/^\d{1,24}(\.\d{1,12})?$/.test(percent) && isPercent(percent)
      ? []
      : [mistake(`${field}.percent`, 'quotes.percent_wrong', { digits: percentDigits })]),
    ...wrongAmount(`${field}.maximum`, maximum, currency),
  ];
}

/** How many days ahead the last day may be: an offer valid for years is a typing error. */
export const farthestDays = 366;

/** Why the last day on which a quote can be accepted is invalid, given the organization's `today`. */
export function validUntilMistake(validUntil: LocalDay, today: LocalDay): Mistake | undefined {
  if (validUntil < today) return { field: 'validUntil', code: 'quotes.valid_until_past' };
  return validUntil > addDays(today, farthestDays)
    ? { field: 'validUntil', code: 'quotes.valid_until_far', params: { days: farthestDays } }
    : undefined;
}

/**
 * The first instant at which a version can no longer be accepted: its last day is over in the organization's
 * time zone.
 */
export const expiryOf = (validUntil: LocalDay, zone: string): Date => dayPeriod(validUntil, zone).end;

/** A quote's stored state; it does not change when the last day ends. */
export type StoredState = Exclude<QuoteState, 'expired'>;

/**
 * Returns the state at a given time; `expiresAt` of the sent version is exclusive: at that instant it has
 * expired.
 */
export function stateAt(stored: StoredState, expiresAt: Date | null, now: Date): QuoteState {
  return stored === 'sent' && expiresAt !== null && now >= expiresAt ? 'expired' : stored;
}

/** Whether a quote can no longer be changed. */
export const isFinal = (stored: StoredState): boolean =>
  stored === 'accepted' || stored === 'declined' || stored === 'withdrawn';

/** The series of quotes sent in a month. */
export const quoteSeries = (month: BillingMonth): string => `Q-${month.replace('-', '')}`;
/** `Q-YYYYMM-0001`, gapless in its series. */
export const quoteNumber = (series: string, sequence: number): string =>
  `${series}-${String(sequence).padStart(4, '0')}`;
