// Computes a bill: discounts, then tax, then credits. Real and simulated bills share these functions, so that
// they cannot differ (rating.md, "Peers' conventions"; domain.md, "Money").
import { assert, required } from '#kernel/assert.ts';
import { roundedQuotient, trimDecimal } from '#kernel/decimal.ts';
import { money, percentOf, subtractMoney, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { DiscountOrder } from '#features/invoicing/discounts/contract.ts';
import { discountedAmounts, type Discount, type LineToReduce } from '#features/invoicing/discounts/rules.ts';
import type { creditTargets, lineNatures, taxRoundings } from './contract-simulation.ts';

export type TaxRounding = (typeof taxRoundings)[number];
export type CreditTarget = (typeof creditTargets)[number];
export type LineNature = (typeof lineNatures)[number];

/** A line before discounts and tax. */
export type LineToCharge = LineToReduce & {
  /** In percent, each a separate tax on the same amount; defaults to the bill's rate. */
  readonly taxRates?: readonly string[] | undefined;
};
export type ToCharge = {
  readonly currency: Currency;
  readonly lines: readonly LineToCharge[];
  /** In percent. */
  readonly taxRate: string;
  readonly taxRounding?: TaxRounding | undefined;
  readonly discounts?: readonly Discount[] | undefined;
  readonly discountOrder?: DiscountOrder | undefined;
};
/** `taxable = amount − discount`, `total = taxable + tax`. */
export type ChargedAmounts = {
  readonly amount: Money;
  readonly discount: Money;
  readonly taxable: Money;
  readonly tax: Money;
  readonly total: Money;
};
/** `total = subtotal − discountTotal + taxTotal`; each is the sum of the lines' amounts of its kind. */
export type Charges = {
  readonly subtotal: Money;
  readonly discountTotal: Money;
  readonly taxTotal: Money;
  readonly total: Money;
  readonly lines: readonly ChargedAmounts[];
};

/**
 * Computes a bill in one currency: subtotal of the rounded lines, discounts, tax on the remainder, total.
 * Asserts that the lines add up to the total exactly.
 */
export function chargesOf(bill: ToCharge): Charges {
  const { currency, lines } = bill;
  const taxable = discountedAmounts(lines, bill.discounts ?? [], bill.discountOrder ?? 'as_listed');
  const taxes = taxesOf(
    lines.map((line, index) => ({
      net: required(taxable[index], 'the discounted amount of a line'),
      rates: line.taxRates ?? [bill.taxRate],
    })),
    bill.taxRounding ?? 'invoice_total',
    currency,
  );
  const charged = lines.map(({ amount }, index): ChargedAmounts => {
    const net = required(taxable[index], 'the discounted amount of a line');
    const tax = required(taxes.byLine[index], 'the tax of a line');
    const total = money(net.minor + tax.minor, currency);
    return { amount, discount: subtractMoney(amount, net), taxable: net, tax, total };
  });
  const sumOf = (part: keyof ChargedAmounts): Money =>
    sumMoney(
      charged.map((line) => line[part]),
      currency,
    );
  const [subtotal, discountTotal] = [sumOf('amount'), sumOf('discount')];
  const total = money(subtotal.minor - discountTotal.minor + taxes.total.minor, currency);
  assert(sumOf('total').minor === total.minor, 'lines add up to the total');
  return { subtotal, discountTotal, taxTotal: taxes.total, total, lines: charged };
}

type Taxes = { readonly total: Money; readonly byLine: readonly Money[] };
/** A line's discounted amount and its rates in percent. */
type TaxableLine = { readonly net: Money; readonly rates: readonly string[] };

/**
 * The tax of a bill and each line's share of it. `invoice_total`: each rate once on the sum of its lines,
 * rounded once (domain.md, "Money"), then divided among them ({@link taxParts}). `per_line_per_rate`: each
 * rate on each line, rounded individually, then summed; some countries check invoices line by line. A line
 * that names a rate twice is taxed twice.
 */
export function taxesOf(lines: readonly TaxableLine[], rounding: TaxRounding, currency: Currency): Taxes {
  const byLine = lines.map(() => 0n);
  const add = (line: number, tax: bigint): bigint => (byLine[line] = (byLine[line] ?? 0n) + tax);
  if (rounding === 'per_line_per_rate')
    for (const [index, { net, rates }] of lines.entries())
      for (const rate of rates) add(index, percentOf(net, rate).minor);
  else
    for (const { rate, members } of linesByRate(lines)) {
      const nets = members.map((member) => member.net);
      const parts = taxParts(nets, percentOf(sumMoney(nets, currency), rate));
      for (const [place, { index }] of members.entries()) add(index, parts[place] ?? 0n);
    }
  const all = byLine.map((tax) => money(tax, currency));
  return { total: sumMoney(all, currency), byLine: all };
}

type RateGroup = { readonly rate: string; readonly members: { index: number; net: Money }[] };
/**
 * Groups lines by rate; "5" and "5.0" are the same rate, and a line's second mention of a rate is a separate
 * tax.
 */
function linesByRate(lines: readonly TaxableLine[]): Iterable<RateGroup> {
  const groups = new Map<string, RateGroup>();
  for (const [index, { net, rates }] of lines.entries()) {
    const times = new Map<string, number>();
    for (const given of rates) {
      const rate = trimDecimal(given);
      const time = (times.get(rate) ?? 0) + 1;
      times.set(rate, time);
      const group = groups.get(`${rate} ${time}`) ?? { rate, members: [] };
      groups.set(`${rate} ${time}`, group);
      group.members.push({ index, net });
    }
  }
  return groups.values();
}

/**
 * Each amount's share of a tax that was rounded once on their sum, in minor units. It is divided
 * cumulatively, so the shares add up to it exactly.
 */
export function taxParts(net: readonly Money[], tax: Money): bigint[] {
  const whole = sumMoney(net, tax.currency).minor;
  let netSoFar = 0n;
  let taxSoFar = 0n;
  return net.map((amount) => {
    netSoFar += amount.minor;
    // Without a net amount there is no tax to divide.
    const taxUpToHere = whole === 0n ? 0n : roundedQuotient(tax.minor * netSoFar, whole);
    const part = taxUpToHere - taxSoFar;
    taxSoFar = taxUpToHere;
    return part;
  });
}

/**
 * The lines' amounts including their share of the tax, for a buyer who cannot reclaim it (domain.md,
 * "Money"). They add up to net and tax exactly.
 */
export function grossAmounts(net: readonly Money[], tax: Money): Money[] {
  const parts = taxParts(net, tax);
  return net.map((amount, index) => money(amount.minor + (parts[index] ?? 0n), tax.currency));
}

/**
 * The part of a bill that credits may settle, never negative: its total, or for `usage`, the lines of usage
 * after discounts with their tax, at most the total. `natures` are those of the charges' lines.
 */
export function creditableOf(
  charges: Charges,
  natures: readonly LineNature[],
  appliesTo: CreditTarget,
): Money {
  const { total } = charges;
  const ofUsage = charges.lines.reduce(
    (sum, line, index) => (natures[index] === 'usage' ? sum + line.total.minor : sum),
    0n,
  );
  const most = appliesTo === 'usage' && ofUsage < total.minor ? ofUsage : total.minor;
  return money(most > 0n ? most : 0n, total.currency);
}

/**
 * Applies credits in order, each up to the amount still due; `due` must not be negative. Unused credit stays
 * with the customer.
 */
export function applyCredits(
  credits: readonly Money[],
  due: Money,
): { readonly applied: Money; readonly left: Money } {
  let remaining = due.minor;
  let left = 0n;
  for (const credit of credits) {
    const used = credit.minor < remaining ? credit.minor : remaining;
    remaining -= used;
    left += credit.minor - used;
  }
  return { applied: money(due.minor - remaining, due.currency), left: money(left, due.currency) };
}
