// Rules of resale: prices with a mark-up, charge by charge, and which mark-ups apply when.
import { decimal, decimalText, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Charge, MatrixRate, PercentageTier, Tier } from '#features/selling/rating/contract.ts';
import type { MarkUps } from './contract.ts';

export { hostMistake } from './rules-brand.ts';

/** A reseller's default mark-ups: it sells at its purchase prices. */
export const noMarkUps: MarkUps = { percent: '0', services: [] };

/** Prices have at most twelve fraction digits, as everywhere. */
const priceDigits = 12;
const halfUp = 1;
const hundred = decimal('100');
const hundredth = decimal('0.01');

/** The factor that a price is multiplied by: 1.2 for 20 percent. */
export const factorOf = (percent: string): Decimal => hundred.plus(decimal(percent)).times(hundredth);

/** A price with the mark-up, rounded half up if it would have more than twelve fraction digits. */
export const scaled = (price: string, factor: Decimal): string =>
  decimalText(decimal(price).times(factor).round(priceDigits, halfUp));

/** The limits of a price with the mark-up; missing limits stay missing. */
export const scaledLimits = (
  { minimum, maximum }: { readonly minimum?: string | undefined; readonly maximum?: string | undefined },
  factor: Decimal,
): { minimum?: string; maximum?: string } => ({
  ...(minimum !== undefined && { minimum: scaled(minimum, factor) }),
  ...(maximum !== undefined && { maximum: scaled(maximum, factor) }),
});

/** Tiers with the mark-up: their bounds are unchanged. */
export const scaledTiers = (tiers: readonly Tier[], factor: Decimal): Tier[] =>
  tiers.map(({ upTo, unitPrice, flatFee }) => ({
    upTo,
    unitPrice: scaled(unitPrice, factor),
    ...(flatFee !== undefined && { flatFee: scaled(flatFee, factor) }),
  }));

const scaledShares = (tiers: readonly PercentageTier[], factor: Decimal): PercentageTier[] =>
  tiers.map(({ upTo, ratePercent, flatFee }) => ({
    upTo,
    ratePercent: scaled(ratePercent, factor),
    ...(flatFee !== undefined && { flatFee: scaled(flatFee, factor) }),
  }));

function scaledRate(rate: MatrixRate, factor: Decimal): MatrixRate {
  if ('unitPrice' in rate) return { ...rate, unitPrice: scaled(rate.unitPrice, factor) };
  if ('tiers' in rate) return { ...rate, tiers: scaledTiers(rate.tiers, factor) };
  return {
    ...rate,
    package: { ...rate.package, packagePrice: scaled(rate.package.packagePrice, factor) },
  };
}

/**
 * A charge with the mark-up. All prices are multiplied by the factor, so that each month costs exactly the
 * factor more; allowances, free units and the bounds of tiers and packages are unchanged.
 */
export function markedUpCharge(charge: Charge, factor: Decimal): Charge {
  const limits = scaledLimits(charge, factor);
  switch (charge.model) {
    case 'flat':
      return { ...charge, ...limits, amount: scaled(charge.amount, factor) };
    case 'per_unit':
      return { ...charge, ...limits, unitPrice: scaled(charge.unitPrice, factor) };
    case 'graduated':
    case 'volume':
      return { ...charge, ...limits, tiers: scaledTiers(charge.tiers, factor) };
    case 'package':
      return { ...charge, ...limits, packagePrice: scaled(charge.packagePrice, factor) };
    case 'graduated_percentage':
      return { ...charge, ...limits, tiers: scaledShares(charge.tiers, factor) };
    case 'matrix':
      return { ...charge, ...limits, rates: charge.rates.map((rate) => scaledRate(rate, factor)) };
    case 'percentage': {
      const { fixedPerEvent, minPerEvent, maxPerEvent } = charge;
      return {
        ...charge,
        ...limits,
        ratePercent: scaled(charge.ratePercent, factor),
        ...(fixedPerEvent !== undefined && { fixedPerEvent: scaled(fixedPerEvent, factor) }),
        ...(minPerEvent !== undefined && { minPerEvent: scaled(minPerEvent, factor) }),
        ...(maxPerEvent !== undefined && { maxPerEvent: scaled(maxPerEvent, factor) }),
      };
    }
    // Events bring their own amounts; a percentage above 100 of them has the same effect as the mark-up.
    case 'dynamic': {
      const { model: _model, ...identity } = charge;
      return {
        ...identity,
        ...limits,
        model: 'graduated_percentage',
        tiers: [{ upTo: null, ratePercent: decimalText(factor.times(hundred)) }],
      };
    }
  }
}

/**
 * The single amount of a charge that a reseller may replace: of a fee, a unit or a package; undefined if the
 * price has several parts.
 */
export function ownAmount(charge: Charge): string | undefined {
  switch (charge.model) {
    case 'flat':
      return charge.amount;
    case 'per_unit':
      return charge.unitPrice;
    case 'package':
      return charge.packagePrice;
    case 'graduated':
    case 'volume':
    case 'percentage':
    case 'graduated_percentage':
    case 'dynamic':
    case 'matrix':
      return undefined;
  }
}

/**
 * A charge at a reseller's own amount; its limits have the mark-up. A charge without a single amount gets the
 * mark-up.
 */
export function chargeAt(charge: Charge, amount: string, factor: Decimal): Charge {
  const marked = markedUpCharge(charge, factor);
  switch (marked.model) {
    case 'flat':
      return { ...marked, amount };
    case 'per_unit':
      return { ...marked, unitPrice: amount };
    case 'package':
      return { ...marked, packagePrice: amount };
    case 'graduated':
    case 'volume':
    case 'percentage':
    case 'graduated_percentage':
    case 'dynamic':
    case 'matrix':
      return marked;
  }
}

/**
 * The mark-ups that apply in a month or at a given time: the latest that have started; none before the first.
 */
export function markUpsAt<T extends { readonly from: Date | BillingMonth; readonly markUps: MarkUps }>(
  terms: readonly T[],
  at: T['from'],
): MarkUps {
  let found: T | undefined;
  for (const term of terms) if (term.from <= at && (!found || term.from > found.from)) found = term;
  return found?.markUps ?? noMarkUps;
}

/** The percentage for a service, and its own amounts by charge key. */
export function markUpOf(
  { percent, services }: MarkUps,
  serviceId: string,
): { readonly factor: Decimal; readonly amounts: ReadonlyMap<string, string> } {
  const own = services.find((each) => each.serviceId === serviceId);
  return {
    factor: factorOf(own?.percent ?? percent),
    amounts: new Map((own?.charges ?? []).map(({ key, amount }) => [key, amount])),
  };
}

/**
 * Why mark-ups cannot start with a month; undefined if they can: current and past months keep their prices. A
 * reseller's first mark-ups may start with the current month, as nothing was sold at other prices. `running`:
 * the current month in the time zone that is furthest ahead, or for the first ones in the reseller's.
 */
export function markUpMonthMistake(
  from: BillingMonth,
  known: { readonly running: BillingMonth; readonly isFirst: boolean },
): 'resellers.month_begun' | undefined {
  return from > known.running || (known.isFirst && from === known.running)
    ? undefined
    : 'resellers.month_begun';
}
