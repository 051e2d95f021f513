// The course of a subscription: which changes become due, in which order, and the direction of a change of
// plan.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf, dayPeriod } from '#kernel/time.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import {
  acceptsUsageAt,
  anchorOf,
  changeMoment,
  directionOf,
  dueSteps,
  hasBegun,
  nextStepAt,
  periodEnd,
  planMistake,
  stateAt,
  trialEnd,
  yearsBetween,
  type Course,
  type AppliedPause,
  type AppliedPhase,
} from './rules-course.ts';
import { yearOf } from './rules-fees.ts';

const zone = 'Asia/Taipei';
const at = (text: string): Date => new Date(text);
const day = (text: string): Date => dayPeriod(text as LocalDay, zone).start;
const phase = (
  from: string,
  serviceId = 'a',
  isApplied = true,
  yearAnchor: string | null = null,
): AppliedPhase => ({
  position: 1,
  from: at(from),
  serviceId,
  quantity: '1',
  yearAnchor: yearAnchor as LocalDay | null,
  isApplied,
});
const pause = (from: string, until: string | null, isBegun = false): AppliedPause => ({
  position: 1,
  from: at(from),
  until: until === null ? null : at(until),
  isBegun,
  isOver: false,
});
const course = (more: Partial<Course> = {}): Course => ({
  state: 'active',
  startedAt: at('2026-01-05T04:00:00Z'),
  endsAt: null,
  trialEndsAt: null,
  autoRenew: true,
  timeZone: zone,
  phases: [phase('2026-01-05T04:00:00Z')],
  pauses: [],
  ...more,
});
const stepsDue = (one: Course, now: string): string[] =>
  dueSteps(one, [], at(now)).map(
    (step) => `${step.at.toISOString().slice(0, 10)} ${step.action} ${step.from}→${step.to}`,
  );

