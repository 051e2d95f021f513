// What a batch adds to its hours, days and months does not depend on the order and pieces in which it
// arrives, for every meter that counts an event (R-USE-03).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { hourOf, monthOf } from '#kernel/time.ts';
import { decimalTexts } from '#tests/support/arbitraries.ts';
import type { MeteredEvent } from './rules.ts';
import { deltasOf, streamKey, type Delta } from './rules-deltas.ts';
import { allKey, ownKey, ownMeter, streamsOf, type StreamMeter } from './rules-streams.ts';

const own = ownMeter({ eventType: 't', aggregation: 'sum', unit: 'units' });

describe('R-USE-03: the additions of a batch to hours and months', () => {
  const zones: Record<string, string> = {
    sub_1: 'Asia/Taipei',
    sub_2: 'America/New_York',
    sub_3: 'Australia/Lord_Howe',
  };
  const zoneOf = (subscriptionId: string): string => zones[subscriptionId] ?? 'UTC';
  const added = (list: readonly MeteredEvent[]) => {
    const { hours, months } = deltasOf(
      streamsOf(list, () => [own]),
      zoneOf,
    );
    return {
      hours: hours.map(({ hour, ...rest }) => ({ ...rest, slot: hour.toISOString() })),
      months: months.map(({ month, ...rest }) => ({ ...rest, slot: month as string })),
    };
  };
  // Around the ends of months and of daylight saving time in these zones.
  const moments = fc.oneof(
    ...['2026-10-31T14:00:00Z', '2026-11-01T03:00:00Z', '2026-04-04T13:00:00Z', '2026-03-08T05:00:00Z'].map(
      (start) => fc.integer({ min: 0, max: 6 * 3_600_000 }).map((ms) => new Date(Date.parse(start) + ms)),
    ),
  );
  const events: fc.Arbitrary<MeteredEvent[]> = fc.uniqueArray(
    fc.record({
      source: fc.constantFrom('a', 'b'),
      id: fc.string({ minLength: 1, maxLength: 3 }),
      type: fc.constant('t'),
      subscriptionId: fc.constantFrom('sub_1', 'sub_2', 'sub_3'),
      time: moments,
      value: decimalTexts(-1000n, 10n ** 12n),
      properties: fc.constant(null),
      isTimed: fc.constant(true),
    }),
    { selector: (one) => `${one.source} ${one.id}`, maxLength: 40 },
  );

  test('count every event once, in its own hour and month of the organization’s time zone', () => {
    fc.assert(
      fc.property(events, (list) => {
        for (const [kind, slotOf] of [
          ['hours', (one: MeteredEvent) => hourOf(one.time, zoneOf(one.subscriptionId)).toISOString()],
          ['months', (one: MeteredEvent) => monthOf(one.time, zoneOf(one.subscriptionId)) as string],
        ] as const) {
          const groups = Map.groupBy(list, (one) => `${one.subscriptionId} ${slotOf(one)}`);
          const deltas = added(list)[kind];
          expect(deltas.map((delta) => `${delta.subscriptionId} ${delta.slot}`)).toEqual(
            [...groups.keys()].toSorted(),
          );
          for (const delta of deltas) {
            const group = groups.get(`${delta.subscriptionId} ${delta.slot}`)!;
            const values = group.map((one) => decimal(one.value));
            const last = group
              .toSorted(
                (a, b) =>
                  a.time.getTime() - b.time.getTime() ||
                  (a.source < b.source ? -1 : a.source > b.source ? 1 : a.id < b.id ? -1 : 1),
              )
              .at(-1)!;
            expect(delta).toMatchObject({
              count: BigInt(group.length),
              sum: decimalText(sumDecimals(values)),
              max: decimalText(values.reduce((a, b) => (a.gt(b) ? a : b))),
              lastValue: last.value,
              lastAt: last.time,
            });
          }
        }
      }),
    );
  });
  test('do not depend on the order of arrival', () => {
    fc.assert(
      fc.property(
        events.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          expect(added(shuffled)).toEqual(added(list));
        },
      ),
    );
  });
});

