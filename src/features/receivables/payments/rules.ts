// Rules of payments: their ledger entries, and which payments are allowed. Debits are positive, credits
// negative; each list sums to zero.
import { money, type Money } from '#kernel/money.ts';
import { balanced, type Entry } from '#features/invoicing/ledger/rules.ts';
import type { Payment, paymentOutcomes } from './contract.ts';

/**
 * The entries of an issued bill: receivable against revenue and tax payable (domain.md, "Closing a month"). A
 * bill with a negative total is credited to the customer's balance at once. A bill of zero has no entries.
 *
 * Revenue is the amount before discounts and promotional credit. Discounts have their own account;
 * promotional credit was booked as a cost when it was granted, and is used up here. A commitment's true-up is
 * breakage: it is charged without anything being delivered. The part for later months is deferred revenue
 * until they are over. If one organization pays for another, the money concerns the payer; promotional credit
 * and deferred revenue belong to the other.
 */
export function billEntries(bill: {
  /** The organization that owes it. */
  organizationId: string;
  /** The organization that used the services, if different. */
  usedBy?: { readonly organizationId: string } | undefined;
  net: Money;
  tax: Money;
  total: Money;
  discount: Money;
  promotional: Money;
  trueUp: Money;
  deferred: Money;
}): Entry[] {
  const { organizationId, net, tax, total, discount, promotional, trueUp, deferred } = bill;
  const userId = bill.usedBy?.organizationId ?? organizationId;
  const { currency } = total;
  const owner = total.minor < 0n ? 'balance' : 'receivable';
  return balanced([
    { account: { kind: owner, organizationId, currency }, minor: total.minor },
    { account: { kind: 'discounts', organizationId: null, currency }, minor: discount.minor },
    {
      account: { kind: 'promotional_credit', organizationId: userId, currency },
      minor: promotional.minor,
    },
    {
      account: { kind: 'revenue', organizationId: null, currency },
      minor: deferred.minor + trueUp.minor - (net.minor + discount.minor + promotional.minor),
    },
    { account: { kind: 'breakage', organizationId: null, currency }, minor: -trueUp.minor },
    { account: { kind: 'deferred_revenue', organizationId: userId, currency }, minor: -deferred.minor },
    { account: { kind: 'tax', organizationId: null, currency }, minor: -tax.minor },
  ]);
}

/**
 * The entries of a bill paid by prepaid credit: our liability to the customer and the receivable both
 * decrease. `ownerId`: the owner of the credit.
 */
export function prepaidEntries(organizationId: string, amount: Money, ownerId = organizationId): Entry[] {
  const { currency } = amount;
  return balanced([
    { account: { kind: 'deferred_revenue', organizationId: ownerId, currency }, minor: amount.minor },
    { account: { kind: 'receivable', organizationId, currency }, minor: -amount.minor },
  ]);
}

/** The entries of money received for a prepaid balance. */
export function topUpEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'cash', organizationId: null, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

/**
 * The entries of a bill paid from the balance: our liability to the customer and the receivable both
 * decrease.
 */
export function paymentEntries(organizationId: string, amount: Money): Entry[] {
  return balanced([
    { account: { kind: 'balance', organizationId, currency: amount.currency }, minor: amount.minor },
    { account: { kind: 'receivable', organizationId, currency: amount.currency }, minor: -amount.minor },
  ]);
}

/** Splits money received for a bill: up to the amount due to the bill, the rest to the balance. */
export function splitReceived(received: Money, due: Money | null): { toBill: bigint; toBalance: bigint } {
  const open = due !== null && due.currency === received.currency && due.minor > 0n ? due.minor : 0n;
  const toBill = received.minor < open ? received.minor : open;
  return { toBill, toBalance: received.minor - toBill };
}

/**
 * The entries of money received from outside: cash (or, for withheld tax, a claim on the tax office) against
 * the receivable, and the rest against the balance.
 */
export function receivedEntries(
  organizationId: string,
  received: Money,
  toBill: bigint,
  kind: 'cash' | 'withheld_tax',
): Entry[] {
  const { currency } = received;
  return balanced([
    { account: { kind, organizationId: null, currency }, minor: received.minor },
    { account: { kind: 'receivable', organizationId, currency }, minor: -toBill },
    { account: { kind: 'balance', organizationId, currency }, minor: toBill - received.minor },
  ]);
}

/**
 * The entries that reverse withheld tax recorded by mistake: no claim on the tax office, and the customer
 * owes it again.
 */
export function withholdingTakenBackEntries(organizationId: string, amount: Money): Entry[] {
  return receivedEntries(
    organizationId,
    money(-amount.minor, amount.currency),
    -amount.minor,
    'withheld_tax',
  );
}

/** The entries of prepaid money that was refunded: our liability and our cash decrease. */
export function refundEntries(organizationId: string, amount: Money): Entry[] {
  return topUpEntries(organizationId, money(-amount.minor, amount.currency));
}

export type RefundMistake =
  | 'payments.amount_not_positive'
  | 'payments.currency_differs'
  | 'payments.refund_above_rest'
  | 'payments.refund_above_balance';

