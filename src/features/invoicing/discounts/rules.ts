// Rules of discounts: when and to what a discount applies, who may have it, and its effect on an estimate.
import { decimal, zero } from '#kernel/decimal.ts';
import type { FieldError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths, monthOfDay } from '#kernel/time.ts';
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

/** A discount that an organization has, as it applies to the bill of a month. */
export type DiscountInForce = {
  readonly redemptionId: Id<'rdm'>;
  /** The version of the redemption; incremented when a bill uses it and when it is taken away. */
  readonly version: bigint;
  readonly name: Terms['name'];
  readonly reduction: Reduction;
  readonly maximum: Money | null;
  readonly scope: DiscountScope;
  /** Whether one bill uses it up. */
  readonly isOnce: boolean;
};
/**
 * null: applies to everything; otherwise to this subscription, or to lines of these services (or some of
 * their charges).
 */
export type DiscountScope = {
  readonly subscriptionId: string | null;
  readonly services:
    | readonly { readonly serviceId: string; readonly chargeKeys: readonly string[] | null }[]
    | null;
};
/** What a line of a bill is for; null if it is for no particular subscription, service or charge. */
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

/** The inputs that determine whether and until when a redemption applies. */
export type Standing = {
  readonly duration: Duration;
  /** The month, in the organization's time zone, in which it redeemed the discount. */
  readonly firstMonth: BillingMonth;
  readonly isEnded: boolean;
  /** The months of bills in force that it is on. */
  readonly appliedMonths: readonly BillingMonth[];
};

/** The last month that may be reduced; null if that does not depend on the calendar. */
export function lastMonthOf({
  duration,
  firstMonth,
}: Pick<Standing, 'duration' | 'firstMonth'>): BillingMonth | null {
  if (duration.kind === 'months') return addMonths(firstMonth, duration.months - 1);
  return duration.kind === 'until' ? monthOfDay(duration.until) : null;
}

/**
 * Whether a redemption applies to the bills of a month, including adjustments of earlier months and one-off
 * charges on them. A discount for a single bill is used once a bill of another month has it; the bills of one
 * month in several currencies count as one, so that reissuing one of them does not lose the discount.
 */
export function appliesIn(standing: Standing, month: BillingMonth): boolean {
  const { duration, firstMonth, isEnded, appliedMonths } = standing;
  if (isEnded || month < firstMonth) return false;
  const last = lastMonthOf(standing);
  if (last !== null && month > last) return false;
  return duration.kind !== 'once' || appliedMonths.every((applied) => applied === month);
}

/** Returns the state of a redemption in an organization's current month. */
export function redemptionState(standing: Standing, now: BillingMonth): RedemptionState {
  if (standing.isEnded) return 'ended';
  if (standing.duration.kind === 'once' && standing.appliedMonths.length > 0) return 'used';
  const last = lastMonthOf(standing);
  // The bill of the last month is issued after it, so the following month is the first without the discount.
  return last !== null && now > last ? 'over' : 'active';
}

/** The inputs that determine who may still get a discount. */
export type Availability = {
  readonly isArchived: boolean;
  readonly duration: Duration;
  readonly redeemableUntil: LocalDay | null;
  readonly maxRedemptions: number | null;
  readonly redemptions: number;
};

/** `today` is in the reader's time zone. */
export function discountState(discount: Availability, today: LocalDay): DiscountState {
  if (discount.isArchived) return 'archived';
  if (isExpired(discount, today)) return 'expired';
  return isUsedUp(discount) ? 'used_up' : 'active';
}

const isUsedUp = ({ maxRedemptions, redemptions }: Availability): boolean =>
  maxRedemptions !== null && redemptions >= maxRedemptions;
/** Whether the last day of its code has passed, or the last month it could reduce. */
const isExpired = ({ redeemableUntil, duration }: Availability, today: LocalDay): boolean =>
  (redeemableUntil !== null && today > redeemableUntil) || isOverFor(duration, today);
const isOverFor = (duration: Duration, today: LocalDay): boolean =>
  duration.kind === 'until' && monthOfDay(duration.until) < monthOfDay(today);

/** The organization that requests a discount. */
export type Claim = {
  readonly organizationId: string;
  /** In the organization's time zone. */
  readonly today: LocalDay;
  /** How often the organization has already redeemed it. */
  readonly redeemedBefore: number;
  /** Whether it had subscribed to anything before; while subscribing, before the new subscription. */
  readonly hasSubscribed: boolean;
};
export type Refusal = keyof typeof discountErrors;

/**
 * Why an organization does not get a discount; undefined if it does. A code for other organizations is
 * reported as unknown, so that its audience is not disclosed. An Admin may grant a discount to anyone at any
 * time: of the limits, only the redemption counts apply.
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

/** Normalizes a code for storage and comparison: trimmed, in upper case. */
export const normalizedCode = (typed: string): string => typed.trim().toUpperCase();
/** Whether a normalized code is valid: 3 to 40 of A–Z, 0–9, hyphen and underscore. */
export const isCode = (code: string): boolean => /^[A-Z0-9_-]{3,40}$/.test(code);

/** Percentages have at most this many fraction digits. */
export const percentDigits = 4;
/** Whether a percentage is positive and at most 100. */
export function isPercent(text: string): boolean {
  const value = decimal(text);
  return value.gt(zero) && value.lte(decimal('100')) && value.eq(value.round(percentDigits, 0));
}

type Mistake = FieldError & { readonly code: keyof typeof discountErrors };

/**
 * Returns the errors in the terms of a new discount, field by field; `today` is in the installation's time
 * zone.
 */
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

/** Whether lines of a price can be distinguished by this charge; a price without charges has none. */
export const isChargeKeyOf = (pricing: Pricing, chargeKey: string): boolean =>
  pricing.model === 'rate_card' && pricing.charges.some(({ key }) => key === chargeKey);

/** Returns the errors in a discount's audience. */
export function audienceMistakes(audience: Audience, organizationIds: readonly string[]): Mistake[] {
  if (audience === 'named' && organizationIds.length === 0)
    return [{ field: 'organizationIds', code: 'discounts.organizations_needed' }];
  return audience !== 'named' && organizationIds.length > 0
    ? [{ field: 'organizationIds', code: 'discounts.organizations_unneeded' }]
    : [];
}

/** The only currency in which a discount applies; undefined for any. */
export const currencyOf = ({
  reduction,
  maximum,
}: {
  readonly reduction: Reduction;
  readonly maximum: Money | null;
}): Currency | undefined => (reduction.kind === 'fixed' ? reduction.amount.currency : maximum?.currency);

/**
 * The lines of a service's estimated month, as on a bill: one for each charge that is not one-time, and one
 * for what a minimum adds or a maximum deducts.
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
