// Rules of collection: when a bill is charged, what follows a decline, and when a card expires.
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, daysBetween } from '#kernel/time.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
import type { CollectionPlan, DeclineReason, SavedCard, Stop } from './contract.ts';

/**
 * The most common decline reasons pass within days; a bill is retried this many days after the first attempt.
 */
export const initialPlan: CollectionPlan = { firstDay: 'due', daysBefore: 3, retryDays: [1, 3, 5, 7] };

/**
 * Declines that no later attempt with the same card can resolve. Of Stripe's decline codes
 * (docs.stripe.com/declines/codes), final ones are: those that Stripe does not retry itself
 * (docs.stripe.com/billing/revenue-recovery/smart-retries#non-retryable-decline-codes), of which
 * `authentication_required` has its own outcome; those whose next step is another card (a renewed card is
 * charged again automatically); and those that forbid charging. Every other code, including unknown ones, may
 * pass.
 */
const hardDeclines: ReadonlySet<string> = new Set([
  // Not retried by Stripe.
  'incorrect_number',
  'lost_card',
  'pickup_card',
  'stolen_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'highest_risk_level',
  'transaction_not_allowed',
  // Requires another card.
  'invalid_number',
  'invalid_account',
  'expired_card',
  'testmode_decline',
  // Charging is forbidden by the bank, or by the operator's block list.
  'do_not_try_again',
  'stop_payment_order',
  'merchant_blacklist',
  // ECPay's codes for an expired, a lost and a stolen card (交易狀態代碼 in its documentation); its others may
  // pass.
  '10100251',
  '10100255',
  '10100256',
]);

/**
 * The provider refused the request itself; the charge is no longer needed; it never reached the provider; the provider
 * charges no such amount.
 */
export const ownCodes = {
  refused: 'refused',
  notNeeded: 'not_needed',
  lost: 'lost',
  notInSteps: 'not_in_steps',
} as const;

/** Why no attempt follows a failure; null if no bank was involved, `given_up` for a decline that may pass. */
export function stopOf(code: string): Stop | null {
  if (code === ownCodes.notNeeded || code === ownCodes.lost) return null;
  if (code === ownCodes.refused) return 'refused';
  if (code === ownCodes.notInSteps) return 'steps';
  if (code === 'authentication_required') return 'confirm';
  return hardDeclines.has(code) ? 'declined' : 'given_up';
}

/** Two attempts are never closer than this, even if the response to the first was late. */
const leastApartMs = 12 * hourMs;

/**
 * Decides what follows a failed attempt, the `tries`th of its schedule: another attempt at a given time, or
 * none. `firstAt` is the time of the schedule's first attempt, from which its days count.
 */
export function afterFailure(
  code: string,
  {
    tries,
    firstAt,
    now,
    retryDays,
  }: { tries: number; firstAt: Date; now: Date; retryDays: readonly number[] },
): { nextAt: Date } | { stopped: Stop } {
  // Nothing was charged and no bank was involved: the bill is checked again at once.
  const stop = stopOf(code);
  if (stop === null) return { nextAt: now };
  if (stop !== 'given_up') return { stopped: stop };
  const days = retryDays[tries - 1];
  if (days === undefined) return { stopped: 'given_up' };
  return { nextAt: new Date(Math.max(firstAt.getTime() + days * dayMs, now.getTime() + leastApartMs)) };
}

const reasons: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired',
  authentication_required: 'confirm',
  card_velocity_exceeded: 'limit',
  withdrawal_count_limit_exceeded: 'limit',
  invalid_amount: 'limit',
  incorrect_number: 'invalid',
  invalid_number: 'invalid',
  incorrect_cvc: 'invalid',
  invalid_cvc: 'invalid',
  incorrect_zip: 'invalid',
  incorrect_address: 'invalid',
  invalid_expiry_month: 'invalid',
  invalid_expiry_year: 'invalid',
  issuer_not_available: 'unavailable',
  processing_error: 'unavailable',
  reenter_transaction: 'unavailable',
  try_again_later: 'unavailable',
  revocation_of_authorization: 'revoked',
  revocation_of_all_authorizations: 'revoked',
  stop_payment_order: 'revoked',
  card_not_supported: 'unsupported',
  currency_not_supported: 'unsupported',
  not_permitted: 'unsupported',
  '10100251': 'expired',
  '10100252': 'insufficient_funds',
  '10100254': 'limit',
  [ownCodes.notNeeded]: 'not_needed',
  [ownCodes.lost]: 'unanswered',
};
/**
 * The reason a cardholder may be told: never that a card is reported lost, stolen or misused
 * (docs.stripe.com/declines/codes).
 */
export const reasonOf = (code: string): DeclineReason =>
  (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? 'other';

/** The first day on which a bill may be charged. */
export function firstDayOf(plan: CollectionPlan, bill: { issuedOn: LocalDay; dueOn: LocalDay }): LocalDay {
  if (plan.firstDay === 'issue') return bill.issuedOn;
  const day = plan.firstDay === 'due' ? bill.dueOn : addDays(bill.dueOn, -plan.daysBefore);
  return day < bill.issuedOn ? bill.issuedOn : day;
}

/** Whether the days of a schedule are ascending; each counts from the first attempt. */
export const daysRise = (days: readonly number[]): boolean =>
  days.every((each, index) => index === 0 || each > (days[index - 1] ?? 0));

/** How many days before a card expires a warning is sent. */
export const expiryWarningDays = 30;

/** The last day on which a card can be charged: the end of the month printed on it. */
export function lastDayOf({ expMonth, expYear }: Pick<SavedCard, 'expMonth' | 'expYear'>): LocalDay {
  const [month, year] = expMonth === 12 ? [1, expYear + 1] : [expMonth + 1, expYear];
  return addDays(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01` as LocalDay, -1);
}

/** Whether a card expires soon, or has expired, as of a day. */
export function expiryOf(
  card: Pick<SavedCard, 'expMonth' | 'expYear'>,
  today: LocalDay,
): SavedCard['expiry'] {
  const left = daysBetween(today, lastDayOf(card));
  return left < 0 ? 'over' : left <= expiryWarningDays ? 'soon' : 'fine';
}
