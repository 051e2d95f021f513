// The price of a percentage charge: of single events, or of blocks of them, so that the price of a million
// events does not need each. Source: Lago's percentage charges
// (https://getlago.com/docs/guide/plans/charges/charge-models/percentage).
import { decimal, isZero, zero, type Decimal } from '#kernel/decimal.ts';
import type { Charge, DraftCharge } from './contract.ts';
import { priceOfSteps, priceStep, type Price } from './rules-price-steps.ts';

export type Percentage = Extract<Charge | DraftCharge, { model: 'percentage' }>;

/** Consecutive events: their number, the sum of their values, and the smallest and the largest value. */
export type EventBlock = {
  readonly count: number;
  readonly sum: Decimal;
  readonly min: Decimal;
  readonly max: Decimal;
};

/** A block of one event, or of several with the same value. */
export const blockOf = (value: Decimal, count = 1): EventBlock => ({
  count,
  sum: count === 1 ? value : value.times(times(count)),
  min: value,
  max: value,
});

/** The events of two blocks as one. */
export const joinBlocks = (a: EventBlock, b: EventBlock): EventBlock => ({
  count: a.count + b.count,
  sum: a.sum.plus(b.sum),
  min: a.min.lt(b.min) ? a.min : b.min,
  max: a.max.gt(b.max) ? a.max : b.max,
});

/** The same events with values `factor` times as large. */
export const grownBlock = ({ count, sum, min, max }: EventBlock, factor: Decimal): EventBlock => ({
  count,
  sum: sum.times(factor),
  min: min.times(factor),
  max: max.times(factor),
});

/** A block of values of both signs. */
const isMixed = ({ min, max }: EventBlock): boolean => min.lt(zero) && max.gte(zero);

const times = (count: number): Decimal => decimal(BigInt(count));

/** What a percentage charge takes of one event that is paid. */
function perEvent(charge: Percentage) {
  const rate = decimal(charge.ratePercent).times(decimal('0.01'));
  const fee = decimal(charge.fixedPerEvent ?? '0');
  const least = charge.minPerEvent === undefined ? undefined : decimal(charge.minPerEvent);
  const most = charge.maxPerEvent === undefined ? undefined : decimal(charge.maxPerEvent);
  const isBelow = (price: Decimal): boolean => least !== undefined && price.lt(least);
  const isAbove = (price: Decimal): boolean => !isBelow(price) && most !== undefined && price.gt(most);
  return { rate, fee, least, most, isBelow, isAbove };
}

/**
 * Returns to which of a few groups a value belongs: all paid events of one group have their price as one
 * block.
 */
export function paidGroupOf(
  charge: Percentage,
): (value: Decimal) => 'negative' | 'below' | 'above' | 'within' {
  const { rate, fee, isBelow, isAbove } = perEvent(charge);
  return (value) => {
    if (value.lt(zero)) return 'negative';
    const price = value.times(rate).plus(fee);
    if (isBelow(price)) return 'below';
    return isAbove(price) ? 'above' : 'within';
  };
}

/**
 * Sums what a percentage charge takes of events, in their order: a percentage of each event's value, plus a
 * fixed fee for each paid event. The first events are free, up to `freeEvents` in number and up to
 * `freeAmount` in total, whichever is used up first; an event that `freeAmount` covers in part pays for the
 * rest of its value. The price of one event is raised to `minPerEvent` and lowered to `maxPerEvent`. A
 * negative value (a correction) lowers the price by its percentage, without fee and minimum.
 */
