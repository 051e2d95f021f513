// Recurring revenue of all currencies in one: months are converted at the rates of their last days, and the
// effect of rate changes is a separate movement, so that opening plus movements still equal the closing
// exactly.
import { assert, required } from '#kernel/assert.ts';
import type { Currency } from '#kernel/money.ts';
import { movementKinds, type MovementKind } from './contract.ts';

/** A month of one currency, in its minor units. */
export type CurrencyMonth = {
  readonly recurring: bigint;
  readonly usage: bigint;
  readonly once: bigint;
  readonly moved: Readonly<Record<MovementKind, bigint>>;
};
export type Figures = ReadonlyMap<Currency, CurrencyMonth>;
/**
 * Converts an amount at the rates of the last day of the month at `place`, rounded once; null if no rates
 * lead to the reporting currency.
 */
export type ConvertAt = (place: number, currency: Currency, minor: bigint) => bigint | null;

export type ConsolidatedMonth = {
  readonly opening: bigint;
  readonly moved: Readonly<Record<MovementKind, bigint>>;
  /** The effect of rate changes on the opening, including rounding. */
  readonly exchange: bigint;
  readonly closing: bigint;
  readonly usage: bigint;
  readonly once: bigint;
  /**
   * The opening at this month's rates: the base of retention and churn, so that rate changes do not affect
   * them.
   */
  readonly openingNow: bigint;
};

/**
 * The currencies of a month that have an amount but no rate; `place` − 1 is the month whose closing is the
 * opening.
 */
export function lackingOf(months: readonly Figures[], place: number, convert: ConvertAt): Currency[] {
  const lacks = (at: number, figures: Figures | undefined, isOpening: boolean): Currency[] =>
    [...(figures ?? [])]
      .filter(([currency, { recurring, usage, once, moved }]) => {
        const amounts = isOpening ? [recurring] : [recurring, usage, once, ...Object.values(moved)];
        return amounts.some((minor) => minor !== 0n) && convert(at, currency, 1n) === null;
      })
      .map(([currency]) => currency);
  // The opening is needed at the rates of both months.
  return [
    ...new Set([
      ...lacks(place, months[place], false),
      ...lacks(place, months[place - 1], true),
      ...lacks(place - 1, months[place - 1], true),
    ]),
  ];
}

/**
 * Consolidates the month at `place`, which must have all its rates. The opening is the previous month's
 * closing as computed for that month; movements are at this month's rates; the rest is the movement from rate
 * changes.
 */
export function consolidatedMonth(
  months: readonly Figures[],
  place: number,
  convert: ConvertAt,
): ConsolidatedMonth {
  const sum = (at: number, figures: Figures | undefined, pick: (of: CurrencyMonth) => bigint): bigint =>
    [...(figures ?? [])].reduce((all, [currency, of]) => {
      const minor = pick(of);
      return minor === 0n ? all : all + required(convert(at, currency, minor) ?? undefined, 'a rate');
    }, 0n);
  const [now, before] = [months[place], months[place - 1]];
  const opening = sum(place - 1, before, (of) => of.recurring);
  const closing = sum(place, now, (of) => of.recurring);
  const moved = Object.fromEntries(
    movementKinds.map((kind) => [kind, sum(place, now, (of) => of.moved[kind])]),
  ) as Record<MovementKind, bigint>;
  const exchange = movementKinds.reduce((left, kind) => left - moved[kind], closing - opening);
  assert(
    movementKinds.reduce((all, kind) => all + moved[kind], opening + exchange) === closing,
    'movements come to the closing',
  );
  return {
    opening,
    moved,
    exchange,
    closing,
    usage: sum(place, now, (of) => of.usage),
    once: sum(place, now, (of) => of.once),
    openingNow: sum(place, before, (of) => of.recurring),
  };
}
