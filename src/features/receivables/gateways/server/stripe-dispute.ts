// Disputes from Stripe (docs.stripe.com/api/disputes/object): each event contains the whole dispute, with
// every movement of money so far.
import type { Stripe } from 'stripe';
import {
  fromProviderMinor,
  isCurrency,
  money,
  toProviderMinor,
  type Currency,
  type Money,
} from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { gatewaysErrors } from '../contract.ts';
import type { DisputeMove, DisputeNotice } from './provider.ts';

/** Converts an amount in Stripe's minor units. Throws for one that the currency cannot represent. */
export function amountOf(minor: number, code: string | null): Money {
  const currency = (code ?? '').toUpperCase();
  const amount =
    isCurrency(currency) && Number.isSafeInteger(minor)
      ? fromProviderMinor(BigInt(minor), currency)
      : undefined;
  if (!amount) throw domainError(gatewaysErrors, 'gateways.event_unreadable');
  return amount;
}

const outcomes: Readonly<Record<string, DisputeNotice['outcome']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'under_review',
  warning_closed: 'closed',
  prevented: 'closed',
  needs_response: 'needs_response',
  appeal_needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
};

/**
 * Converts a dispute to our terms; `sentAt` is in seconds. Undefined for a dispute of a payment that this
 * console did not create.
 */
export function ofDispute(found: Stripe.Dispute, sentAt: number): DisputeNotice | undefined {
  const paymentReference =
    typeof found.payment_intent === 'string' ? found.payment_intent : found.payment_intent?.id;
  if (paymentReference === undefined) return undefined;
  const amount = amountOf(found.amount, found.currency);
  const due = found.evidence_details.due_by;
  return {
    // An unknown future state of Stripe counts as still open.
    about: 'dispute',
    outcome: outcomes[found.status] ?? 'under_review',
    amount,
    reason: found.reason,
    dueBy: due ? instant(due) : null,
    sentAt: instant(sentAt),
    moves: found.balance_transactions.filter((each) => each.amount !== 0).map((each) => moveOf(each, amount)),
    paymentReference,
    reference: found.id,
  };
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

/**
 * Stripe's sign is our gain, ours is our loss. For a payout in another currency, our books have the disputed
 * amount without a fee.
 */
function moveOf(moved: Stripe.BalanceTransaction, disputed: Money): DisputeMove {
  const { currency } = disputed;
  if (moved.currency.toUpperCase() !== currency)
    return {
      reference: moved.id,
      amount: moved.amount < 0 ? disputed : money(-disputed.minor, currency),
      fee: money(0n, currency),
    };
  return {
    reference: moved.id,
    amount: amountOf(-moved.amount, moved.currency),
    fee: feeOf(moved.fee, currency),
  };
}

/** A fee may have more digits than the currency: it is rounded half away from zero. */
function feeOf(minor: number, currency: Currency): Money {
  const factor = toProviderMinor(money(1n, currency));
  const size = (BigInt(Math.abs(minor)) + factor / 2n) / factor;
  return money(minor < 0 ? -size : size, currency);
}