describe('changes that have become due', () => {
  test.each<[string, Course, string, string[]]>([
    ['nothing', course(), '2026-12-01T00:00:00Z', []],
    [
      'a pause and its end, in order',
      course({ pauses: [pause('2026-02-01T00:00:00Z', '2026-02-05T00:00:00Z')] }),
      '2026-03-01T00:00:00Z',
      ['2026-02-01 stop active→paused', '2026-02-05 start paused→active'],
    ],
    [
      'only what is due',
      course({ pauses: [pause('2026-02-01T00:00:00Z', '2026-02-05T00:00:00Z')] }),
      '2026-02-04T23:59:59Z',
      ['2026-02-01 stop active→paused'],
    ],
    [
      'a pause that ends as it begins: nothing',
      course({ pauses: [pause('2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z')] }),
      '2026-02-01T00:00:00Z',
      [],
    ],
    [
      'a change',
      course({ phases: [phase('2026-01-05T04:00:00Z'), phase('2026-02-01T00:00:00Z', 'b', false)] }),
      '2026-02-01T00:00:00Z',
      ['2026-02-01 change active→active'],
    ],
    [
      'a requested end',
      course({ state: 'cancelling', endsAt: at('2026-02-01T00:00:00Z') }),
      '2026-02-01T00:00:00Z',
      ['2026-02-01 end cancelling→canceled'],
    ],
    [
      'the end of the term',
      course({ autoRenew: false, endsAt: at('2026-02-01T00:00:00Z') }),
      '2026-05-01T00:00:00Z',
      ['2026-02-01 expire active→expired'],
    ],
    [
      'nothing after the end',
      course({
        state: 'cancelling',
        endsAt: at('2026-02-01T00:00:00Z'),
        phases: [phase('2026-01-05T04:00:00Z'), phase('2026-02-01T00:00:00Z', 'b', false)],
      }),
      '2026-05-01T00:00:00Z',
      ['2026-02-01 end cancelling→canceled'],
    ],
    [
      'nothing for what is over',
      course({ state: 'canceled', endsAt: at('2026-02-01T00:00:00Z') }),
      '2026-05-01T00:00:00Z',
      [],
    ],
    [
      'scheduled changes continue during a suspension for unpaid bills',
      course({ state: 'suspended', heldState: 'cancelling', endsAt: at('2026-02-01T00:00:00Z') }),
      '2026-02-01T00:00:00Z',
      ['2026-02-01 end cancelling→canceled'],
    ],
    [
      'a pause ends while a scheduled end is pending',
      course({
        state: 'cancelling',
        endsAt: at('2026-03-01T00:00:00Z'),
        pauses: [pause('2026-01-10T00:00:00Z', '2026-02-01T00:00:00Z', true)],
      }),
      '2026-02-10T00:00:00Z',
      ['2026-02-01 start cancelling→cancelling'],
    ],
  ])('%s', (_what, one, now, steps) => {
    expect(stepsDue(one, now)).toEqual(steps);
  });

  test('are the same in however many steps time passes', () => {
    const moments = fc
      .array(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 2 })
      .map(([a = 0, b = 0]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(
        moments,
        fc.option(fc.integer({ min: 1, max: 200 })),
        fc.integer({ min: 0, max: 250 }),
        ([from, until], end, now) => {
          const hour = (count: number): Date =>
            new Date(at('2026-02-01T00:00:00Z').getTime() + count * 3_600_000);
          const one = course({
            state: end === null ? 'active' : 'cancelling',
            endsAt: end === null ? null : hour(end),
            pauses: [{ ...pause('2026-02-01T00:00:00Z', null), from: hour(from), until: hour(until) }],
          });
          const steps = dueSteps(one, [], hour(now));
          expect(steps.map((step) => step.at.getTime())).toEqual(
            steps.map((step) => step.at.getTime()).toSorted((a, b) => a - b),
          );
          for (const step of steps) expect(step.at <= hour(now)).toBe(true);
          expect(stateAt(one, hour(now))).toBe(
            end !== null && end <= now
              ? 'canceled'
              : end === null && from <= now && now < until
                ? 'paused'
                : one.state,
          );
        },
      ),
    );
  });

  test('are followed by the first future one as the next step', () => {
    const one = course({
      endsAt: day('2026-03-01'),
      pauses: [pause('2026-02-01T00:00:00Z', '2026-02-05T00:00:00Z')],
    });
    expect(nextStepAt(one, null, at('2026-01-10T00:00:00Z'))).toEqual(at('2026-02-01T00:00:00Z'));
    expect(nextStepAt(one, null, at('2026-02-01T00:00:00Z'))).toEqual(at('2026-02-05T00:00:00Z'));
    expect(nextStepAt(one, null, at('2026-02-05T00:00:00Z'))).toEqual(day('2026-03-01'));
    expect(
      nextStepAt(course({ state: 'expired' }), day('2027-01-01'), at('2026-02-05T00:00:00Z')),
    ).toBeNull();
  });
});

describe('a future begin', () => {
  const begins = at('2026-02-10T00:00:00Z');
  const scheduled = (more: Partial<Course> = {}) =>
    course({
      state: 'scheduled',
      startedAt: begins,
      parentId: 'sub',
      phases: [phase('2026-02-10T00:00:00Z')],
      ...more,
    });
  test.each<[string, Partial<Course>, string, string[]]>([
    ['nothing before', {}, '2026-02-09T23:59:59Z', []],
    ['it begins', {}, '2026-02-10T00:00:00Z', ['2026-02-10 begin scheduled→active']],
    [
      'with an end of its own',
      { ownEndsAt: at('2026-03-01T00:00:00Z'), endsAt: at('2026-03-01T00:00:00Z') },
      '2026-02-11T00:00:00Z',
      ['2026-02-10 begin scheduled→cancelling'],
    ],
    [
      'begin and end, recorded late',
      { ownEndsAt: at('2026-03-01T00:00:00Z'), endsAt: at('2026-03-01T00:00:00Z') },
      '2026-03-02T00:00:00Z',
      ['2026-02-10 begin scheduled→cancelling', '2026-03-01 end cancelling→canceled'],
    ],
    [
      'while its subscription is paused',
      { pauses: [{ ...pause('2026-02-01T00:00:00Z', null, true), isOver: true }] },
      '2026-02-10T00:00:00Z',
      ['2026-02-10 begin scheduled→paused'],
    ],
    [
      'not when its subscription ends first',
      { endsAt: at('2026-02-10T00:00:00Z') },
      '2026-02-11T00:00:00Z',
      ['2026-02-10 end scheduled→canceled'],
    ],
    [
      'during a suspension for unpaid bills',
      { state: 'suspended', heldState: 'scheduled' },
      '2026-02-11T00:00:00Z',
      ['2026-02-10 begin scheduled→active'],
    ],
  ])('%s', (_, more, now, steps) => {
    expect(stepsDue(scheduled(more), now)).toEqual(steps);
  });
  test('is its next step', () => {
    expect(nextStepAt(scheduled(), null, at('2026-02-01T00:00:00Z'))).toEqual(begins);
    expect(nextStepAt(scheduled(), null, begins)).toBeNull();
  });
  test('applies from that moment on, unless it ended before', () => {
    const endsBefore = { endsAt: at('2026-02-01T00:00:00Z') };
    expect(hasBegun(scheduled(), at('2026-02-09T23:59:59Z'))).toBe(false);
    expect(hasBegun(scheduled(), begins)).toBe(true);
    expect(hasBegun(scheduled(endsBefore), at('2026-03-01T00:00:00Z'))).toBe(false);
    expect(hasBegun(scheduled({ endsAt: begins }), at('2026-03-01T00:00:00Z'))).toBe(false);
    // Unlike an add-on, a subscription costs its first day, however soon it ended.
    expect(hasBegun(course({ startedAt: begins, endsAt: begins }), begins)).toBe(true);
  });
});

