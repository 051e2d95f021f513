// A simulated bill: validation of the request, and its figures computed by the functions of real bills.
import { decimal, zero } from '#kernel/decimal.ts';
import type { FieldError } from '#kernel/errors.ts';
import {
  currencies,
  isWithinBounds,
  maxMoneyDigits,
  money,
  moneyDecimal,
  roundToMoney,
  type Currency,
  type Money,
} from '#kernel/money.ts';
import type { Discount } from '#features/invoicing/discounts/rules.ts';
import type { billingErrors } from './contract.ts';
import {
  simulationLimits,
  type BillToSimulate,
  type SimulatedBill,
  type SimulatedDiscount,
} from './contract-simulation.ts';
import { applyCredits, chargesOf, creditableOf, type Charges } from './rules-totals.ts';

type Mistake = FieldError & { readonly code: keyof typeof billingErrors };
const wholePercent = decimal('100');

/** Returns the errors of a bill to simulate, field by field; empty if it can be computed. */
export function simulationMistakes(bill: BillToSimulate): Mistake[] {
  const mistakes = listMistakes(bill);
  // Lists that are too long are not validated further.
  if (mistakes.length > 0) return mistakes;
  mistakes.push(...rateMistakes('taxRate', bill.taxRate));
  for (const [index, line] of bill.lines.entries()) {
    const field = `lines.${index}`;
    mistakes.push(...tooLarge(`${field}.amount`, roundToMoney(decimal(line.amount), bill.currency)));
    for (const [place, rate] of (line.taxRates ?? []).entries())
      mistakes.push(...rateMistakes(`${field}.taxRates.${place}`, rate));
    mistakes.push(...discountMistakes(`${field}.discounts`, line.discounts, bill.currency));
  }
  mistakes.push(...discountMistakes('discounts', bill.discounts, bill.currency));
  for (const [index, credit] of (bill.credits ?? []).entries())
    mistakes.push(...statedMistakes(`credits.${index}`, credit, bill.currency));
  if (mistakes.length === 0) mistakes.push(...totalMistakes(bill));
  return mistakes;
}

function listMistakes({ lines, discounts, credits }: BillToSimulate): Mistake[] {
  const tooMany = (field: string, list: readonly unknown[] | undefined, most: number): Mistake[] =>
    (list?.length ?? 0) > most ? [{ field, code: 'billing.too_many_entries', params: { most } }] : [];
  return [
    ...tooMany('lines', lines, simulationLimits.lines),
    ...tooMany('discounts', discounts, simulationLimits.discounts),
    ...tooMany('credits', credits, simulationLimits.credits),
    ...lines
      .slice(0, simulationLimits.lines)
      .flatMap((line, index) => [
        ...tooMany(`lines.${index}.discounts`, line.discounts, simulationLimits.discounts),
        ...tooMany(`lines.${index}.taxRates`, line.taxRates, simulationLimits.taxRates),
      ]),
  ];
}

const rateMistakes = (field: string, rate: string): Mistake[] =>
  decimal(rate).lt(zero) ? [{ field, code: 'billing.tax_rate_negative' }] : [];

const tooLarge = (field: string, amount: Money): Mistake[] =>
  isWithinBounds(amount)
    ? []
    : [{ field, code: 'billing.simulated_amount_too_large', params: { most: maxMoneyDigits } }];

function discountMistakes(
  list: string,
  discounts: readonly SimulatedDiscount[] = [],
  currency: Currency,
): Mistake[] {
  return discounts.flatMap((discount, index): Mistake[] => {
    const field = `${list}.${index}`;
    const { percent, fixed } = discount;
    if ((percent === undefined) === (fixed === undefined))
      return [{ field, code: 'billing.discount_unclear' }];
    if (percent !== undefined && discount.currency !== undefined)
      return [{ field: `${field}.currency`, code: 'billing.discount_unclear' }];
    if (discount.currency !== undefined && discount.currency !== currency)
      return [
        { field: `${field}.currency`, code: 'billing.discount_currency_differs', params: { currency } },
      ];
    if (fixed !== undefined) return statedMistakes(`${field}.fixed`, fixed, currency);
    return percent !== undefined && isPercentage(percent)
      ? []
      : [{ field: `${field}.percent`, code: 'billing.percent_out_of_range' }];
  });
}

function isPercentage(text: string): boolean {
  const value = decimal(text);
  return value.gte(zero) && value.lte(wholePercent);
}

/** Validates a stated (not priced) amount: not negative, and representable as money. */
function statedMistakes(field: string, text: string, currency: Currency): Mistake[] {
  const amount = roundToMoney(decimal(text), currency);
  if (decimal(text).lt(zero)) return [{ field, code: 'billing.simulated_amount_negative' }];
  if (!moneyDecimal(amount).eq(decimal(text)))
    return [
      {
        field,
        code: 'billing.too_many_digits',
        params: { currency, digits: currencies[currency].billingDigits },
      },
    ];
  return tooLarge(field, amount);
}

/** As on a real bill, no figure may be larger than a bill can state. */
function totalMistakes(bill: BillToSimulate): Mistake[] {
  const { subtotal, discountTotal, taxTotal, total, lines } = chargesFor(bill);
  const figures = [subtotal, discountTotal, taxTotal, total, ...lines.map((line) => line.total)];
  return figures.every(isWithinBounds)
    ? []
    : [{ field: 'lines', code: 'billing.simulated_total_too_large', params: { most: maxMoneyDigits } }];
}

function discountsOf(discounts: readonly SimulatedDiscount[] = [], currency: Currency): Discount[] {
  return discounts.map(({ percent, fixed }) =>
    percent === undefined
      ? { kind: 'fixed', amount: roundToMoney(decimal(fixed ?? '0'), currency) }
      : { kind: 'percent', percent },
  );
}

function chargesFor({ currency, lines, discounts, ...bill }: BillToSimulate): Charges {
  return chargesOf({
    currency,
    taxRate: bill.taxRate,
    taxRounding: bill.taxRounding,
    discountOrder: bill.discountOrder,
    discounts: discountsOf(discounts, currency),
    lines: lines.map((line) => ({
      amount: roundToMoney(decimal(line.amount), currency),
      taxRates: line.taxRates,
      discounts: discountsOf(line.discounts, currency),
    })),
  });
}

/**
 * Computes a bill that passed {@link simulationMistakes}: discounts, tax, then credits (rating.md, "API").
 */
export function simulatedBill(bill: BillToSimulate): SimulatedBill {
  const { currency } = bill;
  const charges = chargesFor(bill);
  const credits = (bill.credits ?? []).map((credit) => roundToMoney(decimal(credit), currency));
  const due = creditableOf(
    charges,
    bill.lines.map((line) => line.kind),
    bill.creditsApplyTo ?? 'all',
  );
  const { applied, left } = applyCredits(credits, due);
  return {
    subtotal: charges.subtotal,
    discountTotal: charges.discountTotal,
    taxTotal: charges.taxTotal,
    creditsApplied: applied,
    creditsLeft: left,
    total: money(charges.total.minor - applied.minor, currency),
    lines: [...charges.lines],
  };
}
