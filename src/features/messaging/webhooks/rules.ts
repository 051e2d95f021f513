// Rules of webhooks: event types and data, retry times, and pauses of endpoints.
import { isCurrency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import { hourMs } from '#kernel/durations.ts';
import { eventTypes, type EventType } from './contract.ts';

/** The notice behind an event. */
export type EventNotice = {
  readonly kind: string;
  readonly textKey: string;
  readonly subject: string;
  readonly params: TextParams;
};

const renamed: Readonly<Record<string, EventType>> = {
  'bill.void': 'bill.voided',
  'dunning.suspend': 'dunning.suspended',
  'quota.Warning': 'quota.warning',
  'quota.Critical': 'quota.critical',
  // Notices of one kind that are different events for programs.
  'payments.notice_arrived': 'payment.succeeded',
  'payments.notice_payment_arrived': 'payment.succeeded',
  'payments.notice_payment_failed': 'payment.failed',
  'payments.notice_rejected': 'payment.rejected',
  'payments.notice_mismatch_payer': 'payment.mismatched',
};
const isEventType = (kind: string): kind is EventType => eventTypes.some((one) => one === kind);

/** The event type of a notice; it must never change, even if the notice's internal kind does. */
export function eventTypeOf({ kind, textKey }: Pick<EventNotice, 'kind' | 'textKey'>): EventType {
  const outside = (kind === 'payment.settled' ? renamed[textKey] : renamed[kind]) ?? kind;
  return isEventType(outside) ? outside : 'other';
}

const subjectNames: Readonly<Record<string, string>> = {
  bil: 'billId',
  cbl: 'consolidatedBillId',
  qot: 'quoteId',
  pay: 'paymentId',
  crd: 'cardId',
  rfd: 'refundId',
  crn: 'creditNoteId',
  sub: 'subscriptionId',
  cgr: 'creditGrantId',
  bud: 'budgetId',
  rai: 'quotaRaiseId',
  svc: 'serviceId',
  whe: 'endpointId',
};

/**
 * The data of an event: ids and figures by name. Amounts are `{ amount, currency }` with the amount as a
 * string; other figures are strings unless they are integers; there are no floating-point numbers.
 */
export function eventData(notice: EventNotice, organizationId: string): Readonly<Record<string, unknown>> {
  const { kind, subject, params } = notice;
  const { amount, currency, ...others } = params;
  const name = subjectNames[subject.slice(0, 3)];
  const isMoney = amount !== undefined && typeof currency === 'string' && isCurrency(currency);
  return {
    organizationId,
    ...(name !== undefined && { [name]: subject }),
    ...(isMoney
      ? { amount: { amount: String(amount), currency } }
      : {
          ...(amount !== undefined && { amount: plain(amount) }),
          ...(currency !== undefined && { currency: plain(currency) }),
        }),
    ...Object.fromEntries(Object.entries(others).map(([key, value]) => [key, plain(value)])),
    ...(eventTypeOf(notice) === 'other' && { kind }),
  };
}

const plain = (value: string | number | bigint): string | number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : String(value);

// Standard Webhooks, "retry schedule": immediately, then after these seconds, within a day.
const gapSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 21_600] as const;
/** A delivery fails permanently this long after its first attempt (or manual repeat). */
export const longestMs = 24 * hourMs;

/** Seconds until the next attempt after this many failures; undefined: it fails permanently. */
export const gapAfter = (tries: number): number | undefined => gapSeconds[tries - 1];

/**
 * The time of the next attempt after this many failures; null when the delivery fails permanently, including
 * when the attempt would be more than a day after the first.
 */
export function nextAttempt(tries: number, beganAt: Date, now: Date): Date | null {
  const gap = gapAfter(tries);
  if (gap === undefined) return null;
  const next = new Date(now.getTime() + gap * 1000);
  return next.getTime() - beganAt.getTime() > longestMs ? null : next;
}

const longestRestSeconds = 300;

/**
 * How many seconds an endpoint pauses after consecutive runs without a successful delivery, so that it does
 * not delay the others.
 */
export function pauseSecondsAfter(failedTurns: number): number {
  return failedTurns <= 0 ? 0 : Math.min(longestRestSeconds, 5 * 2 ** Math.min(failedTurns - 1, 10));
}

/** The default overlap of a replaced secret, in hours. */
export const usualOverlapHours = 24;