/**
 * Why a refund is not allowed, given the payment's remaining amount and the balance; undefined if it is
 * allowed.
 */
export function refundMistake(amount: Money, rest: Money, balance: Money): RefundMistake | undefined {
  if (amount.currency !== rest.currency) return 'payments.currency_differs';
  if (amount.minor <= 0n) return 'payments.amount_not_positive';
  if (amount.minor > rest.minor) return 'payments.refund_above_rest';
  return amount.minor > balance.minor ? 'payments.refund_above_balance' : undefined;
}

/**
 * A payment's dispute state over all its disputes: a running one takes precedence over a lost one; withdrawn
 * money that was not returned counts as open. Null if none of its money is disputed.
 */
export function disputeStanding(
  isRunning: boolean,
  isLost: boolean,
  withdrawn: bigint,
): 'open' | 'lost' | null {
  if (isRunning) return 'open';
  if (isLost) return 'lost';
  return withdrawn > 0n ? 'open' : null;
}

/** The reference by which a transfer is matched: the end of the payment's id, short enough to type. */
export function transferReference(paymentId: string): string {
  return `PAY-${paymentId.slice(-8).toUpperCase()}`;
}

export type PayableDue = { readonly id: string; readonly organizationId: string; readonly due: Money };

/**
 * The bills that balances pay automatically: in the given order (oldest first), never beyond the amount due
 * or the balance. If a bill is not covered, no later bill of its organization and currency is paid before it.
 * `available` is by `organization currency`.
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
    const remaining = left.get(key) ?? 0n;
    if (ended.has(key) || bill.due.minor <= 0n) continue;
    const minor =
      remaining >= bill.due.minor
        ? bill.due.minor
        : isPartial(bill.organizationId) && remaining > 0n
          ? remaining
          : 0n;
    if (minor < bill.due.minor) {
      ended.add(key);
      short.push(bill);
    }
    if (minor === 0n) continue;
    left.set(key, remaining - minor);
    paid.push({ bill, minor });
  }
  return { paid, short };
}

export type RefundState = 'pending' | 'succeeded' | 'failed';

/**
 * A refund's next state after a provider's notice, and its booking: 1 pays out, -1 reverses (a bank returned
 * it). Failed is final, so the same notices lead to the same result in any order.
 */
export function nextRefund(
  state: RefundState,
  reported: RefundState,
): { state: RefundState; books: 1 | 0 | -1 } {
  if (reported === 'pending' || state === 'failed' || reported === state) return { state, books: 0 };
  if (reported === 'succeeded') return { state: 'succeeded', books: 1 };
  return { state: 'failed', books: state === 'succeeded' ? -1 : 0 };
}

export type PayMistake =
  | 'payments.amount_not_positive'
  | 'payments.amount_above_due'
  | 'payments.currency_differs'
  | 'payments.balance_too_low';

/** Why an amount cannot be paid from a balance, given the amount due; undefined if it can. */
export function payMistake(amount: Money, due: Money, balance: Money): PayMistake | undefined {
  if (amount.currency !== due.currency) return 'payments.currency_differs';
  if (amount.minor <= 0n) return 'payments.amount_not_positive';
  if (amount.minor > due.minor) return 'payments.amount_above_due';
  return amount.minor > balance.minor ? 'payments.balance_too_low' : undefined;
}

/**
 * How a dispute's movement is borne: by the bill that the money had paid, by the balance, and the rest as a
 * claim against the customer. Withdrawn is positive, returned negative.
 */
export type DisputeShares = { readonly toBill: bigint; readonly toBalance: bigint; readonly claim: bigint };

/**
 * Splits withdrawn money: `toBill` is taken from the bill first, then the balance down to zero; the rest is a
 * claim, because balances never become negative.
 */
export function withdrawnShares(minor: bigint, toBill: bigint, balance: bigint): DisputeShares {
  const left = minor - toBill;
  const toBalance = balance <= 0n ? 0n : left < balance ? left : balance;
  return { toBill, toBalance, claim: left - toBalance };
}

/**
 * Splits returned money (`minor` is positive): first to the bill, up to what was withdrawn from it and is
 * still due, then to the claim, and the rest to the balance. All shares are zero or negative.
 */
export function returnedShares(
  minor: bigint,
  due: bigint,
  withdrawn: { readonly toBill: bigint; readonly claim: bigint },
): DisputeShares {
  const least = (...all: bigint[]): bigint => all.reduce((a, b) => (b < a ? b : a));
  const toBill = least(minor, due < 0n ? 0n : due, withdrawn.toBill);
  const claim = least(minor - toBill, withdrawn.claim);
  return { toBill: -toBill, claim: -claim, toBalance: -(minor - toBill - claim) };
}

/** The entries of a dispute's movement: cash decreases by it and by its fee. `minor` positive: withdrawn. */
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

/**
 * The outcome shown to a user who returns from a provider: received money counts as paid, whatever happened
 * to it later.
 */
export const outcomeOf = ({
  state,
  received,
}: Pick<Payment, 'state' | 'received'>): (typeof paymentOutcomes)[number] =>
  received !== null ? 'paid' : state === 'failed' ? 'failed' : 'waiting';
