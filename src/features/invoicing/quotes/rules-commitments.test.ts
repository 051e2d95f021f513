// The commitments of a quote as bills take them: their order, their periods and amounts, and what earlier months drew.
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { QuoteCommitment } from './contract-content.ts';
import { commitmentOf, commitmentsIn } from './rules-commitments.ts';

const month = (text: string) => text as BillingMonth;
const service = 'svc_a' as Id<'svc'>;
const twd = (minor: bigint) => money(minor, 'TWD');
const named = (name: string) => ({ zhTW: name, enUS: name });
const all: QuoteCommitment = { name: named('all'), months: 6, period: 'quarter', amounts: [twd(300n)] };
const ramp: QuoteCommitment = {
  name: named('ramp'),
  months: 2,
  period: 'month',
  amounts: [twd(10n), twd(20n)],
  committedPercent: '80',
  overagePercent: '90',
  scope: { services: [service], usageOnly: true },
};
const of = (text: string, sums: Parameters<typeof commitmentsIn>[3] = () => undefined) =>
  commitmentsIn(
    { commitments: [all, ramp] },
    { currency: 'TWD', startsOn: month('2026-10'), at: new Date('2026-10-12T04:00:00Z') },
    month(text),
    sums,
  ).map(({ name, amount, drawn, settles, committedPercent, period }) =>
    [name.enUS, period.index, amount, drawn, settles, committedPercent].join(' '),
  );

describe('T-QUOTE: the commitments of a quote', () => {
  it.each([
    ['2026-09', []],
    // The one for a named service comes before the one for all, though it stands later.
    ['2026-10', ['ramp 0 10 0 true 80', 'all 0 300 0 false 100']],
    ['2026-11', ['ramp 1 20 0 true 80', 'all 0 300 0 false 100']],
    ['2026-12', ['all 0 300 0 true 100']],
    ['2027-01', ['all 1 300 0 false 100']],
    ['2027-04', []],
  ])('in %s: %j', (text, expected) => {
    expect(of(text)).toEqual(expected);
  });

  it('counts what earlier months drew of the period alone', () => {
    const sums = (_id: string, period: number) =>
      period === 0 ? { drawn: 120n, trueUp: 0n, isSettled: false } : undefined;
    expect(of('2026-12', sums)).toEqual(['all 0 300 120 true 100']);
    expect(of('2027-01', sums)).toEqual(['all 1 300 0 false 100']);
  });

  it('begins with the month of acceptance', () => {
    expect(commitmentOf(ramp, 'org_a' as Id<'org'>, month('2026-10'), 'Q-202610-0001')).toEqual({
      organizationId: 'org_a',
      startsOn: '2026-10',
      note: 'Q-202610-0001',
      ...ramp,
    });
  });
});
