// Fees of rate cards: every period is charged once for its days of service, on the bill that its timing
// determines (R-BILL-01, R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addDays, addMonths, dayOf, dayPeriod, monthOf } from '#kernel/time.ts';
import { chargeCycles, type Charge } from '#features/selling/rating/contract.ts';
import { oddZones } from '#tests/support/arbitraries.ts';
import { chargeFeeLines, undividedBeyond } from './rules-charges.ts';
import type { Phase, PlanOf, PlanPrice, PricedPlan, Timeline } from './rules-fees.ts';

const zone = 'Asia/Taipei';
const at = (day: string): Date => dayPeriod(day as LocalDay, zone).start;
const name = { zhTW: '費用', enUS: 'Fee' };
const fee = (more: Partial<Charge> = {}): Charge =>
  ({ key: 'fee', name, kind: 'recurring', model: 'flat', amount: '300', ...more }) as Charge;
const version = (id: string, from: string, ...charges: readonly Charge[]): PlanPrice => ({
  id,
  effectiveFrom: at(from),
  pricing: { model: 'rate_card', currency: 'USD', charges: [...charges] },
});
const plan = (id: string, ...prices: readonly PlanPrice[]): PricedPlan => ({
  id,
  name: id,
  billingCycle: 'monthly',
  proration: 'day',
  prices,
});
const phase = (from: string, serviceId: string | null, quantity = '1', more: Partial<Phase> = {}): Phase => ({
  from: at(from),
  serviceId,
  quantity,
  yearAnchor: null,
  ...more,
});
const life = (phases: readonly Phase[], more: Partial<Timeline> = {}): Timeline => ({
  startedAt: phases[0]?.from ?? at('2026-01-01'),
  endsAt: null,
  trialEndsAt: null,
  phases,
  pauses: [],
  ...more,
});
const of =
  (...plans: readonly PricedPlan[]): PlanOf =>
  (id) => {
    const found = plans.find((each) => each.id === id);
    if (!found) throw new Error(`no plan ${id}`);
    return found;
  };
const lines = (timeline: Timeline, planOf: PlanOf, month: string): string[] =>
  chargeFeeLines(timeline, planOf, month as BillingMonth, zone).map(
    ({ kind, charge, quantity, unit, exact, steps }) => {
      expect(decimalText(sumDecimals(steps.map((step) => decimal(step.amount))))).toBe(decimalText(exact));
      return `${kind} ${charge?.key} ${quantity} ${unit} ${decimalText(exact)}`;
    },
  );
const charged = (
  charge: Charge,
  month: string,
  more: Partial<Timeline> = {},
  start = '2026-01-01',
): string[] =>
  lines(life([phase(start, 'vm')], more), of(plan('vm', version('v1', '2020-01-01', charge))), month);