function percentageTally(charge: Percentage) {
  const { rate, fee, least, most, isBelow, isAbove } = perEvent(charge);
  // Sums of values are all that it takes.
  const isPlain = isZero(fee) && least === undefined && most === undefined;
  let freeLeft: Decimal | null = charge.freeAmount === undefined ? null : decimal(charge.freeAmount);
  let freeEventsLeft =
    charge.freeEvents === undefined
      ? freeLeft === null
        ? 0
        : Number.POSITIVE_INFINITY
      : Number.parseInt(String(charge.freeEvents), 10);
  let [events, freeEvents, freeValue, paidEvents, paidValue] = [0, 0, zero, 0, zero];
  let [raised, raisedEvents, lowered, loweredEvents] = [zero, 0, zero, 0];

  const isFree = ({ count, sum, min }: EventBlock): boolean =>
    min.gte(zero) && count <= freeEventsLeft && (freeLeft === null || sum.lte(freeLeft));

  /** Adds events that are not free; `paid` is the part of their values that is paid for. */
  const addPaid = ({ count, min, max }: EventBlock, paid: Decimal): boolean => {
    if (max.gte(zero) && !isPlain) {
      if (min.lt(zero)) return false;
      const [low, high] = count === 1 ? [paid, paid] : [min, max];
      const prices = [low.times(rate).plus(fee), high.times(rate).plus(fee)];
      const price = paid.times(rate).plus(fee.times(times(count)));
      for (const isBeyond of [isBelow, isAbove])
        if (prices.some(isBeyond) && !prices.every(isBeyond)) return false;
      if (least !== undefined && prices.every(isBelow)) {
        raised = raised.plus(least.times(times(count)).minus(price));
        raisedEvents += count;
      } else if (most !== undefined && prices.every(isAbove)) {
        lowered = lowered.plus(price.minus(most.times(times(count))));
        loweredEvents += count;
      }
      paidEvents += count;
    }
    paidValue = paidValue.plus(paid);
    events += count;
    return true;
  };

  return {
    /** Adds a block. Returns false, and adds nothing, if its price depends on its single events. */
    add: (block: EventBlock): boolean => {
      const { count, sum, min, max } = block;
      if (freeEventsLeft === 0 || max.lt(zero)) return addPaid(block, sum);
      if (isFree(block)) {
        events += count;
        freeEvents += count;
        freeValue = freeValue.plus(sum);
        freeEventsLeft -= count;
        if (freeLeft !== null) freeLeft = freeLeft.minus(sum);
        return true;
      }
      if (count > 1 || min.lt(zero)) return false;
      // The free amount covers this event in part; all further events are paid.
      const covered = freeLeft ?? zero;
      freeEventsLeft = 0;
      freeValue = freeValue.plus(covered);
      return addPaid(block, sum.minus(covered));
    },
    hasFree: (): boolean => freeEventsLeft > 0,
    endFree: (): void => {
      freeEventsLeft = 0;
    },
    price: (): Price =>
      priceOfSteps([
        ...(freeEvents === 0 && isZero(freeValue) ? [] : [priceStep('free_events', freeValue, zero, zero)]),
        ...(events === freeEvents ? [] : [priceStep('percentage', paidValue, rate, paidValue.times(rate))]),
        ...(isZero(fee) || paidEvents === 0
          ? []
          : [priceStep('event_fee', times(paidEvents), fee, fee.times(times(paidEvents)))]),
        ...(raisedEvents === 0
          ? []
          : [priceStep('event_minimum', times(raisedEvents), least ?? zero, raised)]),
        ...(loweredEvents === 0
          ? []
          : [priceStep('event_maximum', times(loweredEvents), most ?? zero, zero.minus(lowered))]),
      ]),
  };
}

/** The price of events in order of time. Throws if a block's price depends on its single events. */
export function percentagePrice(charge: Percentage, blocks: readonly EventBlock[]): Price {
  const tally = percentageTally(charge);
  for (const block of blocks)
    if (!tally.add(block)) throw new Error('a percentage needs the single events of a block');
  return tally.price();
}

/** The places of blocks whose single events a price needs. */
export type NeededEvents = {
  /**
   * Negative values leave open where the free part ends: these blocks are to be split into negative and other
   * values first, and the other places are not known before.
   */
  readonly bySign: readonly number[];
  /** Here their order matters: some of them are free. */
  readonly inOrder: readonly number[];
  /** Here it does not: events with the same value can be taken together, after all others. */
  readonly inAnyOrder: readonly number[];
};

/** Which of some blocks, in order of time, have no price without their single events. */
export function neededEvents(charge: Percentage, blocks: readonly EventBlock[]): NeededEvents {
  const tally = percentageTally(charge);
  const bySign = tally.hasFree()
    ? [...blocks].flatMap((block, place) => (isMixed(block) ? [place] : []))
    : [];
  if (bySign.length > 0) return { bySign, inOrder: [], inAnyOrder: [] };
  const inOrder: number[] = [];
  const inAnyOrder: number[] = [];
  for (const [place, block] of blocks.entries()) {
    if (tally.add(block)) continue;
    (tally.hasFree() ? inOrder : inAnyOrder).push(place);
    tally.endFree();
  }
  return { bySign, inOrder, inAnyOrder };
}
