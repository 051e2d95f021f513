// Determines which parts of a bill are on invoices and allowances, and what is missing: computed from amounts
// only, so that the result does not depend on the order of events. Amounts are whole New Taiwan dollars.
import { roundedQuotient } from '#kernel/decimal.ts';
import type { Timing } from './contract.ts';

export type NetAndTax = { readonly net: bigint; readonly tax: bigint };
/** An invoice that is neither void nor dropped, with the amount left after allowances. */
export type StandingInvoice<Id extends string = string> = {
  readonly id: Id;
  readonly left: NetAndTax;
  /** The two-month period of its date; null until it has a number. */
  readonly period: string | null;
  readonly hasAllowances: boolean;
  /** Whether it certainly reached no one, so that it can be dropped. */
  readonly isUnsent: boolean;
};
export type BillToCover<Id extends string = string> = {
  readonly timing: Timing;
  readonly billed: NetAndTax;
  /** Whether it has items of more than one tax kind (應稅, 零稅率, 免稅). */
  readonly hasSeveralKinds: boolean;
  readonly isVoid: boolean;
  /** No more invoices are issued for it, by an Admin's decision. */
  readonly isClosed: boolean;
  /** The amounts of credit notes, oldest first. */
  readonly credits: readonly (NetAndTax & { readonly id: string })[];
  /** The amount paid and not returned to the balance. */
  readonly paid: bigint;
  /** Oldest first. */
  readonly invoices: readonly StandingInvoice<Id>[];
};
/** The source of an allowance for an entire invoice whose bill was voided. */
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
 * How a whole invoice is canceled: dropped if it reached no one; voided within the two months of its date;
 * afterwards, or once it has allowances, by an allowance for the remainder (統一發票使用辦法 §24). Undefined while it
 * is unknown whether it was issued.
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
 * Returns the steps after which invoices minus allowances equal the bill minus its credit notes; with timing
 * "on payment", up to the paid amount. The parts of a bill paid in installments add up to it exactly in net,
 * tax and total. Amounts that were invoiced and became unpaid again, for example after a card dispute, stay
 * invoiced: the sale stands.
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
 * How much of a bill should be invoiced. A bill with several tax kinds is invoiced completely with its first
 * payment, earlier than required by law: no part of it could state exactly which of its sales were paid.
 */
function dueOn({ timing, paid, hasSeveralKinds }: BillToCover, rest: bigint): bigint {
  if (timing === 'on_issue') return rest;
  return hasSeveralKinds ? (paid > 0n ? rest : 0n) : least(paid, rest);
}

/**
 * The next part of a sale: proportional until the last, never more net or tax than remains, so that the last
 * part makes both exact.
 */
function partOf(whole: NetAndTax, have: NetAndTax, amount: bigint): NetAndTax {
  const upTo = totalOf(have) + amount;
  const goal = upTo === totalOf(whole) ? whole.net : roundedQuotient(whole.net * upTo, totalOf(whole));
  const leftNet = whole.net - have.net;
  const leftTax = whole.tax - have.tax;
  const lowest = clamp(amount - leftTax, 0n, amount);
  const net = clamp(goal - have.net, lowest, clamp(leftNet, lowest, amount));
  return { net, tax: amount - net };
}