describe('recurring charges', () => {
  test.each<[string, Partial<Charge>, string, string, string[]]>([
    ['a month, whole', {}, '2026-01-01', '2026-04', ['base_fee fee 1 month 300']],
    ['a month from the 16th of 30 days', {}, '2026-04-16', '2026-04', ['base_fee fee 0.5 month 150']],
    ['a month without proration', { prorate: 'none' }, '2026-04-16', '2026-04', ['base_fee fee 1 month 300']],
    [
      'a quarter in advance, in its first month',
      { cycle: 'quarter' },
      '2026-01-01',
      '2026-04',
      ['base_fee fee 1 quarter 300'],
    ],
    ['a quarter in advance, not in the next month', { cycle: 'quarter' }, '2026-01-01', '2026-05', []],
    // 1 May to 30 June are 61 of 91 days.
    [
      'a quarter in advance that begins in the middle',
      { cycle: 'quarter' },
      '2026-05-01',
      '2026-05',
      ['base_fee fee 0.67032967033 quarter 201.098901098901098901098901'],
    ],
    [
      'a quarter in arrears, in its last month',
      { cycle: 'quarter', timing: 'arrears' },
      '2026-01-01',
      '2026-06',
      ['base_fee fee 1 quarter 300'],
    ],
    [
      'a quarter in arrears, not before',
      { cycle: 'quarter', timing: 'arrears' },
      '2026-01-01',
      '2026-05',
      [],
    ],
    [
      'weeks that begin in the month, in advance',
      { cycle: 'week' },
      '2026-01-01',
      '2026-06',
      Array(5).fill('base_fee fee 1 week 300'),
    ],
    [
      'weeks that end in the month, in arrears',
      { cycle: 'week', timing: 'arrears' },
      '2026-01-01',
      '2026-06',
      Array(4).fill('base_fee fee 1 week 300'),
    ],
    [
      'a year from the first day',
      { cycle: 'year', anchor: 'anniversary' },
      '2024-02-29',
      '2025-02',
      ['base_fee fee 1 year 300'],
    ],
    [
      'a half year by the calendar',
      { cycle: 'half_year' },
      '2026-01-01',
      '2026-07',
      ['base_fee fee 1 half_year 300'],
    ],
    [
      'a month from the 31st, in a short month',
      { anchor: 'anniversary' },
      '2026-01-31',
      '2026-02',
      ['base_fee fee 1 month 300'],
    ],
  ])('%s', (_name, charge, start, month, expected) => {
    expect(charged(fee(charge), month, {}, start)).toEqual(expected);
  });

  test('a quantity per charge, or the plan’s; none for a flat charge', () => {
    const seats = { key: 'seats', name, kind: 'recurring', model: 'per_unit', unitPrice: '10' } as const;
    const disks = { ...seats, key: 'disks', unitPrice: '2' } as const;
    const planOf = of(plan('vm', version('v1', '2020-01-01', fee(), seats, disks)));
    const timeline = life([phase('2026-01-01', 'vm', '3', { chargeQuantities: { seats: '12' } })]);
    expect(lines(timeline, planOf, '2026-02')).toEqual([
      'base_fee fee 1 month 300',
      'base_fee seats 12 month 120',
      'base_fee disks 3 month 6',
    ]);
  });

  test('tiers, packages and limits apply to the quantity', () => {
    const tiers = [
      { upTo: '5', unitPrice: '10' },
      { upTo: null, unitPrice: '8' },
    ];
    const seats: Charge = { key: 'seats', name, kind: 'recurring', model: 'graduated', tiers, minimum: '70' };
    const month = (quantity: string) =>
      lines(
        life([phase('2026-01-01', 'vm', quantity)]),
        of(plan('vm', version('v1', '2020-01-01', seats))),
        '2026-02',
      );
    expect(month('7')).toEqual(['base_fee seats 7 month 70']);
    expect(month('8')).toEqual(['base_fee seats 8 month 74']);
    expect(month('2')).toEqual(['base_fee seats 2 month 70']);
  });

  test('an end within a prepaid period is refunded in its month, or deducted at once where it is known', () => {
    const quarter = fee({ cycle: 'quarter' });
    const ended = { endsAt: at('2026-05-16') };
    expect(charged(quarter, '2026-04', ended)).toEqual(['base_fee fee 1 quarter 300']);
    // 16 May to 30 June are 46 of 91 days.
    expect(charged(quarter, '2026-05', ended)).toEqual([
      'credit fee -0.505494505495 quarter -151.648351648351648351648352',
    ]);
    expect(charged(quarter, '2026-06', ended)).toEqual([]);
    expect(charged(quarter, '2026-04', { endsAt: at('2026-04-16') })).toEqual([
      'base_fee fee 0.164835164835 quarter 49.450549450549450549450549',
    ]);
    expect(charged(fee({ cycle: 'quarter', prorate: 'none' }), '2026-05', ended)).toEqual([]);
    // An end at midnight of the first belongs to the previous month.
    expect(charged(quarter, '2026-05', { endsAt: at('2026-06-01') })).toEqual([
      'credit fee -0.32967032967 quarter -98.901098901098901098901099',
    ]);
    expect(charged(quarter, '2026-06', { endsAt: at('2026-06-01') })).toEqual([]);
  });

  test('in arrears a cut period is charged at its end', () => {
    const quarter = fee({ cycle: 'quarter', timing: 'arrears' });
    const ended = { endsAt: at('2026-05-16') };
    expect(charged(quarter, '2026-05', ended)).toEqual([
      'base_fee fee 0.494505494505 quarter 148.351648351648351648351648',
    ]);
    expect(charged(quarter, '2026-06', ended)).toEqual([]);
  });

  test('pauses are refunded in their months', () => {
    const pauses = [{ from: at('2026-04-21'), until: at('2026-05-11') }];
    // 10 of 91 days, then 10 more.
    expect(charged(fee({ cycle: 'quarter' }), '2026-04', { pauses })).toEqual([
      'base_fee fee 0.89010989011 quarter 267.032967032967032967032967',
    ]);
    expect(charged(fee({ cycle: 'quarter' }), '2026-05', { pauses })).toEqual([
      'credit fee -0.10989010989 quarter -32.967032967032967032967033',
    ]);
    expect(charged(fee(), '2026-05', { pauses })).toEqual([
      'base_fee fee 0.677419354839 month 203.225806451612903225806452',
    ]);
  });

  test('a trial is free: its periods are charged from its end', () => {
    const trial = { trialEndsAt: at('2026-04-16') };
    expect(charged(fee(), '2026-04', trial, '2026-04-01')).toEqual(['base_fee fee 0.5 month 150']);
    expect(charged(fee({ cycle: 'quarter' }), '2026-04', trial, '2026-04-01')).toEqual([
      'base_fee fee 0.835164835165 quarter 250.549450549450549450549451',
    ]);
    expect(
      charged(fee({ cycle: 'quarter' }), '2026-04', { ...trial, endsAt: at('2026-04-10') }, '2026-04-01'),
    ).toEqual([]);
  });

  test('another quantity within a period: the rest of the old one is refunded', () => {
    const seats: Charge = {
      key: 'seats',
      name,
      kind: 'recurring',
      model: 'per_unit',
      unitPrice: '91',
      cycle: 'quarter',
    };
    const timeline = life([phase('2026-01-01', 'vm', '2'), phase('2026-05-01', 'vm', '3')]);
    const planOf = of(plan('vm', version('v1', '2020-01-01', seats)));
    expect(lines(timeline, planOf, '2026-04')).toEqual(['base_fee seats 0.659340659341 quarter 60']);
    expect(lines(timeline, planOf, '2026-05')).toEqual(['base_fee seats 2.010989010989 quarter 183']);
  });

  test('a price applies to periods that begin under it; an added or removed charge applies to its time', () => {
    const planOf = of(
      plan(
        'vm',
        version('v1', '2020-01-01', fee(), fee({ key: 'old' })),
        version('v2', '2026-04-16', fee({ amount: '600' } as Partial<Charge>), fee({ key: 'new' })),
      ),
    );
    const timeline = life([phase('2026-01-01', 'vm')]);
    expect(lines(timeline, planOf, '2026-04')).toEqual([
      'base_fee fee 1 month 300',
      'base_fee old 0.5 month 150',
      'base_fee new 0.5 month 150',
    ]);
    expect(lines(timeline, planOf, '2026-05')).toEqual([
      'base_fee fee 1 month 600',
      'base_fee new 1 month 300',
    ]);
  });
});

