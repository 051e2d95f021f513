// Realized exchange gains and losses: what a settlement of a bill in another currency is worth on its day, less what it was booked at on the bill's day.
// Amounts are minor units; what is rounded is rounded half away from zero.

/** An amount of the bill's currency in the reporting one, by the rates of one day; null where no rates lead there. */
export type Convert = (minor: bigint) => bigint | null;

/** A payment, a credit note, or what came back of one (below zero), in the order in which they were booked. */
export type Settled = {
  readonly minor: bigint;
  /** What was settled of the bill before it, and on its own day before it. */
  readonly before: bigint;
  readonly beforeOnDay: bigint;
};
export type Gain = {
  /** What the bill's receivable has of it, by the rates of the bill's day. */
  readonly booked: bigint | null;
  /** What it was worth on its own day. */
  readonly value: bigint | null;
  /** Above zero: a gain. Null where a rate is missing. */
  readonly gain: bigint | null;
};

/**
 * Converts what is settled so far, and takes the difference that a settlement makes to it. So parts add up to the whole whatever they are: the booked
 * parts to the value of the bill as it was issued, the values of one day to that of their sum. What cannot be divided is in the settlement that completes
 * it, the last one; no later settlement changes an earlier one.
 */
export function gainOf({ minor, before, beforeOnDay }: Settled, onBillDay: Convert, onOwnDay: Convert): Gain {
  const difference = (convert: Convert, from: bigint): bigint | null => {
    const [until, since] = [convert(from + minor), convert(from)];
    return until === null || since === null ? null : until - since;
  };
  const booked = difference(onBillDay, before);
  const value = difference(onOwnDay, beforeOnDay);
  return { booked, value, gain: booked === null || value === null ? null : value - booked };
}

export type GainSums = {
  readonly count: number;
  /** How many of them have no rate and are in none of the sums. */
  readonly unknown: number;
  readonly booked: bigint;
  readonly value: bigint;
  /** Gains and losses apart, as they are booked; together they are value less booked. */
  readonly gains: bigint;
  readonly losses: bigint;
};

/** What some settlements come to. */
export function gainSums(all: readonly Gain[]): GainSums {
  const sums = { count: all.length, unknown: 0, booked: 0n, value: 0n, gains: 0n, losses: 0n };
  for (const { booked, value, gain } of all) {
    if (booked === null || value === null || gain === null) {
      sums.unknown += 1;
      continue;
    }
    sums.booked += booked;
    sums.value += value;
    if (gain > 0n) sums.gains += gain;
    else sums.losses += gain;
  }
  return sums;
}
