// A month's usage is priced once for each plan and price, whatever changed in the meantime.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { type Phase, type PlanOf, type Timeline } from './rules-fees.ts';
import { monthParts } from './rules-month-parts.ts';
import { linesOf, planTimes } from './rules-lines.ts';

const october = '2026-10' as BillingMonth;
const taipei = 'Asia/Taipei';
const noonOf = (day: number): Date =>
  new Date(
    dayPeriod(`2026-10-${String(day).padStart(2, '0')}` as LocalDay, taipei).start.getTime() + 12 * 3_600_000,
  );
const free: Pricing = {
  model: 'graduated',
  currency: 'TWD',
  tiers: [
    { upTo: '1000', unitPrice: '0' },
    { upTo: null, unitPrice: '2' },
  ],
};
const planOf: PlanOf = (id) => ({
  id,
  name: id,
  billingCycle: 'monthly',
  proration: 'day',
  prices: [
    {
      id: `prv_${id}`,
      effectiveFrom: new Date(0),
      pricing:
        id === 'allowance' ? { model: 'per_unit', currency: 'TWD', unitPrice: '1', included: '310' } : free,
    },
  ],
});
const phase = (from: Date, serviceId: string, quantity = '1'): Phase => ({
  from,
  serviceId,
  quantity,
  yearAnchor: null,
});
const timelineOf = (phases: readonly Phase[]): Timeline => ({
  startedAt: new Date(0),
  endsAt: null,
  trialEndsAt: null,
  phases,
  pauses: [],
});

/** The usage lines of October when every plan’s time used `perDay` a day. */
function usageLines(
  phases: readonly Phase[],
  perDay: number,
): { plan: string; quantity: string; exact: string }[] {
  const timeline = timelineOf(phases);
  const times = planTimes(monthParts(timeline, planOf, october, taipei)).map((time) => {
    const days = time.parts.reduce(
      (sum, { from, to }) => sum + Math.round((to.getTime() - from.getTime()) / 86_400_000),
      0,
    );
    return { ...time, unit: 'GB', quantity: decimal(String(days * perDay)), events: BigInt(days) };
  });
  return linesOf({ subscriptionId: 'sub_1', serviceName: 'S', timeline, planOf, times }, october, taipei).map(
    (line) => ({ plan: line.serviceId, quantity: line.quantity, exact: decimalText(line.exact) }),
  );
}

describe('a plan’s usage of a month is one quantity', () => {
  test('changing the quantity every day gives no additional free units', () => {
    const daily = Array.from({ length: 31 }, (_, index) =>
      phase(noonOf(index + 1), 'free', index % 2 === 0 ? '1' : '1.5'),
    );
    expect(usageLines([phase(new Date(0), 'free'), ...daily], 100)).toEqual([
      { plan: 'free', quantity: '3100', exact: '4200' },
    ]);
  });

  test('changing back and forth between two plans gives none either: each has its tiers once', () => {
    const daily = Array.from({ length: 31 }, (_, index) =>
      phase(noonOf(index + 1), index % 2 === 0 ? 'free' : 'other'),
    );
    expect(usageLines([phase(new Date(0), 'free'), ...daily], 100)).toEqual([
      { plan: 'free', quantity: '1600', exact: '1200' },
      { plan: 'other', quantity: '1500', exact: '1000' },
    ]);
  });

  test('an allowance is distributed over all days of its plan', () => {
    const phases = [
      phase(new Date(0), 'allowance'),
      phase(noonOf(11), 'free'),
      phase(noonOf(21), 'allowance'),
    ];
    // 21 of 31 days: 210 of 310 included, 630 used.
    expect(usageLines(phases, 30)).toEqual([
      { plan: 'allowance', quantity: '630', exact: '420' },
      { plan: 'free', quantity: '300', exact: '0' },
    ]);
  });

  test('contain every part of the month once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            day: fc.integer({ min: 1, max: 31 }),
            plan: fc.constantFrom('free', 'other', 'allowance'),
            quantity: fc.constantFrom('1', '2'),
          }),
          { maxLength: 8 },
        ),
        (changes) => {
          const phases = [
            phase(new Date(0), 'free'),
            ...changes
              .toSorted((a, b) => a.day - b.day)
              .map(({ day, plan, quantity }) => phase(noonOf(day), plan, quantity)),
          ];
          const parts = monthParts(timelineOf(phases), planOf, october, taipei);
          const times = planTimes(parts);
          expect(
            times.flatMap((time) => time.parts).toSorted((a, b) => a.from.getTime() - b.from.getTime()),
          ).toEqual(parts);
          expect(new Set(times.map((time) => time.plan.id)).size).toBe(times.length);
          expect(decimalText(sumDecimals(usageLines(phases, 7).map((line) => decimal(line.quantity))))).toBe(
            '217',
          );
        },
      ),
    );
  });
});
