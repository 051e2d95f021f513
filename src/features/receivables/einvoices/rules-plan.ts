// What of a bill stands on invoices and allowances, and what is missing: worked out from the amounts alone, so that it comes to the same
// whatever happened in which order. Amounts are whole New Taiwan dollars.
import { roundedQuotient } from '#kernel/decimal.ts';
import type { Timing } from './contract.ts';

export type NetAndTax = { readonly net: bigint; readonly tax: bigint };
/** An invoice that is neither void nor dropped, with what allowances have left of it. */
export type StandingInvoice<Id extends string = string> = {
  readonly id: Id;
  readonly left: NetAndTax;
  /** The two-month period of its date; null until it has a number. */
  readonly period: string | null;
  readonly hasAllowances: boolean;
  /** Whether it certainly reached nobody, so that it can be dropped. */
  readonly isUnsent: boolean;
};
export type BillToCover<Id extends string = string> = {
  readonly timing: Timing;
  readonly billed: NetAndTax;
  /** Whether it has items of more than one tax kind (應稅, 零稅率, 免稅). */
  readonly hasSeveralKinds: boolean;
  readonly isVoid: boolean;
  /** No more invoices are made for it, because an Admin decided so. */
  readonly isClosed: boolean;
  /** What credit notes took, the oldest first. */
  readonly credits: readonly (NetAndTax & { readonly id: string })[];
  /** What was paid and is not given back to the balance. */
  readonly paid: bigint;
  /** The oldest first. */
  readonly invoices: readonly StandingInvoice<Id>[];
};
/** The source of an allowance that takes all of an invoice because its bill was voided. */
export const voidSource = 'void';
export type PlannedStep<Id extends string = string> =
  | ({ readonly kind: 'invoice'; readonly isWhole: boolean } & NetAndTax)
  | { readonly kind: 'drop'; readonly invoiceId: Id }
  | { readonly kind: 'void'; readonly invoiceId: Id }
  | ({ readonly kind: 'allow'; readonly invoiceId: Id; readonly source: string } & NetAndTax);

const totalOf = ({ net, tax }: NetAndTax): bigint => net + tax;
const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * How an invoice is taken back whole: dropped while it reached nobody, void within the two months of its date, afterwards, or once it has
 * allowances, by an allowance of what is left (統一發票使用辦法 §24). Undefined while it is unknown whether it was issued.
 */
export function undoing<Id extends string>(
  invoice: StandingInvoice<Id>,
  period: string,
  source: string,
): PlannedStep<Id> | undefined {
  if (invoice.isUnsent) return { kind: 'drop', invoiceId: invoice.id };
  if (invoice.period === null) return undefined;
  if (invoice.period === period && !invoice.hasAllowances) return { kind: 'void', invoiceId: invoice.id };
  return totalOf(invoice.left) > 0n
    ? { kind: 'allow', invoiceId: invoice.id, source, ...invoice.left }
    : undefined;
}

/**
 * What is to be done so that invoices less allowances are what the bill less its credit notes is; on payment, as far as it is paid. The
 * parts of a bill that is paid bit by bit add up to it exactly in net, tax and total. What was invoiced and is unpaid again, as after a
 * card dispute, stays invoiced: the sale stands.
 */
export function planSteps<Id extends string>(bill: BillToCover<Id>, period: string): PlannedStep<Id>[] {
  if (bill.isVoid) return bill.invoices.flatMap((invoice) => undoing(invoice, period, voidSource) ?? []);
  const steps: PlannedStep<Id>[] = [];
  const left = bill.invoices.map((invoice) => ({ id: invoice.id, ...invoice.left }));
  const standing = (): NetAndTax => ({
    net: left.reduce((sum, each) => sum + each.net, 0n),
    tax: left.reduce((sum, each) => sum + each.tax, 0n),
  });
  let rest: NetAndTax = bill.billed;
  for (const credit of bill.credits) {
    rest = { net: rest.net - credit.net, tax: rest.tax - credit.tax };
    const have = standing();
    const excess = totalOf(have) - totalOf(rest);
    if (excess <= 0n) continue;
    const lowest = excess > have.tax ? excess - have.tax : 0n;
    let net = clamp(have.net - rest.net, lowest, least(excess, have.net));
    let tax = excess - net;
    for (const invoice of left) {
      const taken = { net: least(net, invoice.net), tax: least(tax, invoice.tax) };
      if (totalOf(taken) === 0n) continue;
      steps.push({ kind: 'allow', invoiceId: invoice.id, source: credit.id, ...taken });
      invoice.net -= taken.net;
      invoice.tax -= taken.tax;
      net -= taken.net;
      tax -= taken.tax;
    }
  }
  const have = standing();
  const target = dueOn(bill, totalOf(rest));
  const missing = target - totalOf(have);
  if (bill.isClosed || missing <= 0n) return steps;
  const part = partOf(rest, have, missing);
  const isWhole = totalOf(have) === 0n && part.net === bill.billed.net && part.tax === bill.billed.tax;
  return [...steps, { kind: 'invoice', ...part, isWhole }];
}

/**
 * How much of what a bill comes to is to stand on invoices. A bill of several tax kinds is invoiced whole with its first payment, earlier than
 * the law asks: no part of it could say exactly which of its sales were paid.
 */
function dueOn({ timing, paid, hasSeveralKinds }: BillToCover, rest: bigint): bigint {
  if (timing === 'on_issue') return rest;
  return hasSeveralKinds ? (paid > 0n ? rest : 0n) : least(paid, rest);
}

/** The next part of a sale: in proportion up to its end, never more of net or tax than is left, so that the last part makes both exact. */
function partOf(whole: NetAndTax, have: NetAndTax, amount: bigint): NetAndTax {
  const upTo = totalOf(have) + amount;
  const goal = upTo === totalOf(whole) ? whole.net : roundedQuotient(whole.net * upTo, totalOf(whole));
  const leftNet = whole.net - have.net;
  const leftTax = whole.tax - have.tax;
  const lowest = clamp(amount - leftTax, 0n, amount);
  const net = clamp(goal - have.net, lowest, clamp(leftNet, lowest, amount));
  return { net, tax: amount - net };
}
