// Signed provider events that were refused: stored with the reason and reported to the Admins, because the
// provider reports them nowhere else.
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ProviderName } from '#features/receivables/gateways/contract.ts';
import type { Notice, RefusedEvent } from '#features/receivables/gateways/server/index.ts';
import { paymentsErrors, type payments, type RefusedNotice } from '../contract.ts';
import { notifyAdmins, notifyAdminsOfRefusedNotice } from './notices.ts';
import { paymentById, paymentOfReference, type StoredPayment } from './store.ts';
import {
  insertRefusedNotice,
  pageOfRefusedNotices,
  refusedNoticeById,
  settleRefusedNotice,
} from './store-refused-notices.ts';

/** Stores a refused event and notifies the Admins once per event; handles the gateways' event. */
export async function storeRefused(
  ctx: Ctx,
  { provider, eventId, code, notice }: RefusedEvent,
): Promise<void> {
  const payment = notice && (await paymentOf(ctx, provider, notice));
  await insertRefusedNotice(ctx, {
    provider,
    eventId,
    code,
    about: notice?.about ?? null,
    amount: notice?.amount ?? null,
    paymentId: payment?.id ?? null,
  });
  ctx.publish('system/billing', { kind: 'payment' });
  if (payment && notice?.amount && code === 'payments.amount_differs')
    await notifyAdmins(
      ctx,
      payment,
      'payment.mismatch',
      notice.about === 'dispute' ? 'payments.notice_refused_dispute' : 'payments.notice_refused_refund',
      notice.amount,
      {},
      `refused ${eventId}`,
    );
  else await notifyAdminsOfRefusedNotice(ctx, eventId);
}

async function paymentOf(
  ctx: Ctx,
  provider: ProviderName,
  notice: Notice,
): Promise<StoredPayment | undefined> {
  const paymentId =
    notice.about === 'payment'
      ? notice.paymentId
      : await paymentOfReference(ctx, provider, notice.paymentReference);
  return paymentId && paymentById(ctx, paymentId);
}

/**
 * Applies an event that waited for its payment. If it is refused now, it is stored as refused instead of
 * throwing, so that the payment itself is booked.
 */
export async function orStoreRefused(
  ctx: Ctx,
  event: Omit<RefusedEvent, 'code'>,
  apply: () => Promise<void>,
): Promise<void> {
  try {
    await apply();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await storeRefused(ctx, { ...event, code: error.code });
  }
}

/** Returns refused events of all providers, newest first. */
export async function adminListRefused(
  ctx: Ctx,
  input: In<typeof payments.adminListRefused>,
): Promise<Page<RefusedNotice>> {
  return pageOfRefusedNotices(ctx, input);
}

/**
 * Marks a refused event as handled; the first note is kept. If the provider sends it again, it is the same
 * event.
 */
export async function settleRefused(
  ctx: Ctx,
  { provider, eventId, note }: In<typeof payments.settleRefused>,
): Promise<RefusedNotice> {
  const isFirst = await settleRefusedNotice(ctx, { provider, eventId, note, settledBy: person(ctx).userId });
  const settled = await refusedNoticeById(ctx, provider, eventId);
  if (!settled) throw domainError(paymentsErrors, 'payments.refused_not_found');
  ctx.audit('payments.settleRefused', eventId, isFirst ? { provider, note } : { provider, isRepeat: true });
  if (isFirst) ctx.publish('system/billing', { kind: 'payment' });
  return settled;
}
