// The form of the contract simulator: its fields, their validation, and the resulting request.
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { currencyCodes, type Currency, type Money } from '#kernel/money.ts';
import { chosenOrganization } from '#features/access/identity/web/parts.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import {
  isRate,
  maxCommittedPercent,
  maxOveragePercent,
  percentDigits as rateDigits,
  periodMonths,
  usualPercent,
} from '#features/invoicing/commitments/rules.ts';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import {
  chargesOf,
  chosenCharges,
  chosenServices,
  typedAmount,
} from '#features/invoicing/credit-grants/web/parts.ts';
import { discountOrders } from '#features/invoicing/discounts/contract.ts';
import { isPercent, percentDigits } from '#features/invoicing/discounts/rules.ts';
import { problem } from '#platform/web/form/problems.ts';
import { growthRange, simulatedMonths, type ContractToSimulate } from '../contract-terms.ts';
import { coveringMonths } from '../rules-contract-commitments.ts';

export const discountKinds = ['percent', 'fixed'] as const;
export const recurrences = ['once', 'monthly', 'rollover'] as const;
/** Empty: the order in force for bills. */
export const orderChoices = ['', ...discountOrders] as const;
/** The numbers of months to choose from, as text. */
export const monthChoices = Array.from(
  { length: simulatedMonths.most - simulatedMonths.least + 1 },
  (_, index) => String(simulatedMonths.least + index),
);

export const discountFields = z.strictObject({
  kind: z.enum(discountKinds),
  percent: z.string(),
  amount: z.string(),
  /** Empty: none. */
  maximum: z.string(),
  /** Empty: everything. */
  services: chosenServices,
});
export const creditFields = z.strictObject({
  kind: z.enum(grantKinds),
  amount: z.string(),
  recurring: z.enum(recurrences),
  usageOnly: z.boolean(),
  services: chosenServices,
  /** Empty: all charges of the services. */
  charges: chosenCharges,
});
export const commitmentFields = z.strictObject({
  period: z.enum(commitmentPeriods),
  /** One per line: one for each period, or one for all of them. */
  amounts: z.string(),
  committedPercent: z.string(),
  overagePercent: z.string(),
  usageOnly: z.boolean(),
  services: chosenServices,
  /** Empty: all charges of the services. */
  charges: chosenCharges,
});
export const contractFields = z
  .strictObject({
    organization: chosenOrganization,
    months: z.enum(monthChoices),
    currency: z.enum(currencyCodes),
    discounts: z.array(discountFields),
    discountOrder: z.enum(orderChoices),
    commitments: z.array(commitmentFields),
    credits: z.array(creditFields),
    /** Empty: none. */
    minimumSpend: z.string(),
    /** In percent; empty: none. */
    growth: z.string(),
  })
  .check(
    z.check((context) => {
      for (const { path, message } of mistakesOf(context.value))
        context.issues.push({ code: 'custom', input: context.value, path: [...path], message });
    }),
  );
export type ContractFields = z.output<typeof contractFields>;

export const emptyDiscount: z.output<typeof discountFields> = {
  kind: 'percent',
  percent: '',
  amount: '',
  maximum: '',
  services: [],
};
export const emptyCredit: z.output<typeof creditFields> = {
  kind: 'promotional',
  amount: '',
  recurring: 'once',
  usageOnly: false,
  services: [],
  charges: [],
};
export const emptyCommitment: z.output<typeof commitmentFields> = {
  period: 'quarter',
  amounts: '',
  committedPercent: usualPercent,
  overagePercent: usualPercent,
  usageOnly: false,
  services: [],
  charges: [],
};
export const emptyContract = (currency: Currency): ContractFields => ({
  organization: null,
  months: '6',
  currency,
  discounts: [],
  discountOrder: '',
  commitments: [],
  credits: [],
  minimumSpend: '',
  growth: '',
});

type Wrong = { readonly path: readonly (string | number)[]; readonly message: string };

function mistakesOf(fields: ContractFields): Wrong[] {
  const { currency, organization } = fields;
  const amount = (path: Wrong['path'], text: string, isNeeded: boolean): Wrong[] => {
    if (text.trim() === '') return isNeeded ? [{ path, message: problem('form.required') }] : [];
    return typedAmount(text, currency) ? [] : [{ path, message: 'planning.amount_wrong' }];
  };
  return [
    ...(organization === null ? [{ path: ['organization'], message: 'planning.organization_missing' }] : []),
    ...fields.discounts.flatMap(({ kind, percent, amount: fixed, maximum }, index) =>
      kind === 'fixed'
        ? amount(['discounts', index, 'amount'], fixed, true)
        : [
            ...percentMistakes(['discounts', index, 'percent'], percent),
            ...amount(['discounts', index, 'maximum'], maximum, false),
          ],
    ),
    ...fields.commitments.flatMap((commitment, index) =>
      commitmentMistakes(['commitments', index], commitment, fields),
    ),
    ...fields.credits.flatMap((credit, index) => amount(['credits', index, 'amount'], credit.amount, true)),
    ...amount(['minimumSpend'], fields.minimumSpend, false),
    ...(isGrowth(fields.growth)
      ? []
      : [
          {
            path: ['growth'],
            message: `planning.growth_out_of_range?least=${growthRange.least}&most=${growthRange.most}`,
          },
        ]),
  ];
}

