// Rules of discounts: when and to what a discount applies, who may have it, and what it makes of an estimate.
import { decimal, zero } from '#kernel/decimal.ts';
import type { FieldError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { Estimate, Pricing } from '#features/selling/catalogue/contract.ts';
import type {
  Audience,
  discountErrors,
  DiscountState,
  Duration,
  Reduction,
  RedemptionState,
  Terms,
} from './contract.ts';

export {
  discountedAmounts,
  discountShares,
  spread,
  type Discount,
  type LineToReduce,
} from './rules-reduce.ts';
export { termsInWords } from './rules-words.ts';

/** A discount that an organization has, as the bill of a month takes it. */
export type DiscountInForce = {
  readonly redemptionId: Id<'rdm'>;
  /** Of the redemption; grows when a bill takes it and when it is taken away. */
  readonly version: bigint;
  readonly name: Terms['name'];
  readonly reduction: Reduction;
  readonly maximum: Money | null;
  readonly scope: DiscountScope;
  /** Whether one bill uses it up. */
  readonly isOnce: boolean;
};
/** null: whatever it is; otherwise this subscription, or lines of these services (of some of their charges). */
export type DiscountScope = {
  readonly subscriptionId: string | null;
  readonly services:
    | readonly { readonly serviceId: string; readonly chargeKeys: readonly string[] | null }[]
    | null;
};
/** What a line of a bill is for; null where it is for no subscription, service or charge in particular. */
export type LineSubject = {
  readonly subscriptionId: string | null;
  readonly serviceId: string | null;
  readonly chargeKey: string | null;
};

/** Whether a discount reduces a line. */
export function covers({ subscriptionId, services }: DiscountScope, line: LineSubject): boolean {
  if (subscriptionId !== null && line.subscriptionId !== subscriptionId) return false;
  return (
    services === null ||
    services.some(
      ({ serviceId, chargeKeys }) =>
        serviceId === line.serviceId &&
        (chargeKeys === null || (line.chargeKey !== null && chargeKeys.includes(line.chargeKey))),
    )
  );
}

/** What decides whether and until when a redemption applies. */
export type Standing = {
  readonly duration: Duration;
  /** The organization's month, in its time zone, in which it got the discount. */
  readonly firstMonth: BillingMonth;
  readonly isEnded: boolean;
  /** The months of bills that stand and that it is on. */
  readonly appliedMonths: readonly BillingMonth[];
};

/** The last month that may be reduced; null where that does not depend on the calendar. */
export function lastMonthOf({
  duration,
  firstMonth,
}: Pick<Standing, 'duration' | 'firstMonth'>): BillingMonth | null {
  if (duration.kind === 'months') return addMonths(firstMonth, duration.months - 1);
  return duration.kind === 'until' ? monthOfDay(duration.until) : null;
}
const monthOfDay = (day: LocalDay): BillingMonth => day.slice(0, 7) as BillingMonth;

/**
 * Whether a redemption applies to the bills of a month, wholly: also to what earlier months and one-off charges
 * add to them. One for a single bill is used when a bill of another month has it; the bills of one month in
 * several currencies are one, so that issuing one of them again does not lose it.
 */
export function appliesIn(standing: Standing, month: BillingMonth): boolean {
  const { duration, firstMonth, isEnded, appliedMonths } = standing;
  if (isEnded || month < firstMonth) return false;
  const last = lastMonthOf(standing);
  if (last !== null && month > last) return false;
  return duration.kind !== 'once' || appliedMonths.every((applied) => applied === month);
}

/** What became of a redemption by an organization's running month. */
export function redemptionState(standing: Standing, now: BillingMonth): RedemptionState {
  if (standing.isEnded) return 'ended';
  if (standing.duration.kind === 'once' && standing.appliedMonths.length > 0) return 'used';
  const last = lastMonthOf(standing);
  // The bill of the last month comes after it, so the month after that is the first without it.
  return last !== null && now > last ? 'over' : 'active';
}

/** What decides who may still get a discount. */
export type Availability = {
  readonly isArchived: boolean;
  readonly duration: Duration;
  readonly redeemableUntil: LocalDay | null;
  readonly maxRedemptions: number | null;
  readonly redemptions: number;
};

/** `today` by the reader's calendar. */
export function discountState(discount: Availability, today: LocalDay): DiscountState {
  if (discount.isArchived) return 'archived';
  if (isExpired(discount, today)) return 'expired';
  return isUsedUp(discount) ? 'used_up' : 'active';
}

const isUsedUp = ({ maxRedemptions, redemptions }: Availability): boolean =>
  maxRedemptions !== null && redemptions >= maxRedemptions;
/** Past the last day of its code, or past the last month that it could reduce. */
const isExpired = ({ redeemableUntil, duration }: Availability, today: LocalDay): boolean =>
  (redeemableUntil !== null && today > redeemableUntil) || isOverFor(duration, today);
const isOverFor = (duration: Duration, today: LocalDay): boolean =>
  duration.kind === 'until' && monthOfDay(duration.until) < monthOfDay(today);

/** Who wants a discount. */
export type Claim = {
  readonly organizationId: string;
  /** By the organization's calendar. */
  readonly today: LocalDay;
  /** How often the organization got it already. */
  readonly redeemedBefore: number;
  /** Whether it subscribed to anything before; of who just subscribes, before that. */
  readonly hasSubscribed: boolean;
};
export type Refusal = keyof typeof discountErrors;

/**
 * Why an organization does not get a discount; undefined when it does. A code that is for others reads as one
 * that does not exist, so that nobody learns whom it is for. An Admin gives a discount to whom they want and
 * when: of the limits only the numbers hold.
 */
export function refusalOf(
  discount: Availability & {
    readonly audience: Audience;
    readonly organizationIds: readonly string[];
    readonly maxPerOrganization: number;
  },
  claim: Claim,
  by: 'code' | 'admin',
): Refusal | undefined {
  if (by === 'code') {
    if (discount.isArchived || !isAudience(discount, claim)) return 'discounts.code_unknown';
    if (isExpired(discount, claim.today)) return 'discounts.expired';
  } else {
    if (discount.isArchived) return 'discounts.archived';
    if (isOverFor(discount.duration, claim.today)) return 'discounts.expired';
  }
  if (claim.redeemedBefore >= discount.maxPerOrganization) return 'discounts.already_redeemed';
  return isUsedUp(discount) ? 'discounts.used_up' : undefined;
}

const isAudience = (
  { audience, organizationIds }: { readonly audience: Audience; readonly organizationIds: readonly string[] },
  { organizationId, hasSubscribed }: Claim,
): boolean =>
  audience === 'anyone' || (audience === 'named' ? organizationIds.includes(organizationId) : !hasSubscribed);

/** A code as it is stored and compared: without spaces around it, in capital letters. */
export const normalizedCode = (typed: string): string => typed.trim().toUpperCase();
/** Whether a normalized code may be one: 3 to 40 of A–Z, 0–9, hyphen and underscore. */
export const isCode = (code: string): boolean => /^[A-Z0-9_-]{3,40}$/.test(code);

/** Percentages have at most this many fraction digits. */
export const percentDigits = 4;
/** Above zero, at most 100. */
export function isPercent(text: string): boolean {
  const value = decimal(text);
  return value.gt(zero) && value.lte(decimal('100')) && value.eq(value.round(percentDigits, 0));
}

type Mistake = FieldError & { readonly code: keyof typeof discountErrors };

/** What is wrong with the terms of a new discount, field by field; `today` by the installation's calendar. */
export function termsMistakes(
  {
    reduction,
    maximum,
    duration,
    code,
  }: {
    readonly reduction: Reduction;
    readonly maximum: Money | null;
    readonly duration: Duration;
    readonly code: string | null;
  },
  today: LocalDay,
): Mistake[] {
  const mistakes: Mistake[] = [];
  if (reduction.kind === 'percent' && !isPercent(reduction.percent))
    mistakes.push({
      field: 'reduction.percent',
      code: 'discounts.percent_out_of_range',
      params: { digits: percentDigits },
    });
  if (reduction.kind === 'fixed' && reduction.amount.minor <= 0n)
    mistakes.push({ field: 'reduction.amount', code: 'discounts.amount_not_positive' });
  if (maximum !== null && reduction.kind !== 'percent')
    mistakes.push({ field: 'maximum', code: 'discounts.maximum_of_percent' });
  else if (maximum !== null && maximum.minor <= 0n)
    mistakes.push({ field: 'maximum', code: 'discounts.amount_not_positive' });
  if (isOverFor(duration, today)) mistakes.push({ field: 'duration.until', code: 'discounts.until_passed' });
  if (code !== null && !isCode(code)) mistakes.push({ field: 'code', code: 'discounts.code_wrong' });
  return mistakes;
}

/** Whether lines of a price may be told apart by this charge; a price without charges has none. */
export const isChargeKeyOf = (pricing: Pricing, chargeKey: string): boolean =>
  pricing.model === 'rate_card' && pricing.charges.some(({ key }) => key === chargeKey);

/** What is wrong with whom a discount is for. */
export function audienceMistakes(audience: Audience, organizationIds: readonly string[]): Mistake[] {
  if (audience === 'named' && organizationIds.length === 0)
    return [{ field: 'organizationIds', code: 'discounts.organizations_needed' }];
  return audience !== 'named' && organizationIds.length > 0
    ? [{ field: 'organizationIds', code: 'discounts.organizations_unneeded' }]
    : [];
}

/** The only currency in which a discount reduces anything; undefined: any. */
export const currencyOf = ({
  reduction,
  maximum,
}: {
  readonly reduction: Reduction;
  readonly maximum: Money | null;
}): Currency | undefined => (reduction.kind === 'fixed' ? reduction.amount.currency : maximum?.currency);

/**
 * The lines of a service's estimated month, as of a bill: each charge that does not come once is one, and what a minimum adds or a
 * maximum takes off another.
 */
export function estimatedLines(
  estimate: Estimate,
): { readonly chargeKey: string | null; readonly amount: Money }[] {
  const { currency } = estimate.amount;
  const charges = (estimate.charges ?? [])
    .filter(({ kind }) => kind !== 'one_time')
    .map(({ key, amount }) => ({ chargeKey: key, amount }));
  const rest = subtractMoney(
    estimate.amount,
    sumMoney(
      charges.map(({ amount }) => amount),
      currency,
    ),
  );
  return [
    ...charges,
    ...(rest.minor === 0n && charges.length > 0 ? [] : [{ chargeKey: null, amount: rest }]),
  ];
}
