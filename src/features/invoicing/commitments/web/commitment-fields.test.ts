// Input of a new commitment, and the resulting request.
import { describe, expect, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import {
  commitmentFields,
  commitmentInput,
  emptyFields,
  typedAmounts,
  type CommitmentFields,
} from './commitment-fields.ts';

const organization = { id: `org_${'0'.repeat(26)}` as Id<'org'>, name: '晨光' };
const fields = ({ amounts = ['3,000'], ...rest }: Partial<CommitmentFields> = {}): CommitmentFields => ({
  ...emptyFields('TWD'),
  organization,
  zhTW: '年約',
  enUS: 'Annual',
  amounts: emptyFields('TWD').amounts.map((empty, index) => amounts[index] ?? empty),
  ...rest,
});
const problems = (typed: CommitmentFields): Record<string, string> => {
  const { error } = commitmentFields.safeParse(typed);
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []);
};
const minors = (typed: CommitmentFields) => typedAmounts(typed)?.map(({ minor }) => Number(minor));

describe('T-CMT: the form of a new commitment', () => {
  test('one amount for all periods is sent once', () => {
    expect(problems(fields())).toEqual({});
    expect(commitmentInput(fields({ committedPercent: '80 %', note: 'x' }))).toEqual({
      organizationId: organization.id,
      name: { zhTW: '年約', enUS: 'Annual' },
      months: 12,
      period: 'quarter',
      amounts: [money(3000n, 'TWD')],
      committedPercent: '80',
      overagePercent: '100',
      scope: { services: null, charges: null, usageOnly: false },
      note: 'x',
    });
  });

  test('an empty field of a ramp repeats the previous amount', () => {
    const ramp = fields({ isRamp: true, amounts: ['1', '', '5', ''] });
    expect(minors(ramp)).toEqual([1, 1, 5, 5]);
    expect(commitmentInput(ramp).amounts.map(({ minor }) => Number(minor))).toEqual([1, 1, 5, 5]);
    // Periods beyond a shortened term are ignored, and so is the ramp when it is switched off.
    expect(minors({ ...ramp, months: '6' })).toEqual([1, 1]);
    expect(minors({ ...ramp, isRamp: false })).toEqual([1, 1, 1, 1]);
    expect(problems({ ...ramp, isRamp: false, amounts: ['1', 'x'] })).toEqual({});
  });

  test('each error is at its field', () => {
    expect(
      problems(
        fields({
          organization: null,
          months: '10',
          amounts: ['0'],
          committedPercent: '101',
          overagePercent: '0',
        }),
      ),
    ).toEqual({
      organization: 'commitments.organization_missing',
      months: 'commitments.months_not_whole_periods?count=3',
      'amounts.0': 'commitments.amount_wrong',
      committedPercent: 'commitments.percent_out_of_range?max=100&digits=4',
      overagePercent: 'commitments.percent_out_of_range?max=1000&digits=4',
    });
    expect(problems(fields({ months: '121' }))).toEqual({ months: 'commitments.months_wrong' });
    expect(problems(fields({ amounts: [''] }))).toEqual({ 'amounts.0': 'form.required' });
    expect(problems(fields({ isRamp: true, amounts: ['1', '1.5', '', '10000000000000'] }))).toEqual({
      'amounts.1': 'commitments.amount_wrong',
      'amounts.3': 'commitments.amount_wrong',
    });
  });
});