function percentMistakes(path: Wrong['path'], text: string): Wrong[] {
  if (text.trim() === '') return [{ path, message: problem('form.required') }];
  return isDecimal(text) && isPercent(text.trim())
    ? []
    : [{ path, message: `planning.percent_out_of_range?digits=${percentDigits}` }];
}

/** The typed text of each line, without empty lines. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

// used as: 'commitments.amounts_wrong_number', 'commitments.percent_out_of_range'
function commitmentMistakes(
  path: Wrong['path'],
  { period, amounts, committedPercent, overagePercent }: z.output<typeof commitmentFields>,
  { months, currency }: Pick<ContractFields, 'months' | 'currency'>,
): Wrong[] {
  const lines = linesOf(amounts);
  const asked = Number.parseInt(months, 10);
  const count = coveringMonths(period, asked) / periodMonths({ period, months: asked });
  const ofAmounts = (message: string): Wrong[] => [{ path: [...path, 'amounts'], message }];
  const rate = (field: 'committedPercent' | 'overagePercent', text: string, max: string): Wrong[] =>
    typedRate(text, max) === undefined
      ? [
          {
            path: [...path, field],
            message: `commitments.percent_out_of_range?max=${max}&digits=${rateDigits}`,
          },
        ]
      : [];
  return [
    ...(lines.length === 0
      ? ofAmounts(problem('form.required'))
      : !lines.every((line) => typedAmount(line, currency))
        ? ofAmounts('planning.amount_wrong')
        : lines.length !== 1 && lines.length !== count
          ? ofAmounts(`commitments.amounts_wrong_number?count=${count}`)
          : []),
    ...rate('committedPercent', committedPercent, maxCommittedPercent),
    ...rate('overagePercent', overagePercent, maxOveragePercent),
  ];
}

/** '80' for '80' and '80.0'; undefined if it is not a valid rate. */
function typedRate(text: string, max: string): string | undefined {
  const plain = text.trim();
  return /^\d{1,4}(\.\d{1,12})?$/.test(plain) && isRate(plain, max) ? decimalText(decimal(plain)) : undefined;
}

const isDecimal = (text: string): boolean => /^[+-]?\d{1,9}(\.\d{1,4})?$/.test(text.trim());
/** '+20' and '20' are the same. */
const plainDecimal = (text: string): string => text.trim().replace(/^\+/, '');

function isGrowth(text: string): boolean {
  if (text.trim() === '') return true;
  if (!isDecimal(text)) return false;
  const growth = decimal(plainDecimal(text));
  return growth.gte(decimal(growthRange.least)) && growth.lte(decimal(growthRange.most));
}

/** The request for a valid form. */
export function contractInput(fields: ContractFields): ContractToSimulate {
  const { currency } = fields;
  const amount = (text: string): Money | undefined => typedAmount(text, currency);
  const needed = (text: string): Money => required(amount(text), 'the form checked the amount');
  const scope = (services: ContractFields['credits'][number]['services']) =>
    services.length === 0 ? {} : { services: services.map(({ id }) => id) };
  const [minimumSpend, growthPercent] = [amount(fields.minimumSpend), plainDecimal(fields.growth)];
  return {
    organizationId: required(fields.organization, 'the form checked the organization').id,
    months: Number.parseInt(fields.months, 10),
    currency,
    terms: {
      discounts: fields.discounts.map((discount) => {
        if (discount.kind === 'fixed') return { fixed: needed(discount.amount), ...scope(discount.services) };
        const maximum = amount(discount.maximum);
        return { percent: discount.percent.trim(), ...(maximum && { maximum }), ...scope(discount.services) };
      }),
      ...(fields.discountOrder !== '' && { discountOrder: fields.discountOrder }),
      credits: fields.credits.map(({ kind, amount: given, recurring, usageOnly, services, charges }) => {
        const own = chargesOf(services, charges);
        const isMonthly = kind === 'promotional' && recurring !== 'once';
        return {
          kind,
          amount: needed(given),
          monthly: isMonthly,
          ...(isMonthly && recurring === 'rollover' && { rollover: true }),
          ...(usageOnly && { usageOnly }),
          ...scope(services),
          ...(own && { charges: own }),
        };
      }),
      ...(fields.commitments.length > 0 && {
        commitments: fields.commitments.map(
          ({ period, amounts, committedPercent, overagePercent, usageOnly, services, charges }) => {
            const own = chargesOf(services, charges);
            return {
              period,
              amounts: linesOf(amounts).map(needed),
              ...ratesOf(committedPercent, overagePercent),
              ...(usageOnly && { usageOnly }),
              ...scope(services),
              ...(own && { charges: own }),
            };
          },
        ),
      }),
      ...(minimumSpend && { minimumSpend }),
      ...(growthPercent !== '' && { growthPercent }),
    },
  };
}

/** Rates that differ from the list price. */
function ratesOf(committed: string, overage: string): { committedPercent?: string; overagePercent?: string } {
  const committedPercent = required(typedRate(committed, maxCommittedPercent), 'the form checked the rate');
  const overagePercent = required(typedRate(overage, maxOveragePercent), 'the form checked the rate');
  return {
    ...(committedPercent !== usualPercent && { committedPercent }),
    ...(overagePercent !== usualPercent && { overagePercent }),
  };
}
