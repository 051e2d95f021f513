// When backups are due and which ones are kept.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '#kernel/time.ts';
import type { BackupPlan } from './contract.ts';
import {
  unscheduledRetentionDays,
  fileNameOf,
  initialPlan,
  isDue,
  lastDue,
  nextDue,
  overdue,
  type ExistingBackup,
} from './rules.ts';

const taipei = 'Asia/Taipei';
const at = (text: string): Date => new Date(text);

describe('when a backup is due', () => {
  it.each([
    // Taipei is eight hours ahead: 03:00 there is 19:00 of the day before.
    ['2026-11-22T18:59:59Z', '2026-11-21T19:00:00Z', '2026-11-22T19:00:00Z'],
    ['2026-11-22T19:00:00Z', '2026-11-22T19:00:00Z', '2026-11-23T19:00:00Z'],
    ['2026-11-22T19:00:01Z', '2026-11-22T19:00:00Z', '2026-11-23T19:00:00Z'],
  ])('at %s the last was due at %s, the next one at %s', (now, last, next) => {
    expect([lastDue(at(now), 3, taipei), nextDue(at(now), 3, taipei)]).toEqual([at(last), at(next)]);
  });

  it('at a skipped hour is still made once that day', () => {
    // New York, 8 March 2026: 02:00 becomes 03:00.
    expect(nextDue(at('2026-03-08T06:30:00Z'), 2, 'America/New_York')).toEqual(at('2026-03-08T07:00:00Z'));
    expect(nextDue(at('2026-03-08T07:00:00Z'), 2, 'America/New_York')).toEqual(at('2026-03-09T06:00:00Z'));
  });

  it('is once per time, also when late, and never while disabled', () => {
    const now = at('2026-11-23T10:00:00Z');
    expect(isDue(now, initialPlan, taipei, at('2026-11-22T18:59:00Z'))).toBe(true);
    expect(isDue(now, initialPlan, taipei, at('2026-11-22T19:00:00Z'))).toBe(false);
    expect(isDue(now, initialPlan, taipei, null)).toBe(true);
    expect(isDue(now, { ...initialPlan, isOn: false }, taipei, null)).toBe(false);
  });
});

const nightly = (days: number, now: Date): ExistingBackup[] =>
  Array.from({ length: days }, (_, age) => ({
    id: String(age),
    at: new Date(now.getTime() - age * 86_400_000),
    cause: 'schedule',
    proof: 'proven',
  }));

describe('which backups are kept', () => {
  const now = at('2026-11-22T19:05:00Z');

  it('of two years of nights: the last 7 days, the newest of 4 weeks and of 12 months', () => {
    const all = nightly(730, now);
    const over = new Set(overdue(all, initialPlan, taipei, now));
    const retained = all.filter((one) => !over.has(one.id)).map((one) => dayOf(one.at, taipei));
    expect(retained).toEqual([
      '2026-11-23',
      '2026-11-22',
      '2026-11-21',
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      '2026-11-15',
      '2026-11-08',
      '2026-10-31',
      '2026-09-30',
      '2026-08-31',
      '2026-07-31',
      '2026-06-30',
      '2026-05-31',
      '2026-04-30',
      '2026-03-31',
      '2026-02-28',
      '2026-01-31',
      '2025-12-31',
    ]);
  });

  it('a verified one before a newer unverified one of the same day', () => {
    const all: ExistingBackup[] = [
      { id: 'today', at: now, cause: 'schedule', proof: 'proven' },
      { id: 'late', at: at('2026-11-20T12:00:00Z'), cause: 'schedule', proof: 'different' },
      { id: 'early', at: at('2026-11-20T10:00:00Z'), cause: 'schedule', proof: 'proven' },
    ];
    expect(overdue(all, initialPlan, taipei, now)).toEqual(['late']);
  });

  it('the newest verified one always, and requested ones for two weeks', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            age: fc.integer({ min: 0, max: 4000 }),
            cause: fc.constantFrom('schedule', 'person', 'upgrade', 'command'),
            proof: fc.constantFrom('proven', 'different', 'not_allowed'),
          }),
          { maxLength: 60 },
        ),
        fc.record({
          keepDaily: fc.integer({ min: 1, max: 10 }),
          keepWeekly: fc.integer({ min: 0, max: 5 }),
          keepMonthly: fc.integer({ min: 0, max: 13 }),
        }),
        (made, retention) => {
          const plan: BackupPlan = { isOn: true, hour: 3, ...retention };
          const all = made.map(
            ({ age, cause, proof }, place): ExistingBackup =>
              ({
                id: String(place),
                at: new Date(now.getTime() - age * 3_600_000),
                cause,
                proof,
              }) as ExistingBackup,
          );
          const over = new Set(overdue(all, plan, taipei, now));
          const newest = all.toSorted((a, b) => b.at.getTime() - a.at.getTime());
          for (const stays of [newest[0], newest.find((one) => one.proof === 'proven')])
            if (stays) expect(over).not.toContain(stays.id);
          for (const one of all)
            if (
              one.cause !== 'schedule' &&
              now.getTime() - one.at.getTime() <= unscheduledRetentionDays * 86_400_000
            )
              expect(over).not.toContain(one.id);
          // The number of scheduled backups is bounded.
          expect(
            all.filter((one) => one.cause === 'schedule' && !over.has(one.id)).length,
          ).toBeLessThanOrEqual(plan.keepDaily + plan.keepWeekly + plan.keepMonthly + 2);
          // Repeating the decision without the deleted backups deletes no more.
          expect(
            overdue(
              all.filter((one) => !over.has(one.id)),
              plan,
              taipei,
              now,
            ),
          ).toEqual([]);
        },
      ),
    );
  });
});

it('a file is named by its time and release', () => {
  expect(fileNameOf(at('2026-11-22T03:04:05.678Z'), 'v1.2.3', 'abc123')).toBe(
    'skytally-20261122T030405Z-v1.2.3-abc123.backup.age',
  );
});
