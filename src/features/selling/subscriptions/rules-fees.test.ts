// Base fees: every day of service is paid once, whatever happens to a subscription, and no bill depends on
// later events.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, isZero, sumDecimals } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { monthsFrom, oddZones, prices } from '#tests/support/arbitraries.ts';
import { addDays, dayOf, dayPeriod, daysInMonth, daysOfMonth, monthOf, monthPeriod } from '#kernel/time.ts';
import { anchorOf } from './rules-course.ts';
import {
  feeLines,
  feeSpans,
  type PauseSpan,
  type Phase,
  type PlanOf,
  type PricedPlan,
  type Timeline,
} from './rules-fees.ts';
import { monthParts } from './rules-month-parts.ts';

const taipei = 'Asia/Taipei';
const on = (day: string, zone = taipei): Date => dayPeriod(day as LocalDay, zone).start;
const noonOf = (day: string, zone = taipei): Date => new Date(on(day, zone).getTime() + 12 * 3_600_000);
const monthOfText = (text: string): BillingMonth => text as BillingMonth;

function plan(
  id: string,
  billingCycle: 'monthly' | 'yearly',
  baseFee: string,
  more: Partial<PricedPlan> = {},
): PricedPlan {
  return {
    id,
    name: id,
    billingCycle,
    proration: 'day',
    prices: [
      { id: `prv_${id}`, effectiveFrom: new Date(0), pricing: { model: 'flat', currency: 'USD', baseFee } },
    ],
    ...more,
  };
}
const plans: Record<string, PricedPlan> = {
  m1: plan('m1', 'monthly', '31'),
  m2: plan('m2', 'monthly', '620'),
  y1: plan('y1', 'yearly', '365'),
  y2: plan('y2', 'yearly', '3660'),
  s1: plan('s1', 'monthly', '86400', { proration: 'second' }),
  s2: plan('s2', 'monthly', '8640', { proration: 'second' }),
};
const planOf: PlanOf = (id) => plans[id]!;

const phase = (from: Date, serviceId: string, quantity = '1', yearAnchor: string | null = null): Phase => ({
  from,
  serviceId,
  quantity,
  yearAnchor: yearAnchor as LocalDay | null,
});
const timeline = (phases: readonly Phase[], more: Partial<Timeline> = {}): Timeline => ({
  startedAt: phases[0]!.from,
  endsAt: null,
  trialEndsAt: null,
  pauses: [],
  phases,
  ...more,
});
const linesOf = (one: Timeline, month: string, zone = taipei): string[] =>
  feeLines(one, planOf, monthOfText(month), zone).map(
    (line) =>
      `${line.kind} ${line.serviceId} ${line.steps[0]!.share!.part}/${line.steps[0]!.share!.whole} ${decimalText(line.exact.round(2, 1))}`,
  );