describe('R-USE-03: an event counts for every matching meter', () => {
  const named = (key: string, more: Partial<StreamMeter>): StreamMeter => ({
    key,
    chargedAs: key,
    eventType: 'request',
    aggregation: 'sum',
    unit: 'units',
    dimensions: [],
    ...more,
  });
  const meters = [
    named('calls', {}),
    named('traffic', { dimensions: ['region', 'size'] }),
    named('large', { filter: { size: ['l', '3'] } }),
    named('other', { eventType: 'disk' }),
  ];
  const events: fc.Arbitrary<MeteredEvent[]> = fc.uniqueArray(
    fc.record({
      source: fc.constant('a'),
      id: fc.string({ minLength: 1, maxLength: 3 }),
      type: fc.constantFrom('request', 'disk'),
      subscriptionId: fc.constantFrom('sub_1', 'sub_2'),
      time: fc
        .integer({ min: 0, max: 40 * 24 * 60 })
        .map((minutes) => new Date(1_790_000_000_000 + minutes * 60_000)),
      value: decimalTexts(-1000n, 10n ** 12n),
      properties: fc.option(
        fc.record(
          { region: fc.constantFrom('tpe', 'nrt', null), size: fc.constantFrom('s', 'l', 3, true) },
          { requiredKeys: [] },
        ),
      ),
      isTimed: fc.constant(true),
    }),
    { selector: (one) => one.id, maxLength: 30 },
  );
  const monthsOf = (list: readonly MeteredEvent[]): (Delta & { month: string })[] =>
    deltasOf(
      streamsOf(list, () => meters),
      () => 'Asia/Taipei',
    ).months;
  /** The result of two consecutive batches in a month. */
  const joined = (batches: readonly (readonly MeteredEvent[])[]) => {
    const sums = new Map<string, { count: bigint; sum: string; max: string; min: string }>();
    for (const delta of batches.flatMap(monthsOf)) {
      const key = `${streamKey(delta)} ${delta.month}`;
      const before = sums.get(key);
      const [max, min] = [before?.max ?? delta.max, before?.min ?? delta.min];
      sums.set(key, {
        count: (before?.count ?? 0n) + delta.count,
        sum: decimalText(decimal(before?.sum ?? '0').plus(decimal(delta.sum))),
        max: decimal(delta.max).gt(decimal(max)) ? delta.max : max,
        min: decimal(delta.min).lt(decimal(min)) ? delta.min : min,
      });
    }
    return new Map([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };

  test('in its cell; the totals count each event once', () => {
    fc.assert(
      fc.property(events, (list) => {
        const months = monthsOf(list);
        const countOf = (meter: string): bigint =>
          months.reduce((sum, each) => (each.meter === meter ? sum + each.count : sum), 0n);
        const requests = list.filter(({ type }) => type === 'request');
        expect(countOf(allKey)).toBe(BigInt(list.length));
        expect(countOf('calls')).toBe(BigInt(requests.length));
        expect(countOf('traffic')).toBe(BigInt(requests.length));
        expect(countOf('large')).toBe(
          BigInt(
            requests.filter(({ properties }) => ['l', '3'].includes(String(properties?.['size']))).length,
          ),
        );
        expect(countOf(ownKey)).toBe(0n);
        for (const { meter, cell } of months)
          expect(cell).toMatch(meter === 'traffic' ? /^\[("(tpe|nrt)"|null),("(s|l|3|true)"|null)\]$/ : /^$/);
        const keys = months.map((each) => `${streamKey(each)}\n${each.month}`);
        expect(keys).toEqual(keys.toSorted());
      }),
    );
  });
  test('independent of the order of arrival and the split into batches', () => {
    fc.assert(
      fc.property(
        events.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray(list, { minLength: list.length }),
            fc.nat(list.length),
          ),
        ),
        ([list, shuffled, at]) => {
          expect(monthsOf(shuffled)).toEqual(monthsOf(list));
          expect(joined([shuffled.slice(0, at), shuffled.slice(at)])).toEqual(joined([list]));
        },
      ),
    );
  });
});
