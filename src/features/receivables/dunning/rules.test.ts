// Dunning steps: each is taken once, in order, whenever the job runs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { DunningStep } from './contract.ts';
import {
  courseOf,
  dueSteps,
  initialSteps,
  nextOf,
  planMistake,
  stepName,
  stepsFor,
  type EarlierStep,
} from './rules.ts';
import type { LocalDay } from '#kernel/shape.ts';

const at = (day: number, action: DunningStep['action'] = 'reminder'): DunningStep => ({ day, action });
const dueNames = (elapsed: number, taken: readonly EarlierStep[] = [], deferDays = 0, steps = initialSteps) =>
  dueSteps(steps, elapsed, taken, deferDays).map((each) => `${each.isSkipped ? '-' : ''}${each.step}`);
const takenUpTo = (day: number): EarlierStep[] =>
  initialSteps.filter((each) => each.day <= day).map((each) => ({ step: stepName(each), day: each.day }));

test('T-PAYER: an exempt user of services is not restricted, and the payer is reminded', () => {
  const actions = (isUserExempt: boolean) => [
    ...new Set(stepsFor(initialSteps, { isUserExempt }).map(({ action }) => action)),
  ];
  expect(actions(true)).toEqual(['reminder']);
  expect(actions(false)).toEqual(['reminder', 'past_due', 'suspend']);
});

describe('due dunning steps', () => {
  test.each([
    [-4, [], []],
    [-3, [], ['reminder -3']],
    [-1, takenUpTo(-1), []],
    [0, takenUpTo(-3), ['reminder 0']],
    // After downtime only the newest reminder is sent, but past due and suspension are taken.
    [8, takenUpTo(-3), ['-reminder 0', '-reminder 3', 'reminder 7']],
    [30, [], ['-reminder -3', '-reminder 0', '-reminder 3', 'reminder 7', 'past_due', 'suspend']],
    [10, takenUpTo(7), ['past_due']],
    [14, takenUpTo(10), ['suspend']],
    [99, takenUpTo(14), []],
  ] as const)('day %i', (elapsed, taken, expected) => {
    expect(dueNames(elapsed, taken)).toEqual(expected);
  });
  test('a suspension and later steps wait for a pending payment', () => {
    const steps = [...initialSteps, at(15)];
    expect(dueNames(16, takenUpTo(10), 3, steps)).toEqual([]);
    expect(dueNames(17, takenUpTo(10), 3, steps)).toEqual(['suspend', 'reminder 15']);
  });
  test('changed steps apply to steps not yet taken', () => {
    expect(
      dueNames(9, [{ step: 'reminder 7', day: 7 }], 0, [at(1), at(5), at(8), at(9, 'past_due')]),
    ).toEqual(['reminder 8', 'past_due']);
    expect(dueNames(20, [{ step: 'past_due', day: 10 }], 0, [at(15, 'past_due'), at(18, 'suspend')])).toEqual(
      ['suspend'],
    );
    expect(dueNames(20, [{ step: 'suspend', day: 10 }], 0, [at(15, 'past_due'), at(18, 'suspend')])).toEqual(
      [],
    );
  });
  test('the next step has its day', () => {
    const standing = { base: '2026-03-01' as LocalDay, elapsed: 8, taken: takenUpTo(7), deferDays: 3 };
    expect(nextOf(initialSteps, standing)).toEqual({ action: 'past_due', on: '2026-03-11' });
    expect(nextOf(initialSteps, standing, 'suspend')).toEqual({ action: 'suspend', on: '2026-03-18' });
    expect(nextOf(initialSteps, { ...standing, taken: takenUpTo(14) })).toBeUndefined();
  });
});

