// The forecast on synthetic histories: an 80 % range contains about eight of ten months; and hand-computed
// figures.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedRevenue, expectedUsage, reachOf, rootOf, spreadOfRecurring } from './rules-forecast.ts';

/** Reproducible pseudo-random numbers (Lehmer), normally distributed by the sum of twelve. */
function chance(seed: number): () => number {
  let state = seed;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, -6);
}
type Made = (month: number, normal: number, before: number) => number;
const steady: Made = (_month, normal) => 100_000 + 8000 * normal;
const growing: Made = (month, normal) => 50_000 + 2500 * month + 6000 * normal;
const wandering: Made = (_month, normal, before) => before + 5000 * normal;
const yearly: Made = (month, normal) =>
  100_000 + 30_000 * Math.sin((month / 6) * Math.PI) + 500 * month + 4000 * normal;

type Held = { readonly usage: boolean; readonly recurring: boolean; readonly total: boolean };
/**
 * Generated usage, with recurring revenue as a random walk: whether the value `ahead` months later is within
 * the ranges of each, and of the page.
 */
function rangesHold(made: Made, normal: () => number, months: number, ahead: number): Held {
  let [used, stays] = [200_000, 300_000];
  const all = Array.from({ length: months + ahead }, (_, month) => {
    used = made(month, normal(), used);
    stays += 4000 * normal();
    return [BigInt(Math.round(used)), BigInt(Math.round(stays))] as const;
  });
  const known = all.slice(0, months);
  const [, last] = known.at(-1) ?? [0n, 0n];
  const [usage, recurring] = all.at(-1) ?? [0n, 0n];
  const expected = expectedUsage(
    known.map(([one]) => one),
    ahead,
  );
  const spread = spreadOfRecurring(
    known.map(([, one]) => one),
    ahead,
  );
  const { low, high } = expectedRevenue(last, expected, spread);
  const isWithin = (off: bigint, reach: bigint): boolean => off <= reach && -off <= reach;
  return {
    usage: isWithin(usage - expected.expected, reachOf(expected.spread)),
    recurring: isWithin(recurring - last, reachOf(spread)),
    total: usage + recurring >= low && usage + recurring <= high,
  };
}
/** Of 1000 histories, the percentage whose month was within the range. */
function held(made: Made, months: number, ahead: number): Record<keyof Held, number> {
  const normal = chance(7);
  const runs = Array.from({ length: 1000 }, () => rangesHold(made, normal, months, ahead));
  const share = (of: keyof Held): number => runs.filter((run) => run[of]).length / 10;
  return { usage: share('usage'), recurring: share('recurring'), total: share('total') };
}

describe('T-FORECAST: the range', () => {
  const kinds: readonly [string, Made][] = [
    ['steady', steady],
    ['growing', growing],
    ['wandering', wandering],
    ['yearly', yearly],
  ];
  for (const [name, made] of kinds)
    for (const months of [6, 12, 24, 36])
      for (const ahead of [1, 2, 3]) {
        // Seasonality is not detectable in less than two years.
        if (made === yearly && months < 24) continue;
        it(`T-FORECAST: contains about eight of ten months of a ${name} history of ${months}, ${ahead} ahead`, () => {
          const { usage, recurring, total } = held(made, months, ahead);
          for (const share of [usage, recurring, total]) expect(share).toBeGreaterThanOrEqual(70);
          // The range of usage alone, which no page shows, is wider where few months show seasonality.
          for (const share of [recurring, total]) expect(share).toBeLessThanOrEqual(92);
        });
      }

  it('T-FORECAST: contains eight of ten for any histories together, within three percent', () => {
    let [inside, all] = [0, 0];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_147_483_646 }),
        fc.integer({ min: 6, max: 36 }),
        fc.constantFrom(1, 2, 3),
        fc.integer({ min: 1000, max: 12_000 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.boolean(),
        (seed, months, ahead, noise, growth, isWandering) => {
          const made: Made = isWandering
            ? (_month, normal, before) => before + (noise / 2) * normal
            : (month, normal) => 100_000 + growth * month + noise * normal;
          all++;
          // The first numbers of small seeds are similar.
          const normal = chance(seed);
          normal();
          if (rangesHold(made, normal, months, ahead).total) inside++;
        },
      ),
      { numRuns: 4000 },
    );
    const share = (inside / all) * 100;
    expect(share).toBeGreaterThanOrEqual(77);
    expect(share).toBeLessThanOrEqual(83);
  });

  it('T-FORECAST: is symmetric around the expected value, but never below zero', () => {
    const amounts = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 6, maxLength: 36 });
    fc.assert(
      fc.property(amounts, fc.bigInt(0n, 10n ** 12n), fc.constantFrom(1, 2, 3), (usage, planned, ahead) => {
        const found = expectedRevenue(planned, expectedUsage(usage, ahead), spreadOfRecurring(usage, ahead));
        expect(found.total).toBe(planned + found.usage);
        const above = found.high - found.total;
        expect(above >= 0n).toBe(true);
        expect(found.low).toBe(above > found.total ? 0n : found.total - above);
      }),
    );
  });
});