describe('a month of a monthly plan', () => {
  test.each<[string, Timeline, string[]]>([
    ['whole', timeline([phase(on('2026-01-01'), 'm1')]), ['base_fee m1 31/31 31']],
    ['begun on the 16th', timeline([phase(noonOf('2026-10-16'), 'm1')]), ['base_fee m1 16/31 16']],
    ['three of it', timeline([phase(on('2026-01-01'), 'm1', '3')]), ['base_fee m1 31/31 93']],
    [
      'an upgrade on the 14th: the whole old fee, its refund for the rest, and the rest of the new one',
      timeline([phase(on('2026-01-01'), 'm1'), phase(noonOf('2026-10-14'), 'm2')]),
      ['base_fee m1 31/31 31', 'credit m1 18/31 -18', 'base_fee m2 18/31 360'],
    ],
    [
      'a change of quantity is a change',
      timeline([phase(on('2026-01-01'), 'm1'), phase(noonOf('2026-10-14'), 'm1', '2.5')]),
      ['base_fee m1 31/31 31', 'credit m1 18/31 -18', 'base_fee m1 18/31 45'],
    ],
    [
      'begun and changed in the month',
      timeline([phase(noonOf('2026-10-02'), 'm1'), phase(noonOf('2026-10-14'), 'm2')]),
      ['base_fee m1 30/31 30', 'credit m1 18/31 -18', 'base_fee m2 18/31 360'],
    ],
    [
      'changed twice on one day: the last one counts',
      timeline([
        phase(on('2026-01-01'), 'm1'),
        phase(noonOf('2026-10-14'), 's1'),
        phase(new Date(noonOf('2026-10-14').getTime() + 1000), 'm2'),
      ]),
      ['base_fee m1 31/31 31', 'credit m1 18/31 -18', 'base_fee m2 18/31 360'],
    ],
    [
      'changed with the month',
      timeline([phase(on('2026-01-01'), 'm1'), phase(on('2026-10-01'), 'm2')]),
      ['base_fee m2 31/31 620'],
    ],
    [
      'paused from the 10th to the 20th',
      timeline([phase(on('2026-01-01'), 'm1')], {
        pauses: [{ from: noonOf('2026-10-10'), until: noonOf('2026-10-20') }],
      }),
      ['base_fee m1 21/31 21'],
    ],
    [
      'suspended from the 10th to the 20th',
      timeline([phase(on('2026-01-01'), 'm1')], {
        suspensions: [{ from: noonOf('2026-10-10'), until: noonOf('2026-10-20') }],
      }),
      ['base_fee m1 21/31 21'],
    ],
    [
      'suspended, with a pause in the middle and beyond: each day once',
      timeline([phase(on('2026-01-01'), 'm1')], {
        pauses: [{ from: noonOf('2026-10-15'), until: noonOf('2026-10-25') }],
        suspensions: [{ from: noonOf('2026-10-10'), until: noonOf('2026-10-20') }],
      }),
      ['base_fee m1 16/31 16'],
    ],
    [
      'suspended to the end',
      timeline([phase(on('2026-01-01'), 'm1')], {
        suspensions: [{ from: noonOf('2026-10-10'), until: null }],
        pauses: [{ from: noonOf('2026-10-15'), until: noonOf('2026-10-25') }],
      }),
      ['base_fee m1 9/31 9'],
    ],
    [
      'paused across a change',
      timeline([phase(on('2026-01-01'), 'm1'), phase(noonOf('2026-10-14'), 'm2')], {
        pauses: [{ from: noonOf('2026-10-10'), until: noonOf('2026-10-20') }],
      }),
      ['base_fee m1 21/31 21', 'credit m1 12/31 -12', 'base_fee m2 12/31 240'],
    ],
    [
      'a trial until the 20th',
      timeline([phase(noonOf('2026-10-06'), 'm1')], { trialEndsAt: on('2026-10-20') }),
      ['base_fee m1 12/31 12'],
    ],
    [
      'a trial all month',
      timeline([phase(noonOf('2026-10-06'), 'm1')], { trialEndsAt: on('2026-11-20') }),
      [],
    ],
    [
      'changed in the trial',
      timeline([phase(noonOf('2026-10-06'), 'm1'), phase(noonOf('2026-10-10'), 'm2')], {
        trialEndsAt: on('2026-10-20'),
      }),
      ['base_fee m1 12/31 12', 'credit m1 12/31 -12', 'base_fee m2 12/31 240'],
    ],
    [
      'ended at noon of the 16th',
      timeline([phase(on('2026-01-01'), 'm1')], { endsAt: noonOf('2026-10-16') }),
      ['base_fee m1 15/31 15'],
    ],
    [
      'expired with September, renewed on the 11th',
      timeline(
        [
          phase(on('2026-01-01'), 'm1'),
          { ...phase(on('2026-10-01'), ''), serviceId: null },
          phase(noonOf('2026-10-11'), 'm1'),
        ],
        { pauses: [{ from: on('2026-10-01'), until: noonOf('2026-10-11') }] },
      ),
      ['base_fee m1 21/31 21'],
    ],
    [
      'by the second, from half past',
      timeline([phase(new Date('2026-10-30T16:30:00Z'), 's1')]),
      [`base_fee s1 84600/2678400 ${((86400 * 84600) / 2678400).toFixed(2).replace(/\.?0+$/, '')}`],
    ],
  ])('%s', (_what, one, lines) => {
    expect(linesOf(one, '2026-10')).toEqual(lines);
  });

  test('a change refunds the price at that time, whatever the later prices of the month', () => {
    const repriced = plan('m1', 'monthly', '31', {
      prices: [
        { id: 'old', effectiveFrom: new Date(0), pricing: { model: 'flat', currency: 'USD', baseFee: '31' } },
        {
          id: 'new',
          effectiveFrom: noonOf('2026-10-21'),
          pricing: { model: 'flat', currency: 'USD', baseFee: '3100' },
        },
      ],
    });
    const lines = feeLines(
      timeline([phase(on('2026-01-01'), 'm1'), phase(noonOf('2026-10-11'), 'm2')]),
      (id) => (id === 'm1' ? repriced : planOf(id)),
      monthOfText('2026-10'),
      taipei,
    );
    expect(lines.map((line) => [line.kind, line.priceVersionId, decimalText(line.exact)])).toEqual([
      ['base_fee', 'old', '31'],
      ['credit', 'old', '-21'],
      ['base_fee', 'prv_m2', '420'],
    ]);
  });
});