describe('one-time charges', () => {
  const setup: Charge = { key: 'setup', name, kind: 'one_time', model: 'per_unit', unitPrice: '99' };
  test('are charged completely in the month in which the plan begins, and never again', () => {
    expect(charged(setup, '2026-04', {}, '2026-04-16')).toEqual(['one_time setup 1 once 99']);
    expect(charged(setup, '2026-05', {}, '2026-04-16')).toEqual([]);
  });
  test('are charged after a trial, and not if it is canceled', () => {
    const trialEndsAt = at('2026-05-10');
    expect(charged(setup, '2026-04', { trialEndsAt }, '2026-04-16')).toEqual([]);
    expect(charged(setup, '2026-05', { trialEndsAt }, '2026-04-16')).toEqual(['one_time setup 1 once 99']);
    expect(charged(setup, '2026-05', { trialEndsAt, endsAt: at('2026-05-02') }, '2026-04-16')).toEqual([]);
  });
  test('are also charged if the quantity changes on the first day, or within the trial', () => {
    const planOf = of(plan('a', version('v1', '2020-01-01', setup)));
    const sameDay = life([
      phase('2026-04-10', 'a', '2'),
      { ...phase('2026-04-10', 'a', '3'), from: new Date(at('2026-04-10').getTime() + 3_600_000) },
    ]);
    expect(lines(sameDay, planOf, '2026-04')).toEqual(['one_time setup 3 once 297']);
    const inTrial = life([phase('2026-04-10', 'a', '2'), phase('2026-04-20', 'a', '3')], {
      trialEndsAt: at('2026-05-10'),
    });
    expect(lines(inTrial, planOf, '2026-04')).toEqual([]);
    expect(lines(inTrial, planOf, '2026-05')).toEqual(['one_time setup 3 once 297']);
  });
  test('are not charged again after returning to a plan, or changing the quantity', () => {
    const planOf = of(
      plan('a', version('v1', '2020-01-01', setup)),
      plan('b', version('v2', '2020-01-01', { ...setup, key: 'other' })),
    );
    const timeline = life([
      phase('2026-04-01', 'a', '2'),
      phase('2026-04-10', 'b'),
      phase('2026-04-20', 'a'),
      phase('2026-04-25', 'a', '3'),
    ]);
    expect(lines(timeline, planOf, '2026-04')).toEqual([
      'one_time setup 2 once 198',
      'one_time other 1 once 99',
    ]);
  });
});

