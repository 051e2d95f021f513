// The commitments of a quote, and what is created from them on acceptance.
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { QuoteCommitment } from './contract-content.ts';
import { commitmentOf } from './rules-commitments.ts';

const month = (text: string) => text as BillingMonth;
const named = (name: string) => ({ zhTW: name, enUS: name });
const ramp: QuoteCommitment = {
  name: named('ramp'),
  months: 2,
  period: 'month',
  amounts: [money(10n, 'TWD'), money(20n, 'TWD')],
  committedPercent: '80',
  overagePercent: '90',
  scope: { services: ['svc_a' as Id<'svc'>], usageOnly: true },
};

describe('T-QUOTE: the commitments of a quote', () => {
  it('begin with the month of acceptance', () => {
    expect(commitmentOf(ramp, 'org_a' as Id<'org'>, month('2026-10'), 'Q-202610-0001')).toEqual({
      organizationId: 'org_a',
      startsOn: '2026-10',
      note: 'Q-202610-0001',
      ...ramp,
    });
  });
});