describe('a yearly plan', () => {
  const year = (more: Partial<Timeline> = {}, rest: readonly Phase[] = []): Timeline =>
    timeline([phase(noonOf('2026-03-15'), 'y1', '1', '2026-03-15'), ...rest], more);
  test.each<[string, Timeline, string, string[]]>([
    ['is charged in the month in which its year begins', year(), '2026-03', ['base_fee y1 365/365 365']],
    ['and in no other', year(), '2026-04', []],
    [
      'again a year later, over a leap day 366 days',
      timeline([phase(noonOf('2026-03-15'), 'y1', '1', '2026-03-15')]),
      '2027-03',
      ['base_fee y1 366/366 365'],
    ],
    [
      'ended early: the rest is refunded in that month',
      year({ endsAt: noonOf('2026-08-22') }),
      '2026-08',
      ['credit y1 205/365 -205'],
    ],
    ['ended with its year: no refund', year({ endsAt: on('2027-03-15') }), '2027-03', []],
    [
      'ended on its first day, which is charged',
      year({ endsAt: new Date(noonOf('2026-03-15').getTime() + 1) }),
      '2026-03',
      ['base_fee y1 365/365 365', 'credit y1 364/365 -364'],
    ],
    [
      'paused: the days of each month are refunded in it',
      year({ pauses: [{ from: noonOf('2026-07-30'), until: noonOf('2026-08-03') }] }),
      '2026-07',
      ['credit y1 2/365 -2'],
    ],
    [
      'and in the next',
      year({ pauses: [{ from: noonOf('2026-07-30'), until: noonOf('2026-08-03') }] }),
      '2026-08',
      ['credit y1 2/365 -2'],
    ],
    [
      'upgraded within the year: a refund of the old fee, and the rest of the new one',
      year({}, [phase(noonOf('2026-08-22'), 'y2', '1', '2026-03-15')]),
      '2026-08',
      ['credit y1 205/365 -205', 'base_fee y2 205/365 2055.62'],
    ],
    [
      'changed to a monthly plan',
      year({}, [phase(noonOf('2026-08-22'), 'm1')]),
      '2026-08',
      ['credit y1 205/365 -205', 'base_fee m1 10/31 10'],
    ],
    [
      'changed from a monthly plan',
      timeline([phase(on('2026-01-01'), 'm1'), phase(noonOf('2026-10-14'), 'y1', '1', '2026-10-14')]),
      '2026-10',
      ['base_fee m1 31/31 31', 'credit m1 18/31 -18', 'base_fee y1 365/365 365'],
    ],
    [
      'with a trial: its first year begins after it',
      timeline([phase(noonOf('2026-03-15'), 'y1', '1', '2026-04-14')], { trialEndsAt: on('2026-04-14') }),
      '2026-04',
      ['base_fee y1 365/365 365'],
    ],
    [
      'with a trial: nothing before',
      timeline([phase(noonOf('2026-03-15'), 'y1', '1', '2026-04-14')], { trialEndsAt: on('2026-04-14') }),
      '2026-03',
      [],
    ],
    [
      'ended in its trial',
      timeline([phase(noonOf('2026-03-15'), 'y1', '1', '2026-04-14')], {
        trialEndsAt: on('2026-04-14'),
        endsAt: on('2026-04-14'),
      }),
      '2026-04',
      [],
    ],
    [
      'from Feb 29 on: a year later on Feb 28',
      timeline([phase(noonOf('2024-02-29'), 'y1', '1', '2024-02-29')]),
      '2025-02',
      ['base_fee y1 365/365 365'],
    ],
    [
      'and on Feb 29 again after four',
      timeline([phase(noonOf('2024-02-29'), 'y1', '1', '2024-02-29')]),
      '2028-02',
      ['base_fee y1 365/365 365'],
    ],
  ])('%s', (_what, one, month, lines) => {
    expect(linesOf(one, month)).toEqual(lines);
  });

  test('the year that began on Feb 28 is charged in no other month of that year', () => {
    const one = timeline([phase(noonOf('2024-02-29'), 'y1', '1', '2024-02-29')]);
    const charged = monthsFrom('2024-01', 60).filter((month) => linesOf(one, month).length > 0);
    expect(charged).toEqual(['2024-02', '2025-02', '2026-02', '2027-02', '2028-02']);
  });
});

