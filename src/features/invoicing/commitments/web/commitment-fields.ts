// The fields of a new commitment, their validation, and the resulting request.
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import { parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { currency, isMonth, optionalText, text, type BillingMonth } from '#kernel/shape.ts';
import { chargesOf, chosenCharges, chosenServices } from '#features/invoicing/credit-grants/web/parts.ts';
import { chosenOrganization } from '#features/access/identity/web/parts.ts';
import { commitmentPeriods, maxMonths, type CommitmentPeriod, type commitments } from '../contract.ts';
import {
  amountMistake,
  isRate,
  maxCommittedPercent,
  maxOveragePercent,
  percentDigits,
  periodCount,
  periodMonths,
} from '../rules.ts';

const typed = z.string().check(z.trim());
const shape = z.strictObject({
  organization: chosenOrganization,
  zhTW: text(80),
  enUS: text(80),
  /** Empty: the organization's current month. */
  startsOn: z.string(),
  months: typed,
  period: z.enum(commitmentPeriods),
  currency,
  /** Whether the periods have different amounts. */
  isRamp: z.boolean(),
  /**
   * One for each period, of which only as many count as there are periods; an empty one has the amount of the
   * period before.
   */
  amounts: z.array(typed),
  committedPercent: typed,
  overagePercent: typed,
  services: chosenServices,
  charges: chosenCharges,
  usageOnly: z.boolean(),
  note: optionalText(500),
});
export type CommitmentFields = z.output<typeof shape>;

export const emptyFields = (inCurrency: Currency): CommitmentFields => ({
  organization: null,
  zhTW: '',
  enUS: '',
  startsOn: '',
  months: '12',
  period: 'quarter',
  currency: inCurrency,
  isRamp: false,
  amounts: Array.from({ length: maxMonths }, () => ''),
  committedPercent: '100',
  overagePercent: '100',
  services: [],
  charges: [],
  usageOnly: false,
  note: '',
});

/** Parses a number of months that a term may have; undefined for anything else. */
export function typedMonths(months: string): number | undefined {
  const count = /^\d{1,3}$/.test(months) ? Number.parseInt(months, 10) : 0;
  return count >= 1 && count <= maxMonths ? count : undefined;
}

/** The number of periods in the typed term; undefined while its months are invalid. */
export function typedPeriods({
  months,
  period,
}: Pick<CommitmentFields, 'months' | 'period'>): number | undefined {
  const count = typedMonths(months);
  return count === undefined ? undefined : periodCount({ period, months: count });
}

/** '1,050' and '1050' are the same; undefined if it is not a valid committed amount. */
function typedAmount(amount: string, inCurrency: Currency): Money | undefined {
  const read = parseMoney(amount.replaceAll(',', ''), inCurrency);
  return read && amountMistake(read) === undefined ? read : undefined;
}

/** '80' for '80', '80%' and '80 ％'; undefined if it is not a valid rate. */
function typedRate(percent: string, max: string): string | undefined {
  const plain = percent.replace(/[%％]$/, '').trim();
  return /^\d{1,4}(\.\d{1,12})?$/.test(plain) && isRate(plain, max) ? plain : undefined;
}

/** The amount of each period; undefined while one of them is missing or invalid. */
export function typedAmounts(fields: CommitmentFields): Money[] | undefined {
  const count = typedPeriods(fields);
  if (count === undefined) return undefined;
  const amounts: Money[] = [];
  for (let index = 0; index < count; index++) {
    const written = fields.isRamp || index === 0 ? (fields.amounts[index] ?? '') : '';
    const amount = written === '' ? amounts.at(-1) : typedAmount(written, fields.currency);
    if (!amount) return undefined;
    amounts.push(amount);
  }
  return amounts;
}

type Fault = { readonly path: readonly (string | number)[]; readonly message: string };

/** Text keys with their parameters, by field. */
// used as: 'commitments.months_not_whole_periods', 'commitments.percent_out_of_range'
function faultsOf(fields: CommitmentFields): Fault[] {
  const { months, period, amounts, currency: inCurrency, isRamp } = fields;
  const count = typedPeriods(fields);
  const rates = [
    ['committedPercent', maxCommittedPercent],
    ['overagePercent', maxOveragePercent],
  ] as const;
  return [
    ...(fields.organization === null
      ? [{ path: ['organization'], message: 'commitments.organization_missing' }]
      : []),
    ...(typedMonths(months) === undefined
      ? [{ path: ['months'], message: 'commitments.months_wrong' }]
      : count === undefined
        ? [
            {
              path: ['months'],
              message: `commitments.months_not_whole_periods?count=${periodMonths({ period, months: 1 })}`,
            },
          ]
        : []),
    ...amounts.slice(0, isRamp ? (count ?? 1) : 1).flatMap((amount, index) =>
      (amount === '' && index > 0) || typedAmount(amount, inCurrency)
        ? []
        : [
            {
              path: ['amounts', index],
              message: amount === '' ? 'form.required' : 'commitments.amount_wrong',
            },
          ],
    ),
    ...rates.flatMap(([field, max]) =>
      typedRate(fields[field], max) === undefined
        ? [
            {
              path: [field],
              message: `commitments.percent_out_of_range?max=${max}&digits=${percentDigits}`,
            },
          ]
        : [],
    ),
  ];
}

export const commitmentFields = shape.check(
  z.check((context) => {
    for (const { path, message } of faultsOf(context.value))
      context.issues.push({ code: 'custom', input: context.value, path: [...path], message });
  }),
);

/** The typed terms, as far as they can be described; undefined while one of them is missing or invalid. */
export function typedTerms(fields: CommitmentFields):
  | {
      readonly startsOn: BillingMonth | undefined;
      readonly months: number;
      readonly period: CommitmentPeriod;
      readonly amounts: readonly Money[];
      readonly committedPercent: string;
      readonly overagePercent: string;
    }
  | undefined {
  const months = typedMonths(fields.months);
  const amounts = typedAmounts(fields);
  const committedPercent = typedRate(fields.committedPercent, maxCommittedPercent);
  const overagePercent = typedRate(fields.overagePercent, maxOveragePercent);
  if (months === undefined || !amounts || committedPercent === undefined || overagePercent === undefined)
    return undefined;
  return {
    startsOn: isMonth(fields.startsOn) ? fields.startsOn : undefined,
    months,
    period: fields.period,
    amounts,
    committedPercent,
    overagePercent,
  };
}

/** The request for a valid form. */
export function commitmentInput(fields: CommitmentFields): In<typeof commitments.makeCommitment> {
  const { startsOn, amounts, ...terms } = required(typedTerms(fields), 'the form checked the terms');
  return {
    organizationId: required(fields.organization, 'the form checked the organization').id,
    name: { zhTW: fields.zhTW, enUS: fields.enUS },
    ...terms,
    ...(startsOn !== undefined && { startsOn }),
    amounts: fields.isRamp ? [...amounts] : amounts.slice(0, 1),
    scope: {
      services: fields.services.length === 0 ? null : fields.services.map(({ id }) => id),
      charges: chargesOf(fields.services, fields.charges),
      usageOnly: fields.usageOnly,
    },
    note: fields.note,
  };
}
