// Payments' decisions: which ledger entries they make, and what may be paid. Debits are positive, credits negative; each list sums to zero.
import { money, type Money } from '#kernel/money.ts';
import { balanced, type Entry } from '#features/invoicing/ledger/rules.ts';

/**
 * An issued bill: receivable against revenue and tax payable (domain.md, "Closing a month").
 * A bill below zero owes the customer: it goes to their balance at once. A bill of nothing makes no entries.
 */
export function billEntries(bill: { organizationId: string; net: Money; tax: Money; total: Money }): Entry[] {
  const { currency } = bill.total;
  const owner = bill.total.minor < 0n ? 'balance' : 'receivable';
  return balanced([
    { account: { kind: owner, organizationId: bill.organizationId, currency }, minor: bill.total.minor },
    { account: { kind: 'revenue', organizationId: null, currency }, minor: -bill.net.minor },
    { account: { kind: 'tax', organizationId: null, currency }, minor: -bill.tax.minor },
  ]);
}

/** Money that arrived for a prepaid balance. */
export function topUpEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'cash', organizationId: null, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

/** A bill paid from the balance: what we owed the customer falls, and so does what they owe us. */
export function paymentEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'receivable', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

/** Where money that came for a bill goes: to what is due of it, and the rest to the balance. Nothing of it is lost, and no bill is paid twice. */
export function splitReceived(received: Money, due: Money | null): { toBill: bigint; toBalance: bigint } {
  const open = due !== null && due.currency === received.currency && due.minor > 0n ? due.minor : 0n;
  const toBill = received.minor < open ? received.minor : open;
  return { toBill, toBalance: received.minor - toBill };
}

/** Money that arrived from outside: cash against what the customer owes, and the rest against their balance. */
export function receivedEntries(organizationId: string, received: Money, toBill: bigint): Entry[] {
  const { currency } = received;
  return balanced([
    { account: { kind: 'cash', organizationId: null, currency }, minor: received.minor },
    { account: { kind: 'receivable', organizationId, currency }, minor: -toBill },
    { account: { kind: 'balance', organizationId, currency }, minor: toBill - received.minor },
  ]);
}

/** Prepaid money that was paid back: we owe the customer less, and have less. */
export function refundEntries(organizationId: string, amount: Money): Entry[] {
  return topUpEntries(organizationId, money(-amount.minor, amount.currency));
}

export type RefundMistake =
  | 'payments.amount_not_positive'
  | 'payments.currency_differs'
  | 'payments.refund_above_rest'
  | 'payments.refund_above_balance';

/** What is wrong with paying an amount back, of what is left of its payment and of the balance; undefined when nothing is. */
export function refundMistake(amount: Money, rest: Money, balance: Money): RefundMistake | undefined {
  if (amount.currency !== rest.currency) return 'payments.currency_differs';
  if (amount.minor <= 0n) return 'payments.amount_not_positive';
  if (amount.minor > rest.minor) return 'payments.refund_above_rest';
  return amount.minor > balance.minor ? 'payments.refund_above_balance' : undefined;
}

/** How a payment stands by all its disputes: one that runs before one that is lost; money that is withdrawn is not back yet. Null: nobody asks for any of it. */
export function disputeStanding(
  isRunning: boolean,
  isLost: boolean,
  withdrawn: bigint,
): 'open' | 'lost' | null {
  if (isRunning) return 'open';
  if (isLost) return 'lost';
  return withdrawn > 0n ? 'open' : null;
}

/** What a transfer names so that it is found: short enough to type, and the end of the payment's id. */
export function transferReference(paymentId: string): string {
  return `PAY-${paymentId.slice(-8).toUpperCase()}`;
}

export type PayableDue = { readonly id: string; readonly organizationId: string; readonly due: Money };

/**
 * Which bills balances pay by themselves: the oldest first (as given), never beyond what is due or there. One that is not covered
 * ends it for its organization and currency: a later bill never goes before an older one. `available` is by `organization currency`.
 */
