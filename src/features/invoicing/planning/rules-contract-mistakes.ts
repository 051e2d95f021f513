// Validates the terms of a contract to simulate, field by field.
import { decimal } from '#kernel/decimal.ts';
import type { FieldError } from '#kernel/errors.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { commitmentsErrors } from '#features/invoicing/commitments/contract.ts';
import { termsMistakes, usualPercent } from '#features/invoicing/commitments/rules.ts';
import { amountMistake } from '#features/invoicing/credit-grants/rules.ts';
import { isPercent, percentDigits } from '#features/invoicing/discounts/rules.ts';
import type { planningErrors } from './contract.ts';
import {
  growthRange,
  maxCommitments,
  maxTerms,
  maxTermCharges,
  maxTermServices,
  type ContractToSimulate,
  type ProposedCommitment,
  type ProposedCredit,
  type ProposedDiscount,
} from './contract-terms.ts';
import { coveringMonths } from './rules-contract-commitments.ts';

type Mistake = FieldError & { readonly code: keyof typeof planningErrors | keyof typeof commitmentsErrors };

/** Returns the errors of a contract to simulate, field by field; empty if it can be simulated. */
export function contractMistakes({ months, currency, terms }: ContractToSimulate): Mistake[] {
  const { commitments = [] } = terms;
  const tooMany = (field: string, list: readonly unknown[], most: number): Mistake[] =>
    list.length > most ? [{ field, code: 'planning.too_many_entries', params: { most } }] : [];
  const lists = [
    ...tooMany('terms.discounts', terms.discounts, maxTerms),
    ...tooMany('terms.credits', terms.credits, maxTerms),
    ...tooMany('terms.commitments', commitments, maxCommitments),
  ];
  // Lists that are too long are not validated further.
  if (lists.length > 0) return lists;
  const named = (field: string, services: readonly string[] | undefined): Mistake[] => {
    if (services?.length === 0) return [{ field: `${field}.services`, code: 'planning.services_missing' }];
    return tooMany(`${field}.services`, services ?? [], maxTermServices);
  };
  return [
    ...terms.discounts.flatMap((discount, index) => [
      ...discountMistakes(`terms.discounts.${index}`, discount, currency),
      ...named(`terms.discounts.${index}`, discount.services),
    ]),
    ...terms.credits.flatMap((credit, index) => [
      ...creditMistakes(`terms.credits.${index}`, credit, currency),
      ...named(`terms.credits.${index}`, credit.services),
      ...chargeMistakes(`terms.credits.${index}.charges`, credit),
    ]),
    ...commitments.flatMap((commitment, index) => [
      ...commitmentMistakes(`terms.commitments.${index}`, commitment, months, currency),
      ...named(`terms.commitments.${index}`, commitment.services),
      ...chargeMistakes(`terms.commitments.${index}.charges`, commitment),
    ]),
    ...amountMistakes('terms.minimumSpend', terms.minimumSpend, currency),
    ...growthMistakes(terms.growthPercent),
  ];
}

function discountMistakes(field: string, discount: ProposedDiscount, currency: Currency): Mistake[] {
  const { percent, fixed, maximum } = discount;
  if ((percent === undefined) === (fixed === undefined))
    return [{ field, code: 'planning.discount_unclear' }];
  if (percent === undefined)
    return [
      ...amountMistakes(`${field}.fixed`, fixed, currency),
      ...(maximum ? [{ field: `${field}.maximum`, code: 'planning.maximum_of_percent' } as const] : []),
    ];
  return [
    ...(isPercent(percent)
      ? []
      : [
          {
            field: `${field}.percent`,
            code: 'planning.percent_out_of_range',
            params: { digits: percentDigits },
          } as const,
        ]),
    ...amountMistakes(`${field}.maximum`, maximum, currency),
  ];
}

function creditMistakes(field: string, credit: ProposedCredit, currency: Currency): Mistake[] {
  const mistakes = amountMistakes(`${field}.amount`, credit.amount, currency);
  // As for real credit: paid credit is bought once.
  if (credit.kind === 'paid' && credit.monthly)
    mistakes.push({ field: `${field}.monthly`, code: 'planning.paid_recurs' });
  else if (credit.rollover === true && !credit.monthly)
    mistakes.push({ field: `${field}.rollover`, code: 'planning.rollover_of_monthly' });
  return mistakes;
}

function chargeMistakes(
  field: string,
  { services, charges }: Pick<ProposedCredit, 'services' | 'charges'>,
): Mistake[] {
  if (charges === undefined) return [];
  if (charges.length === 0) return [{ field, code: 'planning.charges_missing' }];
  if (charges.length > maxTermCharges)
    return [{ field, code: 'planning.too_many_entries', params: { most: maxTermCharges } }];
  return charges.every(({ serviceId }) => services === undefined || services.includes(serviceId))
    ? []
    : [{ field, code: 'planning.charge_of_other_service' }];
}

// A simulation starts with a past month, so its start is always valid.
const anyMonth = '2026-01' as BillingMonth;

/** `months`: the requested number. */
function commitmentMistakes(
  field: string,
  commitment: ProposedCommitment,
  months: number,
  currency: Currency,
): Mistake[] {
  const { period, amounts } = commitment;
  const { committedPercent = usualPercent, overagePercent = usualPercent } = commitment;
  const term = { startsOn: anyMonth, months: coveringMonths(period, months), period, amounts };
  return [
    ...termsMistakes({ ...term, committedPercent, overagePercent }, anyMonth)
      // Amounts that differ from the first one's currency also differ from the simulation's, or the first one
      // does.
      .filter(({ code }) => code !== 'commitments.amounts_other_currency')
      .map((mistake): Mistake => ({ ...mistake, field: `${field}.${mistake.field}` })),
    ...amounts.flatMap((amount, index): Mistake[] =>
      amount.currency === currency
        ? []
        : [{ field: `${field}.amounts.${index}`, code: 'planning.currency_differs', params: { currency } }],
    ),
  ];
}

/** Checks that amounts are in the simulated currency, positive, and no larger than real terms may be. */
function amountMistakes(field: string, amount: Money | undefined, currency: Currency): Mistake[] {
  if (!amount) return [];
  if (amount.currency !== currency)
    return [{ field, code: 'planning.currency_differs', params: { currency } }];
  if (amount.minor <= 0n) return [{ field, code: 'planning.amount_not_positive' }];
  return amountMistake(amount) ? [{ field, code: 'planning.amount_too_large' }] : [];
}

function growthMistakes(growthPercent: string | undefined): Mistake[] {
  if (growthPercent === undefined) return [];
  const growth = decimal(growthPercent);
  return growth.gte(decimal(growthRange.least)) && growth.lte(decimal(growthRange.most))
    ? []
    : [{ field: 'terms.growthPercent', code: 'planning.growth_out_of_range', params: growthRange }];
}
