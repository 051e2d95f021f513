// The forecast against histories that are made up: a range that promises eight of ten months holds about eight of ten.
import { describe, expect, it } from 'vitest';
import { expectedRevenue, expectedUsage, reachOfRecurring, rootOf } from './rules-forecast.ts';

/** Numbers that look like chance and are the same each time (Lehmer), of the normal distribution by the sum of twelve. */
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

/** Of 400 histories, the share whose month came to lie within the range, in percent. */
function held(made: Made, months: number, ahead: number, seed = 7): number {
  const normal = chance(seed);
  let inside = 0;
  const runs = 400;
  for (let run = 0; run < runs; run++) {
    let before = 200_000;
    const all = Array.from({ length: months + ahead }, (_, month) => {
      before = made(month, normal(), before);
      return BigInt(Math.round(before));
    });
    const { expected, reach } = expectedUsage(all.slice(0, months), ahead);
    const came = all.at(-1) ?? 0n;
    if (came >= expected - reach && came <= expected + reach) inside++;
  }
  return (inside / runs) * 100;
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
        // What comes and goes with the seasons is not to be seen in less than two years.
        if (made === yearly && months < 24) continue;
        it(`T-FORECAST: holds about eight of ten months of a ${name} history of ${months}, ${ahead} ahead`, () => {
          const share = held(made, months, ahead);
          expect(share).toBeGreaterThanOrEqual(70);
          expect(share).toBeLessThanOrEqual(92);
        });
      }

  it('T-FORECAST: of recurring revenue holds about eight of ten months, too', () => {
    const normal = chance(11);
    let inside = 0;
    for (let run = 0; run < 400; run++) {
      let before = 100_000;
      const all = Array.from({ length: 15 }, () => {
        before += 3000 * normal();
        return BigInt(Math.round(before));
      });
      const [last, came] = [all[11] ?? 0n, all[14] ?? 0n];
      const reach = reachOfRecurring(all.slice(0, 12), 3);
      if (came >= last - reach && came <= last + reach) inside++;
    }
    expect(inside).toBeGreaterThanOrEqual(280);
    expect(inside).toBeLessThanOrEqual(368);
  });
});

describe('T-FORECAST: what is expected', () => {
  it('T-FORECAST: without seasons is the mean of the last two months, and with two years what came closer', () => {
    expect(expectedUsage([10n, 50n, 10n, 30n, 20n, 41n], 1).expected).toBe(31n);
    // Three years of a December that is five times the rest: the next one is, too.
    const years = Array.from({ length: 35 }, (_, month) => (month % 12 === 11 ? 500n : 100n));
    expect(expectedUsage(years, 1)).toEqual({ expected: 500n, reach: 0n });
    expect(expectedUsage(years, 2)).toEqual({ expected: 100n, reach: 0n });
  });

  it('T-FORECAST: parts miss apart from each other, and nothing is expected below nothing', () => {
    expect(expectedRevenue(1000n, { expected: 200n, reach: 30n }, 40n)).toEqual({
      usage: 200n,
      total: 1200n,
      low: 1150n,
      high: 1250n,
    });
    expect(expectedRevenue(10n, { expected: -5n, reach: 30n }, 40n)).toEqual({
      usage: 0n,
      total: 10n,
      low: 0n,
      high: 60n,
    });
    expect([0n, 1n, 2n, 15n, 16n, 10n ** 40n].map(rootOf)).toEqual([0n, 1n, 1n, 3n, 4n, 10n ** 20n]);
  });
});
