import { describe, expect, it } from 'vitest';
import { attentionOf, type Watched } from './attention.ts';
import { withReading, type UserHistory } from './user-history.ts';

const calm: Watched = { disk: { percent: 10, used: 1, total: 10 }, parkedBills: 0, pendingPayments: 0, openRaises: 0, rejectedEvents: 0, outboxWaiting: 0, outboxLagSeconds: 0, outboxParked: 0, jobsWaiting: 0, jobLagSeconds: 0, faults: 0, adminsWithoutFactor: 0 };
const reading = (second: number): UserHistory[number] => ({ asOf: new Date(Date.UTC(2026, 10, 20, 0, 0, second)), users: { active: 1, total: 1 } });

describe('R-ADM-01 what needs attention', () => {
  it('is nothing on a calm day', () => expect(attentionOf(calm)).toEqual([]));
  it('is a full disk first, then money, customers, the console itself, and at last what is weak', () => {
    const all = { ...calm, disk: { ...calm.disk, percent: 90.1 }, parkedBills: 2, pendingPayments: 3, openRaises: 1, rejectedEvents: 4, outboxParked: 6, faults: 7, adminsWithoutFactor: 8 };
    expect(attentionOf(all).map((item) => ('count' in item ? [item.kind, item.count] : [item.kind, item.percent]))).toEqual([['disk', 90.1], ['parked', 2], ['payments', 3], ['raises', 1], ['rejected', 4], ['given_up', 6], ['faults', 7], ['factor', 8]]);
  });
  it('is an outbox or a queue that stays filled, not one that is busy for a moment', () => {
    expect(attentionOf({ ...calm, outboxWaiting: 4, outboxLagSeconds: 60, jobsWaiting: 2, jobLagSeconds: 300 })).toEqual([]);
    expect(attentionOf({ ...calm, outboxWaiting: 4, outboxLagSeconds: 61, jobsWaiting: 2, jobLagSeconds: 301 })).toEqual([{ kind: 'outbox', count: 4 }, { kind: 'jobs', count: 2 }]);
  });
  it('keeps readings of an hour, each once', () => {
    let history: UserHistory = [];
    for (let second = 0; second < 800; second++) history = withReading(history, reading(second));
    expect([history.length, history.at(-1)?.asOf]).toEqual([720, reading(799).asOf]);
    expect(withReading(history, reading(799))).toBe(history);
  });
});
