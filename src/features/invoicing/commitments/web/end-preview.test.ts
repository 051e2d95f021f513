import { describe, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CommitmentDetail, Settlement } from '../contract.ts';
import { endPreview } from './end-preview.ts';

const twd = (minor: number) => money(BigInt(minor), 'TWD');
const month = (text: string) => text as BillingMonth;
const period = (index: number, firstMonth: string, lastMonth: string, drawn: number) => ({
  index,
  firstMonth: month(firstMonth),
  lastMonth: month(lastMonth),
  amount: twd(3000),
  target: twd(3000),
  drawn: twd(drawn),
  trueUp: twd(0),
  state: 'running' as const,
});
const running = period(0, '2026-11', '2027-01', 500);
const commitment: Parameters<typeof endPreview>[0] = {
  startsOn: month('2026-11'),
  months: 6,
  period: 'quarter',
  amounts: [twd(3000), twd(4000)],
  currency: 'TWD',
  periods: [running, period(1, '2027-02', '2027-04', 0)],
  current: {
    ...running,
    outlook: { used: twd(1200), expected: twd(3000), trueUp: twd(0), risk: 'on_track' },
  } satisfies CommitmentDetail['current'],
};
const preview = (lastMonth: string, settlement: Settlement) => {
  const found = endPreview(commitment, month(lastMonth), settlement);
  return found && [Number(found.target.minor), Number(found.missing.minor)];
};

describe('T-CMT: the charge of an early end', () => {
  test.each<[string, Settlement, (number | null)[] | null]>([
    ['2026-12', 'none', [0, 0]],
    ['2026-11', 'prorated', [1000, 0]],
    ['2026-12', 'prorated', [2000, 800]],
    ['2026-12', 'period', [3000, 1800]],
    ['2026-12', 'all', [7000, 5800]],
    // A later period has no use yet.
    ['2027-02', 'prorated', [1333, 1333]],
    ['2026-10', 'none', null],
  ])('at the end of %s, %s', (lastMonth, settlement, expected) => {
    expect(preview(lastMonth, settlement)).toEqual(expected);
  });
});