/**
 * Random timelines of a subscription: changes, pauses, an end, at any second, in zones with unusual days.
 */
const anyLife = fc
  .record({
    zone: fc.constantFrom(...oddZones),
    start: fc.integer({ min: Date.UTC(2023, 0, 1), max: Date.UTC(2024, 11, 31) }),
    trialDays: fc.constantFrom(0, 0, 1, 14, 45),
    first: fc.constantFrom('m1', 'y1'),
    changes: fc.array(
      fc.record({
        afterHours: fc.integer({ min: 0, max: 9000 }),
        to: fc.constantFrom('m1', 'm2', 'y1', 'y2'),
        quantity: fc.constantFrom('1', '2', '0.5'),
      }),
      { maxLength: 4 },
    ),
    pauses: fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 2000 })), {
      maxLength: 3,
    }),
    pausedForEver: fc.boolean(),
    endAfterHours: fc.option(fc.integer({ min: 0, max: 16_000 })),
  })
  .map(({ zone, start, trialDays, first, changes, pauses, pausedForEver, endAfterHours }) => {
    const hours = (count: number): Date => new Date(start + count * 3_600_000);
    const startedAt = new Date(start);
    const trialEndsAt = trialDays === 0 ? null : on(addDays(dayOf(startedAt, zone), trialDays), zone);
    const phases: Phase[] = [
      phase(startedAt, first, '1', anchorOf(planOf(first).billingCycle, null, startedAt, trialEndsAt, zone)),
    ];
    for (const change of changes.toSorted((a, b) => a.afterHours - b.afterHours)) {
      const from = hours(change.afterHours);
      phases.push(
        phase(
          from,
          change.to,
          change.quantity,
          anchorOf(planOf(change.to).billingCycle, phases.at(-1)!.yearAnchor, from, trialEndsAt, zone),
        ),
      );
    }
    let at = 0;
    const spans = pauses.map(([gap, length], index): PauseSpan => {
      const from = hours((at += gap));
      return { from, until: pausedForEver && index === pauses.length - 1 ? null : hours((at += length)) };
    });
    return {
      zone,
      one: timeline(phases, {
        trialEndsAt,
        pauses: spans,
        endsAt: endAfterHours === null ? null : hours(endAfterHours),
      }),
    };
  });
const months = monthsFrom('2022-12', 48);

/** Every day that a year beginning in the last of the months may include. */
const calendar: LocalDay[] = [...months, ...monthsFrom('2026-12', 14)].flatMap(daysOfMonth);
const placeOf = new Map(calendar.map((day, index) => [day, index]));