test('a suspension for unpaid bills is shown until it ends', () => {
  const held = course({
    state: 'past_due',
    heldState: 'cancelling',
    endsAt: at('2026-03-01T00:00:00Z'),
    pauses: [pause('2026-01-10T00:00:00Z', '2026-02-01T00:00:00Z', true)],
  });
  expect(stateAt(held, at('2026-02-10T00:00:00Z'))).toBe('past_due');
  expect(stateAt(held, at('2026-03-01T00:00:00Z'))).toBe('canceled');
});

describe('usage of a subscription', () => {
  const one = course({
    endsAt: at('2026-03-01T00:00:00Z'),
    pauses: [pause('2026-02-01T00:00:00Z', '2026-02-05T00:00:00Z')],
  });
  test.each([
    ['2026-01-05T03:59:59Z', false],
    ['2026-01-05T04:00:00Z', true],
    ['2026-01-31T23:59:59Z', true],
    ['2026-02-01T00:00:00Z', false],
    ['2026-02-04T23:59:59Z', false],
    ['2026-02-05T00:00:00Z', true],
    ['2026-02-28T23:59:59Z', true],
    ['2026-03-01T00:00:00Z', false],
  ])('is %s: %s, whatever the current state', (moment, isTaken) => {
    for (const state of ['active', 'paused', 'cancelling', 'canceled', 'past_due', 'expired'] as const)
      expect(acceptsUsageAt({ ...one, state }, at(moment))).toBe(isTaken);
    expect(acceptsUsageAt({ ...one, state: 'suspended' }, at(moment))).toBe(false);
  });
});

describe('terms', () => {
  test('a period ends with the trial, the year or the month', () => {
    const now = at('2026-01-20T00:00:00Z');
    expect(periodEnd(course(), now)).toEqual(day('2026-02-01'));
    expect(periodEnd(course({ trialEndsAt: day('2026-03-07') }), now)).toEqual(day('2026-03-07'));
    expect(
      periodEnd(course({ phases: [phase('2025-01-31T04:00:00Z', 'y', true, '2025-01-31')] }), now),
    ).toEqual(day('2026-01-31'));
  });
  test('a trial is calendar days, whatever their lengths', () => {
    expect(trialEnd(at('2026-03-07T17:00:00Z'), 14, 'America/New_York')).toEqual(
      dayPeriod('2026-03-21' as LocalDay, 'America/New_York').start,
    );
    expect(trialEnd(at('2026-03-07T17:00:00Z'), 0, zone)).toBeNull();
  });
  test('every moment is in one year of a plan, and years follow each other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('2024-02-29', '2023-01-31', '2024-07-15', '2024-12-31'),
        fc.integer({ min: 0, max: 365 * 9 }),
        (anchor, after) => {
          const moment = new Date(day(anchor).getTime() + after * 86_400_000 + 3_600_000);
          const year = yearOf(anchor as LocalDay, moment, zone);
          expect(year.start <= moment && moment < year.end).toBe(true);
          const began = yearsBetween(anchor as LocalDay, zone, day(anchor), moment);
          expect(began.at(-1)?.start ?? day(anchor)).toEqual(year.start);
          began.forEach((each, index) =>
            expect(each.start).toEqual(
              began[index - 1]?.end ?? yearOf(anchor as LocalDay, day(anchor), zone).end,
            ),
          );
        },
      ),
    );
  });
  test('years are counted from a change, from the end of a trial, or continue', () => {
    const now = at('2026-05-05T20:00:00Z');
    expect(anchorOf('monthly', null, now, null, zone)).toBeNull();
    expect(anchorOf('yearly', null, now, null, zone)).toBe(dayOf(now, zone));
    expect(anchorOf('yearly', null, now, day('2026-06-01'), zone)).toBe('2026-06-01');
    expect(anchorOf('yearly', '2025-02-28' as LocalDay, now, null, zone)).toBe('2025-02-28');
  });
});

