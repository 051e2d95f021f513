// Realized exchange gains and losses: the value of a settlement of a bill in another currency on its own day,
// less its book value at the rates of the bill's day. Amounts are in minor units, rounded half away from
// zero.

/**
 * Converts an amount of the bill's currency to the reporting currency at the rates of one day; null if no
 * rates lead there.
 */
export type Convert = (minor: bigint) => bigint | null;

/** A payment, a credit note, or the reversal of one (negative), in booking order. */
export type Settled = {
  readonly minor: bigint;
  /** How much of the bill was settled before it, and how much of that on the same day. */
  readonly before: bigint;
  readonly beforeOnDay: bigint;
};
export type Gain = {
  /** Its part of the bill's receivable, at the rates of the bill's day. */
  readonly booked: bigint | null;
  /** Its value on its own day. */
  readonly value: bigint | null;
  /** Positive: a gain. Null if a rate is missing. */
  readonly gain: bigint | null;
};

/**
 * Converts the total settled so far, and takes the difference that a settlement makes. So the parts always
 * add up to the whole: the booked parts to the value of the bill as issued, the values of one day to that of
 * their sum. The rounding remainder falls on the settlement that completes the bill; no later settlement
 * changes an earlier one.
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
  /** How many settlements have no rate and are in none of the sums. */
  readonly unknown: number;
  readonly booked: bigint;
  readonly value: bigint;
  /** Gains and losses separately, as they are booked; their sum is value less booked. */
  readonly gains: bigint;
  readonly losses: bigint;
};

/** Sums settlements. */
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
