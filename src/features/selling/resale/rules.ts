// Rules of resale: prices with a mark-up, charge by charge, and which mark-ups hold when.
import { decimal, decimalText, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Charge, MatrixRate, PercentageTier, Tier } from '#features/selling/rating/contract.ts';
import type { MarkUps } from './contract.ts';

export { hostMistake } from './rules-brand.ts';

/** What an organization sells for before it says anything: what it pays itself. */
export const noMarkUps: MarkUps = { percent: '0', services: [] };

/** Prices have at most twelve fraction digits, as everywhere. */
const priceDigits = 12;
const halfUp = 1;
const hundred = decimal('100');
const hundredth = decimal('0.01');

/** By what a price is multiplied: 1.2 for 20 percent. */
export const factorOf = (percent: string): Decimal => hundred.plus(decimal(percent)).times(hundredth);

/** A price with the mark-up, rounded half up where it would have more than twelve fraction digits. */
export const scaled = (price: string, factor: Decimal): string =>
  decimalText(decimal(price).times(factor).round(priceDigits, halfUp));

/** The limits of a price with the mark-up; what is not there stays away. */
export const scaledLimits = (
  { minimum, maximum }: { readonly minimum?: string | undefined; readonly maximum?: string | undefined },
  factor: Decimal,
): { minimum?: string; maximum?: string } => ({
  ...(minimum !== undefined && { minimum: scaled(minimum, factor) }),
  ...(maximum !== undefined && { maximum: scaled(maximum, factor) }),
});

/** Tiers with the mark-up: they begin and end where they did. */
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
 * A charge with the mark-up. Everything that is a price grows by the factor, so that each month costs exactly the factor more; what
 * is included or free, and where tiers and packages end, stays as it is.
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
    // Events bring their own amounts; a share above 100 percent of them is the same with the mark-up.
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

/** The one amount of a charge that a reseller may replace: of a fee, a unit or a package; undefined where the price has several parts. */
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

/** A charge at an amount of the reseller's own; its limits have the mark-up. A charge without one amount has the mark-up. */
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

/** The mark-ups that hold in a month or from a moment on: the newest that began; none before the first. */
export function markUpsAt<T extends { readonly from: Date | BillingMonth; readonly markUps: MarkUps }>(
  terms: readonly T[],
  at: T['from'],
): MarkUps {
  let found: T | undefined;
  for (const term of terms) if (term.from <= at && (!found || term.from > found.from)) found = term;
  return found?.markUps ?? noMarkUps;
}

/** The percent of a service and its own amounts by the key of their charge. */
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
 * Why mark-ups cannot begin with a month: what ran or runs keeps its prices. The first ones of a reseller may begin with the running
 * month, as nothing was sold by others. `running`: the month that runs in the zone that is furthest ahead.
 */
export function markUpMonthMistake(
  from: BillingMonth,
  known: { readonly running: BillingMonth; readonly isFirst: boolean },
): 'resellers.month_begun' | undefined {
  return from > known.running || (known.isFirst && from === known.running)
    ? undefined
    : 'resellers.month_begun';
}
