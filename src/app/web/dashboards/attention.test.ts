import { describe, expect, it } from 'vitest';
import { attentionOf } from './attention.ts';
import { withReading, type MetricHistory } from './metric-history.ts';

const measure = { percent: 10, used: 1, total: 10 };
const reading = (second: number, outboxWaiting: number): MetricHistory[number] => ({ asOf: new Date(Date.UTC(2026, 10, 20, 0, 0, second)), cpu: measure, memory: measure, disk: measure, users: { active: 1, total: 1 }, outboxWaiting });
const calm = { disk: measure, parkedBills: 0, pendingPayments: 0, openRaises: 0, rejectedEvents: 0, outboxWaiting: 0 };

describe('R-ADM-01 what needs attention', () => {
  it('is nothing on a calm day', () => expect(attentionOf(calm, [reading(0, 0), reading(5, 0)])).toEqual([]));
  it('is a full disk first, then parked bills, then transfers, then requests for quotas, then rejected events', () => {
    expect(attentionOf({ ...calm, disk: { ...measure, percent: 90.1 }, parkedBills: 2, pendingPayments: 3, openRaises: 1, rejectedEvents: 4 }, [])).toEqual([{ kind: 'disk', percent: 90.1 }, { kind: 'parked', count: 2 }, { kind: 'payments', count: 3 }, { kind: 'raises', count: 1 }, { kind: 'rejected', count: 4 }]);
  });
  it('is an outbox that stays filled, not one that is busy for a moment', () => {
    expect(attentionOf({ ...calm, outboxWaiting: 4 }, [reading(0, 0), reading(5, 4)])).toEqual([]);
    expect(attentionOf({ ...calm, outboxWaiting: 4 }, [reading(0, 4)])).toEqual([]);
    expect(attentionOf({ ...calm, outboxWaiting: 4 }, [reading(0, 9), reading(5, 4)])).toEqual([{ kind: 'outbox', count: 4 }]);
  });
  it('keeps readings of an hour, each once', () => {
    let history: MetricHistory = [];
    for (let second = 0; second < 800; second++) history = withReading(history, reading(second, 0));
    expect([history.length, history.at(-1)?.asOf]).toEqual([720, reading(799, 0).asOf]);
    expect(withReading(history, reading(799, 5))).toBe(history);
  });
});