describe('T-FORECAST: hand-computed ranges', () => {
  const six = [10n, 50n, 10n, 30n, 20n, 41n];
  it.each<[string, readonly bigint[], number, bigint, bigint]>([
    // Means of two months: 30, 30, 20, 25. Missed by -20, 0, 0, 16: 656 / 4 = 164, of which the root is 12.81; four degrees of freedom, 1.533.
    ['one month ahead', six, 1, 31n, 20n],
    // Missed by 0, -10, 21: 541 / 3, root 13.43; three that overlap are worth 3 x 6 / 9 = 2, 1.886.
    ['two', six, 2, 31n, 25n],
    // Missed by -10, 11: 221 / 2, root 10.51; two are worth 2 x 9 / 19, less than one: one, 3.078.
    ['three', six, 3, 31n, 32n],
    // A step of 30 after 15 months. The mean of three missed by 30, 20, 10 and 18 times nothing, 3 on average, and the season before by just as much. Around 3:
    // 27^2 + 17^2 + 7^2 + 18 x 9 = 1229, by 22 / 21 and 20: 64.38, root 8.02; 20 degrees of freedom, 1.325.
    [
      'from two years on, corrected by its average error',
      [...Array.from({ length: 15 }, () => 0n), ...Array.from({ length: 9 }, () => 30n)],
      1,
      33n,
      11n,
    ],
    // The year before and 120 since: just so, each time.
    [
      'a constant increase per month',
      Array.from({ length: 24 }, (_, month) => BigInt(100 + 10 * month)),
      2,
      350n,
      0n,
    ],
  ])('T-FORECAST: usage, %s', (_name, months, ahead, expected, reach) => {
    const found = expectedUsage(months, ahead);
    expect([found.expected, reachOf(found.spread)]).toEqual([expected, reach]);
  });

  it.each<[number, bigint]>([
    // Changed by 10, -5, 15, 10, -2: 454 / 5, root 9.53; five, 1.476.
    [1, 14n],
    // By 5, 10, 25, 8: 814 / 4, root 14.27; four are worth 2.667, between 1.886 and 1.638: 1.721.
    [2, 25n],
    // By 20, 20, 23: 1329 / 3, root 21.05; three are worth 1.421, between 3.078 and 1.886: 2.576.
    [3, 54n],
  ])('T-FORECAST: recurring revenue, %i ahead', (ahead, reach) => {
    expect(reachOf(spreadOfRecurring([100n, 110n, 105n, 120n, 130n, 128n], ahead))).toBe(reach);
  });
});

describe('T-FORECAST: the expected value', () => {
  it('T-FORECAST: is the mean of the last two months without seasonality, and the better method with two years', () => {
    expect(expectedUsage([10n, 50n, 10n, 30n, 20n, 41n], 1).expected).toBe(31n);
    // Three years with a December that is five times the rest: the next one is, too.
    const years = Array.from({ length: 35 }, (_, month) => (month % 12 === 11 ? 500n : 100n));
    expect(expectedUsage(years, 1)).toMatchObject({ expected: 500n, spread: { deviation: 0n } });
    expect(expectedUsage(years, 2)).toMatchObject({ expected: 100n, spread: { deviation: 0n } });
  });

  it('T-FORECAST: treats errors of parts as independent, and is never negative', () => {
    const spread = (deviation: bigint, freedom: bigint) => ({
      deviation: deviation * 1000n,
      freedom: freedom * 1000n,
    });
    // 30 and 40 are 50 together. Degrees of freedom: 2500^2 / (900^2 / 4 + 1600^2 / 2) = 4.216, between 1.533 and 1.476: 1.521 x 50 = 76.
    expect(expectedRevenue(1000n, { expected: 200n, spread: spread(30n, 4n) }, spread(40n, 2n))).toEqual({
      usage: 200n,
      total: 1200n,
      low: 1124n,
      high: 1276n,
    });
    // 40 alone, by five: 1.476.
    expect(expectedRevenue(10n, { expected: -5n, spread: spread(0n, 1n) }, spread(40n, 5n))).toEqual({
      usage: 0n,
      total: 10n,
      low: 0n,
      high: 69n,
    });
    expect(expectedRevenue(10n, { expected: 5n, spread: spread(0n, 3n) }, spread(0n, 1n))).toEqual({
      usage: 5n,
      total: 15n,
      low: 15n,
      high: 15n,
    });
    expect([0n, 1n, 2n, 15n, 16n, 10n ** 40n].map(rootOf)).toEqual([0n, 1n, 1n, 3n, 4n, 10n ** 20n]);
  });
});