/** The plan and quantity of each day, or nothing, computed without the rules under test. */
function heldDays(one: Timeline, zone: string): string[] {
  const dayOrNone = (moment: Date | null): string | null => moment && dayOf(moment, zone);
  const [start, end, trialEnd] = [
    dayOf(one.startedAt, zone),
    dayOrNone(one.endsAt),
    dayOrNone(one.trialEndsAt),
  ];
  // Of the pauses that begin in one month the first is free from its own day on, the others from the next
  // day.
  const pauses = one.pauses.map(({ from, until }, index) => {
    const isFirst = !one.pauses
      .slice(0, index)
      .some((other) => monthOf(other.from, zone) === monthOf(from, zone));
    return {
      from:
        isFirst || on(dayOf(from, zone), zone).getTime() === from.getTime()
          ? dayOf(from, zone)
          : addDays(dayOf(from, zone), 1),
      until: dayOrNone(until),
    };
  });
  const held = one.phases.map((each) => ({
    from: dayOf(each.from, zone),
    key: `${each.serviceId} ${each.quantity}`,
  }));
  return calendar.map((day) => {
    const isPaused = pauses.some(({ from, until }) => from <= day && (until === null || day < until));
    if (
      day < start ||
      (end !== null && day >= end && day !== start) ||
      (trialEnd !== null && day < trialEnd) ||
      isPaused
    )
      return '';
    return held.findLast((each) => each.from <= day)?.key ?? '';
  });
}

/** What each day is charged for, summed over charges and refunds of all months. */
function chargedDays(one: Timeline, zone: string): string[] {
  const counts: Record<string, number>[] = calendar.map(() => ({}));
  for (const span of months.flatMap((month) => feeSpans(one, planOf, month, zone))) {
    const first = placeOf.get(dayOf(span.period.start, zone))!;
    const key = `${span.stretch.phase.serviceId} ${span.stretch.phase.quantity}`;
    for (const [from, to] of span.spans) {
      for (let place = first + from; place < first + to; place++)
        counts[place]![key] = (counts[place]![key] ?? 0) + (span.kind === 'credit' ? -1 : 1);
    }
  }
  return counts.map((count) =>
    Object.entries(count)
      .filter(([, times]) => times !== 0)
      .map(([key, times]) => (times === 1 ? key : `${times} times ${key}`))
      .join(', '),
  );
}

describe('any life of a subscription', () => {
  test('every day of service is charged exactly once for its plan and quantity, and other days are not charged', () => {
    fc.assert(
      fc.property(anyLife, ({ zone, one }) => {
        const reached = placeOf.get('2026-12-01' as LocalDay)!;
        expect(chargedDays(one, zone).slice(0, reached)).toEqual(heldDays(one, zone).slice(0, reached));
      }),
    );
  });

  test('a bill never depends on when it is computed, because later events do not change it', () => {
    fc.assert(
      fc.property(anyLife, fc.constantFrom(...months), ({ zone, one }, month) => {
        const { end } = monthPeriod(month, zone);
        const [first, ...rest] = one.phases;
        const known: Timeline = {
          ...one,
          endsAt: one.endsAt && one.endsAt < end ? one.endsAt : null,
          phases: [first!, ...rest.filter((each) => each.from < end)],
          pauses: one.pauses
            .filter((each) => each.from < end)
            .map((each) => ({ ...each, until: each.until && each.until < end ? each.until : null })),
        };
        const lines = (which: Timeline) =>
          feeLines(which, planOf, month, zone).map((line) => [
            line.kind,
            line.serviceId,
            line.quantity,
            decimalText(line.exact),
            line.amount.minor,
          ]);
        expect(lines(known)).toEqual(lines(one));
      }),
      { numRuns: 300 },
    );
  });

  test('parts of a month follow each other without gaps, from begin to end', () => {
    fc.assert(
      fc.property(anyLife, fc.constantFrom(...months), ({ zone, one }, month) => {
        const parts = monthParts(one, planOf, month, zone);
        const { start, end } = monthPeriod(month, zone);
        expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([start, end]);
        parts.slice(1).forEach((part, index) => expect(part.from).toEqual(parts[index]!.to));
      }),
    );
  });
});