describe('the dunning steps', () => {
  test.each([
    [[at(0)], undefined],
    [initialSteps, undefined],
    [[at(0), at(0)], 'dunning.days_not_rising'],
    [[at(3), at(0)], 'dunning.days_not_rising'],
    [[at(1, 'past_due'), at(2, 'past_due')], 'dunning.past_due_twice'],
    [[at(1, 'suspend')], 'dunning.suspend_order'],
    [[at(1, 'suspend'), at(2, 'past_due')], 'dunning.suspend_order'],
    [[at(0, 'past_due')], 'dunning.held_early'],
  ] as const)('%j: %s', (steps, code) => {
    expect(planMistake({ steps: [...steps], minimums: [] })?.code).toBe(code);
  });
  test('have one minimum per currency', () => {
    expect(planMistake({ steps: [at(0)], minimums: [money(1n, 'TWD'), money(2n, 'TWD')] })?.code).toBe(
      'dunning.minimum_twice',
    );
    expect(planMistake({ steps: [at(0)], minimums: [money(1n, 'TWD'), money(0n, 'USD')] })).toBeUndefined();
  });
});

const schedule = fc
  .uniqueArray(fc.integer({ min: -10, max: 30 }), { minLength: 1, maxLength: 12 })
  .chain((days) => {
    const rising = days.toSorted((a, b) => a - b);
    return fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => {
      const late = rising.filter((day) => day >= 1);
      const pastDue = late.length > 0 ? late[a % late.length] : undefined;
      const later = late.filter((day) => pastDue !== undefined && day > pastDue);
      const suspend = later.length > 0 && b % 3 > 0 ? later[b % later.length] : undefined;
      return rising.map((day) =>
        at(day, day === pastDue ? 'past_due' : day === suspend ? 'suspend' : 'reminder'),
      );
    });
  });

test('for any order of runs, downtime and payments: each step at most once, in order, none after settlement', () => {
  fc.assert(
    fc.property(
      schedule,
      fc.array(fc.record({ hours: fc.integer({ min: 0, max: 200 }), isPending: fc.boolean() }), {
        maxLength: 60,
      }),
      fc.integer({ min: 0, max: 60 * 24 }),
      (steps, ticks, settledAfter) => {
        expect(planMistake({ steps, minimums: [] })).toBeUndefined();
        const taken: (EarlierStep & { isSkipped: boolean })[] = [];
        let hour = -12 * 24;
        for (const { hours, isPending } of ticks) {
          hour += hours;
          // A paid bill has nothing due, so it takes no further steps.
          if (hour >= settledAfter) break;
          const elapsed = Math.floor(hour / 24);
          const due = dueSteps(steps, elapsed, taken, isPending ? 3 : 0);
          expect(
            due.filter((each) => each.action === 'reminder' && !each.isSkipped).length,
          ).toBeLessThanOrEqual(1);
          for (const each of due) {
            expect(each.day).toBeLessThanOrEqual(elapsed);
            if (each.action !== 'reminder') expect(each.isSkipped).toBe(false);
          }
          taken.push(...due);
          // Every step that is due and not deferred was taken.
          if (!isPending)
            expect(taken.map((each) => each.step)).toEqual(
              steps.filter((each) => each.day <= elapsed).map(stepName),
            );
          expect(dueSteps(steps, elapsed, taken, isPending ? 3 : 0)).toEqual([]);
        }
        expect(new Set(taken.map((each) => each.step)).size).toBe(taken.length);
        expect(taken.map((each) => each.day)).toEqual(
          taken.map((each) => each.day).toSorted((a, b) => a - b),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('the schedule of a course equals daily checks', () => {
  fc.assert(
    fc.property(schedule, fc.integer({ min: -15, max: 35 }), fc.boolean(), (steps, elapsed, isPending) => {
      const defer = isPending ? 3 : 0;
      const taken: EarlierStep[] = [];
      const lived = Array.from({ length: 31 }, (_, after) =>
        dueSteps(steps, elapsed + after, taken, defer).map((each) => {
          taken.push(each);
          return { ...each, after };
        }),
      ).flat();
      expect(courseOf(steps, elapsed, [], defer, 30)).toEqual(lived);
    }),
  );
});
