// Proposed commitments as on bills: their order, periods and amounts, and earlier use.
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { drawsAfter, proposedId, proposedInForce, type CommitmentProposal } from './rules-proposed.ts';

const month = (text: string) => text as BillingMonth;
const service = 'svc_a' as Id<'svc'>;
const twd = (minor: bigint) => money(minor, 'TWD');
const named = (name: string) => ({ zhTW: name, enUS: name });
const all: CommitmentProposal = { name: named('all'), months: 6, period: 'quarter', amounts: [twd(300n)] };
const ramp: CommitmentProposal = {
  name: named('ramp'),
  months: 2,
  period: 'month',
  amounts: [twd(10n), twd(20n)],
  committedPercent: '80',
  overagePercent: '90',
  scope: { services: [service], usageOnly: true },
};
const of = (text: string, draws: Parameters<typeof proposedInForce>[3] = new Map()) =>
  proposedInForce([all, ramp], { currency: 'TWD', startsOn: month('2026-10') }, month(text), draws).map(
    ({ name, amount, drawn, trueUp, settles, committedPercent, period }) =>
      [name.enUS, period.index, amount, drawn, trueUp, settles, committedPercent].join(' '),
  );

describe('T-CMT: proposed commitments', () => {
  it.each([
    ['2026-09', []],
    // The one for a named service precedes the one for all, although it is listed later.
    ['2026-10', ['ramp 0 10 0 0 true 80', 'all 0 300 0 0 false 100']],
    ['2026-11', ['ramp 1 20 0 0 true 80', 'all 0 300 0 0 false 100']],
    ['2026-12', ['all 0 300 0 0 true 100']],
    ['2027-01', ['all 1 300 0 0 false 100']],
    ['2027-04', []],
  ])('in %s: %j', (text, expected) => {
    expect(of(text)).toEqual(expected);
  });

  it('include earlier months’ use in the same period only', () => {
    const drew = (drawn: bigint, trueUp: bigint, isSettlement: boolean) => ({
      id: proposedId(0),
      period: 0,
      drawn: twd(drawn),
      trueUp: twd(trueUp),
      isSettlement,
    });
    const first = drawsAfter(new Map(), [drew(120n, 0n, false)]);
    expect(of('2026-11', first)[1]).toBe('all 0 300 120 0 false 100');
    const second = drawsAfter(first, [drew(30n, 150n, true)]);
    // Settled once, any bill of the period settles it again.
    expect(of('2026-11', second)[1]).toBe('all 0 300 150 150 true 100');
    expect(of('2027-01', second)).toEqual(['all 1 300 0 0 false 100']);
    // Later use does not change earlier use.
    expect(of('2026-12', first)).toEqual(['all 0 300 120 0 true 100']);
  });
});