export function automaticPlan<B extends PayableDue>(
  bills: readonly B[],
  available: ReadonlyMap<string, bigint>,
  isPartial: (organizationId: string) => boolean,
): { paid: { bill: B; minor: bigint }[]; short: B[] } {
  const left = new Map(available);
  const ended = new Set<string>();
  const paid: { bill: B; minor: bigint }[] = [];
  const short: B[] = [];
  for (const bill of bills) {
    const key = `${bill.organizationId} ${bill.due.currency}`;
    const there = left.get(key) ?? 0n;
    if (ended.has(key) || bill.due.minor <= 0n) continue;
    const minor =
      there >= bill.due.minor ? bill.due.minor : isPartial(bill.organizationId) && there > 0n ? there : 0n;
    if (minor < bill.due.minor) {
      ended.add(key);
      short.push(bill);
    }
    if (minor === 0n) continue;
    left.set(key, there - minor);
    paid.push({ bill, minor });
  }
  return { paid, short };
}

export type RefundState = 'pending' | 'succeeded' | 'failed';

/**
 * Where a refund goes when its provider says something, and what that books: 1 pays out, -1 takes it back (a bank returned it).
 * Failed is final, whatever arrives after it, so any order of the same words ends the same.
 */
export function nextRefund(state: RefundState, said: RefundState): { state: RefundState; books: 1 | 0 | -1 } {
  if (said === 'pending' || state === 'failed' || said === state) return { state, books: 0 };
  if (said === 'succeeded') return { state: 'succeeded', books: 1 };
  return { state: 'failed', books: state === 'succeeded' ? -1 : 0 };
}

export type PayMistake =
  | 'payments.amount_not_positive'
  | 'payments.amount_above_due'
  | 'payments.currency_differs'
  | 'payments.balance_too_low';

/** What is wrong with paying an amount of what is due from a balance; undefined when nothing is. */
export function payMistake(amount: Money, due: Money, balance: Money): PayMistake | undefined {
  if (amount.currency !== due.currency) return 'payments.currency_differs';
  if (amount.minor <= 0n) return 'payments.amount_not_positive';
  if (amount.minor > due.minor) return 'payments.amount_above_due';
  return amount.minor > balance.minor ? 'payments.balance_too_low' : undefined;
}

/** What a movement of a dispute is borne by: the bill that the money had paid, the balance, and for the rest the customer. Withdrawn above zero, given back below. */
export type DisputeShares = { readonly toBill: bigint; readonly toBalance: bigint; readonly claim: bigint };

/** Money that was withdrawn: off the bill first (`toBill` was taken off it), then off the balance as far as it goes; nobody's balance falls below zero. */
export function withdrawnShares(minor: bigint, toBill: bigint, balance: bigint): DisputeShares {
  const left = minor - toBill;
  const toBalance = balance <= 0n ? 0n : left < balance ? left : balance;
  return { toBill, toBalance, claim: left - toBalance };
}

/**
 * Money that was given back (`minor` above zero): to the bill as far as it was withdrawn from it and is still due, then to what the customer
 * bears, and the rest to the balance. All shares are zero or below.
 */
export function givenBackShares(
  minor: bigint,
  due: bigint,
  withdrawn: { readonly toBill: bigint; readonly claim: bigint },
): DisputeShares {
  const least = (...all: bigint[]): bigint => all.reduce((a, b) => (b < a ? b : a));
  const toBill = least(minor, due < 0n ? 0n : due, withdrawn.toBill);
  const claim = least(minor - toBill, withdrawn.claim);
  return { toBill: -toBill, claim: -claim, toBalance: -(minor - toBill - claim) };
}

/** A movement of a dispute: what we have falls by it and by its fee. `minor` above zero: withdrawn. */
export function disputeEntries(
  organizationId: string,
  moved: Money,
  { toBill, toBalance, claim }: DisputeShares,
  fee: bigint,
): Entry[] {
  const { currency } = moved;
  return balanced([
    { account: { kind: 'cash', organizationId: null, currency }, minor: -moved.minor - fee },
    { account: { kind: 'receivable', organizationId, currency }, minor: toBill },
    { account: { kind: 'balance', organizationId, currency }, minor: toBalance },
    { account: { kind: 'disputed', organizationId, currency }, minor: claim },
    { account: { kind: 'fees', organizationId: null, currency }, minor: fee },
  ]);
}
