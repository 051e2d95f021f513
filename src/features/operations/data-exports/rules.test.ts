// Which tables and events are exported, under which names, and when the next run is due.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs } from '#kernel/durations.ts';
import { tableRules } from '#features/operations/personal-data/rules.ts';
import {
  amountName,
  currencyWayOf,
  dueAttempt,
  eventFile,
  eventSpan,
  exportableTables,
  grantsFor,
  initialPlan,
  isAmount,
  tablesOf,
  type LastScheduled,
} from './rules.ts';

const at = (text: string): Date => new Date(`${text}Z`);

describe('exported tables', () => {
  it('are all except short-lived ones and secrets', () => {
    expect(exportableTables).toEqual(
      expect.arrayContaining(['bill', 'ledger_entry', 'usage_event', 'app_user']),
    );
    for (const secret of [
      'session_used_token',
      'installation_secrets',
      'idempotency_key',
      'rate_window',
      'outbox',
    ])
      expect(exportableTables).not.toContain(secret);
    expect(tablesOf({ tables: null })).toBe(exportableTables);
    expect(tablesOf({ tables: ['gone', 'bill'] })).toEqual(['bill']);
  });
  it.each([
    ['total_minor', 'int8', true, 'total'],
    ['minor', 'numeric', true, 'amount'],
    ['amounts_minor', '_int8', false, 'amounts'],
    ['minority', 'int8', false, 'minority'],
  ])('%s (%s)', (column, type, is, name) => {
    expect(isAmount(column, type)).toBe(is);
    expect(amountName(column)).toBe(name);
  });
  it.each([
    ['=TWD', { code: 'TWD' }],
    ['.notice_currency', { own: 'notice_currency' }],
    ['bill_id>bill.id', { table: 'bill', on: [['bill_id', 'id']] }],
    [
      'a,b>c.d,e',
      {
        table: 'c',
        on: [
          ['a', 'd'],
          ['b', 'e'],
        ],
      },
    ],
  ])('a currency by %s', (way, found) => expect(currencyWayOf(way)).toEqual(found));
});

describe('when an export runs', () => {
  const plan = { ...initialPlan, isOn: true, hour: 2 };
  const zone = 'Asia/Taipei';
  const last = (state: LastScheduled['state'], attempt: number, askedAt: string): LastScheduled => ({
    state,
    attempt,
    askedAt: at(askedAt),
    finishedAt: at(askedAt),
  });
  // 02:00 in Taipei is 18:00 UTC.
  it.each([
    ['before the hour', '2026-11-20T17:59:59', null, undefined],
    ['at the hour', '2026-11-20T18:00:00', null, 1],
    ['done', '2026-11-20T18:30:00', last('done', 1, '2026-11-20T18:00:00'), undefined],
    ['done yesterday', '2026-11-21T18:00:00', last('done', 1, '2026-11-20T18:00:00'), 1],
    ['stopped by a person', '2026-11-20T19:30:00', last('stopped', 1, '2026-11-20T18:00:00'), undefined],
    ['failed just now', '2026-11-20T18:14:59', last('failed', 1, '2026-11-20T18:00:00'), undefined],
    ['failed a while ago', '2026-11-20T18:15:00', last('failed', 1, '2026-11-20T18:00:00'), 2],
    ['failed twice', '2026-11-20T18:44:59', last('failed', 2, '2026-11-20T18:15:00'), undefined],
    ['failed twice, later', '2026-11-20T18:45:00', last('interrupted', 2, '2026-11-20T18:15:00'), 3],
    ['failed for the last time', '2026-11-21T12:00:00', last('failed', 4, '2026-11-20T20:00:00'), undefined],
    ['the next night after that', '2026-11-21T18:00:00', last('failed', 4, '2026-11-20T20:00:00'), 1],
  ])('%s', (_, now, before, attempt) =>
    expect(dueAttempt(at(now), plan, { since: at('2026-11-20T10:00:00'), zone, last: before })).toBe(attempt),
  );
  it('never while disabled, and not for a night before it was enabled', () => {
    const now = at('2026-11-20T18:00:00');
    expect(
      dueAttempt(now, { ...plan, isOn: false }, { since: at('2020-01-01T00:00:00'), zone, last: null }),
    ).toBeUndefined();
    expect(dueAttempt(now, plan, { since: at('2026-11-20T18:00:01'), zone, last: null })).toBeUndefined();
  });
});

describe('exported events', () => {
  it('every event is in one run, for any times of runs and arrivals', () => {
    const moments = fc.uniqueArray(fc.integer({ min: 20 * dayMs, max: 30 * dayMs }), {
      minLength: 1,
      maxLength: 8,
    });
    const events = fc.array(
      fc.record({
        arrived: fc.integer({ min: 19 * dayMs, max: 29 * dayMs }),
        age: fc.integer({ min: 0, max: 3 * dayMs }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(moments, events, (times, all) => {
        let after: Date | null = null;
        const runs = [...times.toSorted((a, b) => a - b), 40 * dayMs].map((time) => {
          const span = eventSpan(new Date(time), after);
          after = span.through;
          return span;
        });
        for (const { arrived, age } of all) {
          const time = arrived - age;
          const taken = runs.filter(({ after: before, through, daysEnd, newFrom }) => {
            if (arrived > through.getTime()) return false;
            const isLate = newFrom !== null && time < newFrom.getTime();
            return isLate ? before !== null && arrived > before.getTime() : time < daysEnd.getTime();
          });
          expect(taken).toHaveLength(1);
        }
      }),
    );
  });
  it('have the same names in a repeated run', () => {
    expect(eventFile('2026-11-20', null)).toBe('events/usage_event/day=2026-11-20/all.csv.gz');
    expect(eventFile('2026-11-20', at('2026-11-22T18:00:00'))).toBe(
      'events/usage_event/day=2026-11-20/late-20261122T180000Z.csv.gz',
    );
  });
});

it('grants name columns, never a whole table', () => {
  const statements = grantsFor('analysts', 'skytally');
  for (const statement of statements.filter((each) => each.startsWith('grant select')))
    expect(statement).toMatch(/^grant select \([a-z0-9_, ]+\) on public\.[a-z_0-9]+ to "analysts";$/);
  expect(statements.join('\n')).not.toMatch(/password_hash|secret_hash|token_hash|sealed/);
  expect(Object.keys(tableRules).length).toBeGreaterThan(exportableTables.length);
});
