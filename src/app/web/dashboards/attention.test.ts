import { describe, expect, it } from 'vitest';
import { attentionOf, type AttentionInput } from './attention.ts';
import { withReading, type UserHistory } from './user-history.ts';

const calm: AttentionInput = {
  disk: { percent: 10, used: 1, total: 10 },
  parkedBills: 0,
  disputes: { open: 0, paymentId: null },
  refusedPaymentEvents: 0,
  pendingPayments: 0,
  approvals: 0,
  openRaises: 0,
  stoppedCustomers: { count: 0, organizationId: null },
  rejectedEvents: 0,
  failingConnectors: 0,
  reconciliation: { unbilled: 0, ghosts: 0 },
  outboxWaiting: 0,
  outboxLagSeconds: 0,
  outboxParked: 0,
  jobsWaiting: 0,
  jobLagSeconds: 0,
  faults: 0,
  adminsWithoutFactor: 0,
  backup: { lastProvenAt: new Date(Date.UTC(2026, 10, 20)), hasFailed: false, ageHours: 3, isOn: true },
};
const reading = (second: number): UserHistory[number] => ({
  asOf: new Date(Date.UTC(2026, 10, 20, 0, 0, second)),
  users: { active: 1, total: 1 },
});

describe('R-ADM-01 the list of what needs attention', () => {
  it('is empty when everything is fine', () => expect(attentionOf(calm)).toEqual([]));
  it('is sorted: a full disk, then money, customers, the console itself, and weak settings last', () => {
    const all = {
      ...calm,
      disk: { ...calm.disk, percent: 90.1 },
      parkedBills: 2,
      disputes: { open: 5, paymentId: null },
      refusedPaymentEvents: 9,
      pendingPayments: 3,
      approvals: 14,
      openRaises: 1,
      stoppedCustomers: { count: 10, organizationId: null },
      rejectedEvents: 4,
      failingConnectors: 11,
      reconciliation: { unbilled: 12, ghosts: 13 },
      outboxParked: 6,
      faults: 7,
      adminsWithoutFactor: 8,
    };
    expect(
      attentionOf(all).map((item) => ('count' in item ? [item.kind, item.count] : [item.kind, item.percent])),
    ).toEqual([
      ['disk', 90.1],
      ['parked', 2],
      ['disputes', 5],
      ['refused', 9],
      ['payments', 3],
      ['approvals', 14],
      ['stopped', 10],
      ['raises', 1],
      ['rejected', 4],
      ['connectors', 11],
      ['unbilled', 12],
      ['ghosts', 13],
      ['given_up', 6],
      ['faults', 7],
      ['factor', 8],
    ]);
  });
  it('excludes what the first steps above it ask for, but includes a failed backup', () => {
    const never = { lastProvenAt: null, hasFailed: false, ageHours: null, isOn: false };
    const fresh = { ...calm, adminsWithoutFactor: 1, backup: never };
    const kinds = (dashboard: AttentionInput, hasStepsAbove: boolean) =>
      attentionOf(dashboard, hasStepsAbove).map((item) => item.kind);
    expect(kinds(fresh, true)).toEqual([]);
    expect(kinds(fresh, false)).toEqual(['backup', 'factor']);
    expect(kinds({ ...fresh, backup: { ...never, hasFailed: true } }, true)).toEqual(['backup']);
  });
  it('includes an outbox or a queue that stays filled, not one that is busy for a moment', () => {
    expect(
      attentionOf({ ...calm, outboxWaiting: 4, outboxLagSeconds: 60, jobsWaiting: 2, jobLagSeconds: 300 }),
    ).toEqual([]);
    expect(
      attentionOf({ ...calm, outboxWaiting: 4, outboxLagSeconds: 61, jobsWaiting: 2, jobLagSeconds: 301 }),
    ).toEqual([
      { kind: 'outbox', count: 4 },
      { kind: 'jobs', count: 2 },
    ]);
  });
  it.each([
    ['failed', { hasFailed: true }, true],
    ['older than two days', { ageHours: 49 }, true],
    ['of yesterday', { ageHours: 47 }, false],
    ['missing although scheduled', { lastProvenAt: null, ageHours: null }, false],
    ['missing and not scheduled', { lastProvenAt: null, ageHours: null, isOn: false }, true],
  ] as const)('includes a backup that is %s: %j %s', (_name, change, isTold) =>
    expect(attentionOf({ ...calm, backup: { ...calm.backup, ...change } })).toEqual(
      isTold ? [{ kind: 'backup', count: 1 }] : [],
    ),
  );
  it('is based on readings of an hour, each once', () => {
    let history: UserHistory = [];
    for (let second = 0; second < 800; second++) history = withReading(history, reading(second));
    expect([history.length, history.at(-1)?.asOf]).toEqual([720, reading(799).asOf]);
    expect(withReading(history, reading(799))).toBe(history);
  });
});