describe('charges without proration', () => {
  const whole = (more: Partial<Charge> = {}): Charge => fee({ prorate: 'none', ...more });
  const seats = { key: 'seat', name, kind: 'recurring', model: 'per_unit', unitPrice: '10' } as const;

  test('cost a period once, even if the quantity changes within it', () => {
    const planOf = of(plan('a', version('v1', '2020-01-01', whole(), seats)));
    const changed = life([phase('2026-04-01', 'a', '2'), phase('2026-04-16', 'a', '3')]);
    expect(lines(changed, planOf, '2026-04')).toEqual([
      'base_fee seat 1 month 10',
      'base_fee fee 1 month 300',
      'base_fee seat 1.5 month 15',
    ]);
  });
  test('use a changed quantity from the next period on', () => {
    for (const timing of ['advance', 'arrears'] as const) {
      const planOf = of(
        plan('a', version('v1', '2020-01-01', { ...seats, prorate: 'none', timing } as Charge)),
      );
      const changed = life([phase('2026-04-01', 'a', '2'), phase('2026-04-16', 'a', '3')]);
      expect(lines(changed, planOf, '2026-04')).toEqual(['base_fee seat 2 month 20']);
      expect(lines(changed, planOf, '2026-05')).toEqual(['base_fee seat 3 month 30']);
      // Changes within the trial never cost anything.
      const tried = { ...changed, trialEndsAt: at('2026-04-21') };
      expect(lines(tried, planOf, '2026-04')).toEqual(['base_fee seat 3 month 30']);
    }
  });
  test('can be ended by another plan only at the end of their period', () => {
    const planOf = of(
      plan('month', version('v1', '2020-01-01', whole())),
      plan(
        'year',
        version('v2', '2020-01-01', whole({ cycle: 'year' }), whole({ key: 'week', cycle: 'week' })),
      ),
      plan('own', version('v3', '2020-01-01', whole({ cycle: 'year', anchor: 'anniversary' }))),
      plan(
        'shared',
        version('v4', '2020-01-01', fee({ cycle: 'year' }), fee({ key: 'week', cycle: 'week' })),
      ),
      plan('other', version('v5', '2020-01-01', fee())),
    );
    const beyond = (from: string, on: string, more: Partial<Timeline> = {}) => {
      const found = undividedBeyond(
        life([phase('2026-02-10', from), phase(on, 'other')], more),
        planOf,
        zone,
      );
      return found && `${found.charge.key} ${dayOf(found.until, zone)}`;
    };
    expect(beyond('month', '2026-04-16')).toBe('fee 2026-05-01');
    expect(beyond('month', '2026-05-01')).toBeUndefined();
    expect(beyond('year', '2026-04-16')).toBe('fee 2027-01-01');
    // A Friday: the week continues until Monday.
    expect(beyond('year', '2027-01-01')).toBe('week 2027-01-04');
    expect(beyond('own', '2027-01-01')).toBe('fee 2027-02-10');
    expect(beyond('own', '2027-02-10')).toBeUndefined();
    expect(beyond('shared', '2026-04-16')).toBeUndefined();
    // A trial that lasts until the change, or beyond it, has cost nothing.
    expect(beyond('year', '2026-04-16', { trialEndsAt: at('2026-04-16') })).toBeUndefined();
    expect(beyond('year', '2026-04-16', { trialEndsAt: at('2026-04-15') })).toBe('fee 2027-01-01');
    // On its first day a plan is treated as if it had never existed.
    expect(beyond('year', '2026-02-10')).toBeUndefined();
  });
});