describe('changes of plan', () => {
  const offer = (
    baseFee: string | undefined,
    billingCycle: 'monthly' | 'yearly' = 'monthly',
    quantity = '1',
  ) => ({
    pricing: { model: 'flat', currency: 'TWD', ...(baseFee !== undefined && { baseFee }) } as Pricing,
    billingCycle,
    quantity,
  });
  test.each([
    [offer('100'), offer('200'), 'upgrade'],
    [offer('200'), offer('100'), 'downgrade'],
    [offer('100'), offer('1200', 'yearly'), 'equal'],
    [offer('100'), offer('1199', 'yearly'), 'downgrade'],
    [offer('1200', 'yearly'), offer('100.01'), 'upgrade'],
    [offer('100', 'monthly', '3'), offer('250', 'monthly', '1'), 'downgrade'],
    [offer(undefined), offer('0'), 'equal'],
    [offer('33.3', 'monthly', '3'), offer('99.9'), 'equal'],
  ] as const)('%j → %j is %s', (from, to, direction) => {
    expect(directionOf(from, to)).toBe(direction);
  });
  test('upgrades and equal ones apply immediately, downgrades at the end; any can be postponed', () => {
    const [now, end] = [at('2026-01-05T00:00:00Z'), day('2026-02-01')];
    for (const direction of ['upgrade', 'equal'] as const)
      expect([
        changeMoment(direction, undefined, now, end),
        changeMoment(direction, 'end', now, end),
      ]).toEqual([now, end]);
    expect(changeMoment('downgrade', undefined, now, end)).toEqual(end);
  });
  test('some are rejected', () => {
    const service = (more: object = {}): Service =>
      ({
        id: 'svc_a',
        family: 'f',
        status: 'active',
        releaseState: 'Active',
        pricing: { model: 'flat', currency: 'TWD' },
        meter: { eventType: 'e', aggregation: 'sum', unit: 'u' },
        ...more,
      }) as Service;
    const to = (more: object) => planMistake(service(), service({ id: 'svc_b', ...more }));
    expect(to({})).toBeUndefined();
    expect(planMistake(service({ family: '' }), service({ family: '' }))).toBeUndefined();
    expect(planMistake(service(), undefined)).toBe('subscriptions.plan_not_found');
    expect([
      to({ family: '' }),
      to({ family: 'g' }),
      planMistake(service({ family: '' }), service({ id: 'svc_b', family: '' })),
    ]).toEqual(Array(3).fill('subscriptions.other_family'));
    expect([to({ status: 'inactive' }), to({ releaseState: 'Coming Soon' })]).toEqual(
      Array(2).fill('subscriptions.plan_not_available'),
    );
    expect(to({ pricing: { model: 'flat', currency: 'USD' } })).toBe('subscriptions.other_currency');
    expect([
      to({ meter: { eventType: 'x', aggregation: 'sum', unit: 'u' } }),
      to({ meter: { eventType: 'e', aggregation: 'max', unit: 'u' } }),
    ]).toEqual(Array(2).fill('subscriptions.other_meter'));
  });
});
