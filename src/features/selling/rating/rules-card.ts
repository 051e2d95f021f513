// Rate cards: their validation, and the price of a month of their charges.
import { decimal, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { byKey, withSortedKeys } from '#kernel/order.ts';
import type { Charge, DraftCharge, MatrixRate, RateCard, ratingErrors } from './contract.ts';
import { quantityOfEvents, type Aggregate } from './rules-aggregate.ts';
import { chargePrice, excessOver, topUpTo, type ChargeUsage, type RatedEvent } from './rules-charge.ts';
import { blockOf } from './rules-percentage.ts';
import type { Price } from './rules-price-steps.ts';

/** An error in a charge or rate card, and its field relative to the charge or card. */
export type RatingMistake = { readonly code: keyof typeof ratingErrors & string; readonly field: string };

type BoundedStep = { readonly upTo: string | null };
/**
 * Returns the index of the first tier that does not end above the previous one or is unbounded too early, or
 * of the last if it is bounded.
 */
export function wrongTier(tiers: readonly BoundedStep[]): number | undefined {
  let from = zero;
  for (const [index, { upTo }] of tiers.entries()) {
    if ((upTo === null) !== (index === tiers.length - 1)) return index;
    if (upTo === null) continue;
    if (decimal(upTo).lte(from)) return index;
    from = decimal(upTo);
  }
  return undefined;
}

const tiersMistake = (tiers: readonly BoundedStep[], field: string): RatingMistake | undefined => {
  const place = wrongTier(tiers);
  return place === undefined ? undefined : { code: 'rating.tiers_wrong', field: `${field}.${place}.upTo` };
};
const packageMistake = (size: string, field: string): RatingMistake | undefined =>
  decimal(size).gt(zero) ? undefined : { code: 'rating.package_size_zero', field };

/** Serializes conditions so that their order does not matter. */
const conditionsOf = ({ when }: MatrixRate): string => JSON.stringify(Object.entries(when).toSorted(byKey));

function matrixMistake(rates: readonly MatrixRate[]): RatingMistake | undefined {
  const seen = new Set<string>();
  for (const [index, rate] of rates.entries()) {
    const conditions = conditionsOf(rate);
    if (seen.has(conditions)) return { code: 'rating.rate_twice', field: `rates.${index}.when` };
    seen.add(conditions);
    const mistake =
      'tiers' in rate
        ? tiersMistake(rate.tiers, `rates.${index}.tiers`)
        : 'package' in rate
          ? packageMistake(rate.package.packageSize, `rates.${index}.package.packageSize`)
          : undefined;
    if (mistake) return mistake;
  }
  return undefined;
}

/** Models that price usage only and are meaningless for a fee. */
const usageModels: ReadonlySet<Charge['model']> = new Set([
  'percentage',
  'graduated_percentage',
  'dynamic',
  'matrix',
]);

/** Why the price of a charge is invalid beyond its schema; undefined if it is valid. */
export function chargePriceMistake(charge: Charge | DraftCharge): RatingMistake | undefined {
  const isBelow = (maximum: string | undefined, minimum: string | undefined): boolean =>
    maximum !== undefined && decimal(maximum).lt(decimal(minimum ?? '0'));
  if (isBelow(charge.maximum, charge.minimum))
    return { code: 'rating.maximum_below_minimum', field: 'maximum' };
  switch (charge.model) {
    case 'graduated':
    case 'volume':
    case 'graduated_percentage':
      return tiersMistake(charge.tiers, 'tiers');
    case 'package':
      return packageMistake(charge.packageSize, 'packageSize');
    case 'percentage':
      return isBelow(charge.maxPerEvent, charge.minPerEvent)
        ? { code: 'rating.event_maximum_below_minimum', field: 'maxPerEvent' }
        : undefined;
    case 'matrix':
      return matrixMistake(charge.rates);
    case 'flat':
    case 'per_unit':
    case 'dynamic':
      return undefined;
  }
}

/**
 * Whether a charge's price depends on more than the quantity of its usage: on single events, or on their
 * dimensions.
 */
export function dependsOnEvents(charge: Charge): boolean {
  switch (charge.model) {
    case 'percentage':
      return [
        charge.fixedPerEvent,
        charge.freeEvents,
        charge.freeAmount,
        charge.minPerEvent,
        charge.maxPerEvent,
      ].some((part) => part !== undefined);
    case 'matrix':
      return true;
    case 'graduated':
    case 'volume':
      return charge.tierScope === 'per_value';
    case 'flat':
    case 'per_unit':
    case 'package':
    case 'graduated_percentage':
    case 'dynamic':
      return false;
  }
}

/** Why a charge is invalid; undefined if it is valid. */
export function chargeMistake(charge: Charge): RatingMistake | undefined {
  const isUsage = charge.kind === 'usage';
  if (isUsage && charge.meter === undefined) return { code: 'rating.meter_needed', field: 'meter' };
  if (!isUsage && charge.meter !== undefined) return { code: 'rating.meter_unwanted', field: 'meter' };
  if (!isUsage && usageModels.has(charge.model)) return { code: 'rating.model_needs_usage', field: 'model' };
  if (isUsage && charge.timing === 'advance') return { code: 'rating.advance_needs_fee', field: 'timing' };
  return chargePriceMistake(charge);
}

/**
 * Returns the first condition of a matrix on a dimension that its meter does not record: its rate would never
 * apply.
 */
export function unknownDimension(
  charge: Charge,
  dimensions: readonly string[],
): { readonly dimension: string; readonly field: string } | undefined {
  if (charge.model !== 'matrix') return undefined;
  for (const [index, { when }] of charge.rates.entries()) {
    const dimension = Object.keys(when).find((each) => !dimensions.includes(each));
    if (dimension !== undefined) return { dimension, field: `rates.${index}.when` };
  }
  return undefined;
}

/** Whether two versions of a charge have different periods or meters; one cannot succeed the other then. */
export function hasOtherPeriods(before: Charge, after: Charge): boolean {
  const fixed = ({ kind, meter, timing, cycle = 'month', prorate = 'day', anchor = 'calendar' }: Charge) =>
    JSON.stringify([
      kind,
      meter,
      timing ?? (kind === 'usage' ? 'arrears' : 'advance'),
      cycle,
      prorate,
      anchor,
    ]);
  return fixed(before) !== fixed(after);
}

/** Whether a rate has no conditions, so that it prices everything that meets no other rate. */
const isForAllElse = ({ when }: MatrixRate): boolean => Object.keys(when).length === 0;

/**
 * The error of a matrix that does not define what happens to events without a matching rate, or says both
 * that they are priced and that they are rejected. A price stored before this was required rejects them.
 */
function wayOutMistake(charge: Charge): RatingMistake | undefined {
  if (charge.model !== 'matrix') return undefined;
  const isPriced = charge.rates.some(isForAllElse);
  if (isPriced === (charge.unmatched === undefined)) return undefined;
  return { code: isPriced ? 'rating.unmatched_priced' : 'rating.no_way_out', field: 'unmatched' };
}

/** Whether a charge occurs unchanged in a price, whatever the order of its fields. */
const standsIn = (charge: Charge, known: readonly Charge[]): boolean =>
  known.some((each) => each.key === charge.key && sorted(each) === sorted(charge));
const sorted = (charge: Charge): string =>
  JSON.stringify(charge, (_key, value: unknown) => withSortedKeys(value));

/**
 * Why a rate card is invalid; undefined if it is valid. `known`: the charges of the price in force, which may
 * stay unchanged even if a matrix among them was created before it had to define what happens to events
 * without a matching rate.
 */
export function rateCardMistake(
  { charges, minimum, maximum }: RateCard,
  known: readonly Charge[] = [],
): RatingMistake | undefined {
  if (maximum !== undefined && decimal(maximum).lt(decimal(minimum ?? '0')))
    return { code: 'rating.maximum_below_minimum', field: 'maximum' };
  const keys = new Set<string>();
  for (const [index, charge] of charges.entries()) {
    const mistake: RatingMistake | undefined = keys.has(charge.key)
      ? { code: 'rating.key_twice', field: 'key' }
      : (chargeMistake(charge) ?? (standsIn(charge, known) ? undefined : wayOutMistake(charge)));
    if (mistake) return { ...mistake, field: `charges.${index}.${mistake.field}` };
    keys.add(charge.key);
  }
  return undefined;
}

/**
 * The price of each charge of a month, in the card's order, and the effect of the card's own limits on the
 * sum.
 */
export type CardPrice = {
  readonly charges: readonly { readonly charge: Charge; readonly price: Price }[];
  readonly topUp: Decimal;
  readonly cut: Decimal;
  readonly exact: Decimal;
};

/**
 * Returns the price of a month of a rate card. `usageOf` returns a charge's usage, or for a fee its quantity.
 * @throws NoRateError when a matrix has no rate for some of the usage.
 */
export function cardPrice(card: RateCard, usageOf: (charge: Charge) => ChargeUsage): CardPrice {
  const charges = card.charges.map((charge) => ({ charge, price: chargePrice(charge, usageOf(charge)) }));
  const charged = sumDecimals(charges.map(({ price }) => price.exact));
  const topUp = topUpTo(card.minimum, charged);
  const cut = excessOver(card.maximum, charged);
  return { charges, topUp, cut, exact: charged.plus(topUp).minus(cut) };
}

/** The events of usage that is known as a single figure only: a percentage treats it as one event. */
export const asOneEvent = (quantity: Decimal): ChargeUsage['events'] =>
  isZero(quantity) ? [] : [blockOf(quantity)];

/** The usage of a charge that is known as a single figure only. */
export function usageOfQuantity(quantity: Decimal): ChargeUsage {
  return {
    quantity,
    cells: isZero(quantity) ? [] : [{ dimensions: {}, quantity }],
    events: asOneEvent(quantity),
  };
}

/**
 * Returns the usage that a meter computes from a few events in order of time: for previews and estimates.
 * Events without times are aggregated as in {@link quantityOfEvents}.
 */
export function usageOfEvents(meter: Aggregate, events: readonly RatedEvent[]): ChargeUsage {
  const cells = Map.groupBy(events, ({ dimensions }) => dimensionsKey(dimensions));
  return {
    quantity: quantityOfEvents(meter, events),
    cells: [...cells.values()].flatMap((ofCell) =>
      ofCell[0] ? [{ dimensions: ofCell[0].dimensions, quantity: quantityOfEvents(meter, ofCell) }] : [],
    ),
    events: events.map(({ value }) => blockOf(value)),
  };
}

/** Serializes the values of some dimensions so that their order does not matter. */
export const dimensionsKey = (dimensions: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(dimensions).toSorted(byKey));