describe('any life of a subscription', () => {
  const start = '2026-01-01' as LocalDay;
  const dayNumber = fc.integer({ min: 0, max: 500 });
  test('all bills together charge each day of service once, for any cycle, timing, pauses, changes and end', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chargeCycles),
        fc.constantFrom('advance' as const, 'arrears' as const),
        fc.constantFrom('calendar' as const, 'anniversary' as const),
        dayNumber,
        fc.integer({ min: 2, max: 300 }),
        fc.array(fc.tuple(dayNumber, fc.integer({ min: 2, max: 60 })), { maxLength: 1 }),
        fc.option(fc.integer({ min: 1, max: 200 })),
        (cycle, timing, anchor, first, length, breaks, changeAfter) => {
          const began = addDays(start, first);
          const ended = addDays(began, length);
          const pauses = breaks.flatMap(([from, days]) => {
            const a = addDays(began, from);
            return a < ended ? [{ from: at(a), until: at(addDays(a, days)) }] : [];
          });
          const changed = changeAfter === null ? null : addDays(began, changeAfter);
          // A price of 1 for each day of a period, by a quantity that is its length: the sum is the number of
          // days of service.
          const charge = {
            key: 'fee',
            name,
            kind: 'recurring',
            model: 'flat',
            amount: '1',
            cycle,
            timing,
            anchor,
          } as const;
          const phases = [
            phase(began, 'vm'),
            ...(changed !== null && changed < ended ? [phase(changed, 'vm')] : []),
          ];
          const timeline = life(phases, { endsAt: at(ended), pauses });
          const planOf = of(plan('vm', version('v1', '2020-01-01', charge)));
          let served = 0;
          for (
            let month = monthOf(at(began), zone);
            month <= addMonths(monthOf(at(ended), zone), 13);
            month = addMonths(month, 1)
          )
            for (const line of chargeFeeLines(timeline, planOf, month, zone)) {
              const { share } = line.steps[0] ?? {};
              served += (line.kind === 'credit' ? -1 : 1) * (share?.part ?? 0);
              expect(line.kind === 'credit' ? timing : 'advance').toBe('advance');
            }
          let expected = 0;
          for (let day = began; day < ended; day = addDays(day, 1))
            if (!pauses.some(({ from, until }) => from <= at(day) && at(day) < until)) expected++;
          expect(served).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  /** A moment of 2026 or 2027, to the second. */
  const second = fc.integer({ min: 0, max: 500 * 86_400 });
  const quantities = fc.array(fc.tuple(second, fc.integer({ min: 1, max: 9 })), { maxLength: 3 });
  test.each(['day', 'second'] as const)(
    'all bills together charge each %s of service once, at its quantity, from and to any second, in any time zone',
    (prorate) => {
      fc.assert(
        fc.property(
          fc.record({
            cycle: fc.constantFrom(...chargeCycles),
            timing: fc.constantFrom('advance' as const, 'arrears' as const),
            anchor: fc.constantFrom('calendar' as const, 'anniversary' as const),
          }),
          fc.constantFrom(...oddZones),
          second,
          fc.integer({ min: 60, max: 300 * 86_400 }),
          quantities,
          fc.option(fc.tuple(second, fc.integer({ min: 1, max: 90 * 86_400 }))),
          (terms, place, begin, length, changes, pause) => {
            const first = Date.UTC(2026, 0, 1);
            const [startedAt, endsAt] = [
              new Date(first + begin * 1000),
              new Date(first + (begin + length) * 1000),
            ];
            const moment = (after: number): Date => new Date(startedAt.getTime() + after * 1000);
            const charge = {
              key: 'fee',
              name,
              kind: 'recurring',
              model: 'per_unit',
              unitPrice: '1',
              prorate,
              ...terms,
            } as const;
            const held = (from: Date, quantity: string): Phase => ({
              from,
              serviceId: 'vm',
              quantity,
              yearAnchor: null,
            });
            const phases = [
              held(startedAt, '1'),
              ...changes
                .filter(([after]) => after > 0 && after < length)
                .toSorted(([a], [b]) => a - b)
                .map(([after, quantity]) => held(moment(after), String(quantity))),
            ];
            const pauses =
              pause && pause[0] < length
                ? [{ from: moment(pause[0]), until: moment(pause[0] + pause[1]) }]
                : [];
            const timeline = life(phases, { endsAt, pauses });
            const planOf = of(plan('vm', version('v1', '2020-01-01', charge)));
            let charged = 0;
            for (
              let month = monthOf(startedAt, place);
              month <= addMonths(monthOf(endsAt, place), 13);
              month = addMonths(month, 1)
            )
              for (const { kind, steps } of chargeFeeLines(timeline, planOf, month, place)) {
                const share = steps[0]?.share;
                charged +=
                  (kind === 'credit' ? -1 : 1) * (share?.part ?? 0) * Number(share?.units ?? Number.NaN);
              }
            // A change applies from the beginning of its day on.
            const changed = phases.map(({ from, quantity }, index) => ({
              from: index === 0 ? from : dayPeriod(dayOf(from, place), place).start,
              quantity,
            }));
            const quantityAt = (isUntil: (from: Date) => boolean): number =>
              Number(changed.findLast(({ from }) => isUntil(from))?.quantity ?? Number.NaN);
            let expected = 0;
            if (prorate === 'day') {
              const [began, ended] = [dayOf(startedAt, place), dayOf(endsAt, place)];
              const isPaused = (day: LocalDay): boolean =>
                pauses.some(({ from, until }) => dayOf(from, place) <= day && day < dayOf(until, place));
              // The first day is charged even if it is also the last.
              for (let day = began; day < ended || day === began; day = addDays(day, 1))
                if (!isPaused(day)) expected += quantityAt((from) => dayOf(from, place) <= day);
            } else {
              const cuts = [startedAt, endsAt, ...changed.map(({ from }) => from)]
                .concat(pauses.flatMap(({ from, until }) => [from, until]))
                .filter((each) => each >= startedAt && each <= endsAt)
                .toSorted((a, b) => a.getTime() - b.getTime());
              for (const [index, from] of cuts.slice(0, -1).entries()) {
                const to = cuts[index + 1] ?? from;
                if (pauses.some((each) => each.from <= from && from < each.until)) continue;
                expected += ((to.getTime() - from.getTime()) / 1000) * quantityAt((each) => each <= from);
              }
            }
            expect(charged).toBe(expected);
          },
        ),
        { numRuns: 300 },
      );
    },
  );
});