describe('amounts of fees', () => {
  const anyMonth = fc.constantFrom(...monthsFrom('2024-01', 30));
  const anyDays = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 });

  test('a month cut into phases of the same plan costs the same as uncut', () => {
    fc.assert(
      fc.property(
        prices,
        fc.constantFrom('1', '3', '0.125', '7.5'),
        anyMonth,
        fc.constantFrom(...oddZones),
        anyDays,
        fc.constantFrom('day', 'second'),
        (fee, quantity, month, zone, cuts, proration) => {
          const own: PlanOf = () => plan('x', 'monthly', fee, { proration });
          const days = [...new Set(cuts)]
            .filter((cut) => cut > 0 && cut < daysInMonth(month))
            .toSorted((a, b) => a - b);
          const phases = [
            phase(new Date(0), 'x', quantity),
            ...days.map((cut) =>
              phase(
                new Date(monthPeriod(month, zone).start.getTime() + cut * 86_400_000 + 7_200_000),
                'x',
                quantity,
              ),
            ),
          ];
          const lines = feeLines(timeline(phases), own, month, zone);
          expect(decimalText(sumDecimals(lines.map((line) => line.exact)))).toBe(
            decimalText(decimal(fee).times(decimal(quantity))),
          );
        },
      ),
    );
  });

  test('credit and charge of a change to the same plan are equal to the last unit', () => {
    fc.assert(
      fc.property(
        prices,
        anyMonth,
        fc.integer({ min: 1, max: 27 }),
        fc.constantFrom('monthly', 'yearly'),
        (fee, month, day, cycle) => {
          const own: PlanOf = () => plan('x', cycle, fee);
          const from = noonOf(`${month}-${String(day + 1).padStart(2, '0')}`);
          const anchor = cycle === 'yearly' ? '2023-11-05' : null;
          const lines = feeLines(
            timeline([phase(noonOf('2023-11-05'), 'x', '1', anchor), phase(from, 'x', '1', anchor)]),
            own,
            month,
            taipei,
          );
          const [credit, charge] = lines.slice(-2);
          if (isZero(decimal(fee)) || !credit || !charge || credit.kind !== 'credit') return;
          expect(decimalText(credit.exact.plus(charge.exact))).toBe('0');
          expect(credit.amount.minor + charge.amount.minor).toBe(0n);
        },
      ),
    );
  });

  test('by the second: charges add up to the seconds of service', () => {
    fc.assert(
      fc.property(
        anyMonth,
        fc.constantFrom(...oddZones),
        fc.array(fc.integer({ min: 0, max: 2_900_000 }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: 2, maxLength: 2 }),
        (month, zone, changes, [a = 0, b = 0]) => {
          const { start, end } = monthPeriod(month, zone);
          const moment = (second: number): Date => new Date(start.getTime() + second * 1000);
          const phases = [
            phase(moment(0), 's1'),
            ...changes
              .toSorted((x, y) => x - y)
              .map((second, index) => phase(moment(second), index % 2 === 0 ? 's2' : 's1')),
          ];
          const pauses = [{ from: moment(Math.min(a, b)), until: moment(Math.max(a, b)) }];
          const counted = feeSpans(timeline(phases, { pauses }), planOf, month, zone).reduce(
            (sum, span) =>
              sum +
              (span.kind === 'credit' ? -1 : 1) * span.spans.reduce((all, [from, to]) => all + to - from, 0),
            0,
          );
          expect(counted).toBe((end.getTime() - start.getTime()) / 1000 - Math.abs(a - b));
        },
      ),
    );
  });

  test('a line shows its calculation: units × fee × part of the period', () => {
    const [line] = feeLines(
      timeline([phase(noonOf('2026-10-14'), 'm2', '2.5')]),
      planOf,
      monthOfText('2026-10'),
      taipei,
    );
    expect(line).toMatchObject({
      quantity: '1.451612903226',
      unit: 'month',
      unitPrice: '620',
      steps: [
        {
          kind: 'base',
          unitPrice: '620',
          amount: '900',
          share: { part: 18, whole: 31, unit: 'day', units: '2.5' },
        },
      ],
    });
    expect(monthOf(noonOf('2026-10-14'), taipei)).toBe('2026-10');
  });
});
