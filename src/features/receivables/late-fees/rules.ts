// Rules of late fees: the late part of a bill on each day, and its cost.
import { decimal, roundedQuotient, roundToInteger } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, firstDayOf } from '#kernel/time.ts';
import type { lateFeesErrors, LateFeeTerms } from './contract.ts';

/** Every year counts with this many days, including leap years, so that a day always costs the same. */
export const daysOfYear = 365n;
/** The maximum number of fraction digits of a percentage. */
export const percentDigits = 4;

/** From one day until before another; null: without an end. */
export type Span = { readonly from: LocalDay; readonly until: LocalDay | null };
/** The data of a bill, in minor units and in its organization's time zone. */
export type LateBill = {
  readonly total: bigint;
  readonly dueOn: LocalDay;
  /**
   * The paid and credited amounts at the end of each day on which they changed, earliest first; zero before.
   */
  readonly changes: readonly {
    readonly on: LocalDay;
    readonly paid: bigint;
    readonly credited: bigint;
  }[];
  /** While a payment plan runs, only its missed installments are late. */
  readonly plans: readonly (Span & {
    readonly parts: readonly { readonly on: LocalDay; readonly from: bigint; readonly until: bigint }[];
  })[];
  /** Days without a fee: a later date was granted, a payment is disputed, or late fees were off. */
  readonly free: readonly Span[];
};
/** Consecutive days, both ends included, with the same late amount. */
export type Stretch = {
  readonly from: LocalDay;
  readonly until: LocalDay;
  readonly days: number;
  readonly minor: bigint;
};

const isIn = ({ from, until }: Span, day: LocalDay): boolean =>
  from <= day && (until === null || day < until);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The late amount at the end of a day with a fee: everything due, or the missed part of a plan. */
function lateOn({ total, changes, plans }: LateBill, day: LocalDay): bigint {
  const { paid, credited } = changes.findLast(({ on }) => on <= day) ?? { paid: 0n, credited: 0n };
  // Of two plans on the same day, the newer one applies.
  const plan = plans.findLast((each) => isIn(each, day));
  if (!plan) return larger(0n, total - paid - credited);
  return plan.parts
    .filter(({ on }) => on < day)
    .reduce(
      (sum, part) => sum + larger(0n, smaller(part.until, total - credited) - larger(part.from, paid)),
      0n,
    );
}

/**
 * Returns the late amounts of a bill from the end of the grace period through a past day. A day on which the
 * bill is paid costs nothing; the grace period never does.
 */
export function lateStretches(bill: LateBill, graceDays: number, through: LocalDay): Stretch[] {
  const all: Stretch[] = [];
  for (let day = addDays(bill.dueOn, graceDays + 1); day <= through; day = addDays(day, 1)) {
    const minor = isFreeOn(bill.free, day) ? 0n : lateOn(bill, day);
    if (minor === 0n) continue;
    const last = all.at(-1);
    if (last?.minor === minor && addDays(last.until, 1) === day)
      all[all.length - 1] = { ...last, until: day, days: last.days + 1 };
    else all.push({ from: day, until: day, days: 1, minor });
  }
  return all;
}

/** The terms of a fee, in minor units: a percentage of the late amount, or a fixed sum per step. */
export type FeeTerms = {
  readonly percent: string | null;
  readonly fixed: bigint;
  readonly minimum: bigint;
  readonly cap: bigint | null;
};

const scale = 10n ** BigInt(percentDigits);
/**
 * The fee of all days so far: Σ (late × days) × percent ÷ 100 ÷ 365, rounded once, half away from zero
 * (domain.md, "Money"); nothing below the minimum, and never more than the cap. Each charge is this minus
 * earlier charges, so that charges add up to the fee of the whole time however often they are made.
 */
export function feeOfStretches(
  { percent, minimum, cap }: FeeTerms,
  stretches: readonly Pick<Stretch, 'days' | 'minor'>[],
): bigint {
  const scaled = roundToInteger(decimal(percent ?? '0').times(decimal(scale)));
  const late = stretches.reduce((sum, { days, minor }) => sum + minor * BigInt(days), 0n);
  const fee = roundedQuotient(late * scaled, 100n * daysOfYear * scale);
  return fee < minimum ? 0n : cap === null ? fee : smaller(fee, cap);
}

/** The fee of a number of schedule steps: a fixed sum each, up to the cap. */
export const feeOfSteps = ({ fixed, cap }: FeeTerms, steps: number): bigint => {
  const fee = fixed * BigInt(steps);
  return cap === null ? fee : smaller(fee, cap);
};

/** Returns the parts of stretches after a day. */
export const stretchesAfter = (stretches: readonly Stretch[], after: LocalDay): Stretch[] =>
  stretches.flatMap((each) => {
    if (each.until <= after) return [];
    if (each.from > after) return [each];
    let { days } = each;
    for (let day = each.from; day <= after; day = addDays(day, 1)) days -= 1;
    return [{ ...each, from: addDays(after, 1), days }];
  });

/** The last day of the month before the one that contains a day: late fees are charged for whole months. */
export const lastOfMonthBefore = (today: LocalDay): LocalDay => addDays(firstDayOf(today), -1);

/** Whether a day has no fee. */
export const isFreeOn = (free: readonly Span[], day: LocalDay): boolean =>
  free.some((span) => isIn(span, day));

export type TermsMistake = { readonly field: string; readonly code: keyof typeof lateFeesErrors };
const percentPattern = new RegExp(`^\\d{1,3}(\\.\\d{1,${percentDigits}})?$`);
/** Why terms are invalid, and at which field; undefined if they are valid. */
export function termsMistake({ currencies }: LateFeeTerms): TermsMistake | undefined {
  const seen = new Set<string>();
  for (const [index, { currency, percent, fixed, minimum, cap }] of currencies.entries()) {
    const at = `terms.currencies.${index}`;
    if (seen.has(currency)) return { field: `${at}.currency`, code: 'latefees.currency_twice' };
    seen.add(currency);
    if ((percent === null) === (fixed === null)) return { field: `${at}.percent`, code: 'latefees.one_way' };
    if (percent !== null) {
      const isRight =
        percentPattern.test(percent) &&
        decimal(percent).gt(decimal('0')) &&
        decimal(percent).lte(decimal('100'));
      if (!isRight) return { field: `${at}.percent`, code: 'latefees.percent_wrong' };
    }
    if ([fixed, minimum, cap].some((amount) => amount !== null && amount.currency !== currency))
      return { field: `${at}.currency`, code: 'latefees.other_currency' };
    if (fixed !== null && fixed.minor <= 0n) return { field: `${at}.fixed`, code: 'latefees.amount_wrong' };
    if (minimum.minor < 0n) return { field: `${at}.minimum`, code: 'latefees.amount_wrong' };
    if (cap !== null && (cap.minor <= 0n || cap.minor < minimum.minor))
      return { field: `${at}.cap`, code: 'latefees.cap_wrong' };
  }
  return undefined;
}
