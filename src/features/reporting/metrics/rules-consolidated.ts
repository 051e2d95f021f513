// Recurring revenue of all currencies in one: months at the rates of their last days, with the difference that rates make as a movement of its own, so
// that opening and movements still come to the closing exactly.
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
/** An amount of a currency by the rates of the last day of the month at `place`, rounded once; null where no rates lead to the reporting currency. */
export type ConvertAt = (place: number, currency: Currency, minor: bigint) => bigint | null;

export type ConsolidatedMonth = {
  readonly opening: bigint;
  readonly moved: Readonly<Record<MovementKind, bigint>>;
  /** What the change of rates makes of the opening, with what rounding leaves. */
  readonly exchange: bigint;
  readonly closing: bigint;
  readonly usage: bigint;
  readonly once: bigint;
  /** The opening at this month's rates: what retention and churn are parts of, so that rates change neither. */
  readonly openingNow: bigint;
};

/** The currencies of a month that have an amount and no rate; `place` − 1 is the month whose closing it opens with. */
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
 * The month at `place`, which has all its rates. Opening is the closing of the month before as that month has it; movements are at this month's rates; what
 * is left to the closing is the movement of the rates.
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
