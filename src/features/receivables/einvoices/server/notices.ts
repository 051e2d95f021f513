// Notices about e-invoices: to customers when one is issued, voided or allowed; to operators when action is
// needed.
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { StoredInvoice } from './store.ts';
import type { LateInvoice } from './store-queue.ts';

/** Makes every screen that shows invoices reload. */
export function publishInvoices(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish(`org/${organizationId}/bills`, { kind: 'einvoice' });
  ctx.publish('system/billing', { kind: 'einvoice' });
}

/** Notifies an organization about one of its invoices. `about` distinguishes several notices of one kind. */
export async function notifyCustomer(
  ctx: Ctx,
  invoice: Pick<StoredInvoice, 'organizationId' | 'billMonth' | 'billNumber'> & { readonly number: string },
  kind: 'einvoice.issued' | 'einvoice.voided' | 'einvoice.allowed',
  textKey: 'einvoices.notice_issued' | 'einvoices.notice_voided' | 'einvoices.notice_allowed',
  amount: Money,
  about: string,
): Promise<void> {
  await postToOrganizations(ctx, [
    {
      organizationId: invoice.organizationId,
      notice: {
        kind,
        type: 'payment',
        category: 'billing',
        subject: about,
        period: invoice.billMonth,
        textKey,
        params: {
          number: invoice.number,
          bill: invoice.billNumber,
          amount: moneyText(amount),
          currency: amount.currency,
        },
        link: `/billing/management?month=${invoice.billMonth}`,
      },
    },
  ]);
}

/** Notifies operators that an invoice or an allowance was refused. */
export async function notifyFailed(
  ctx: Ctx,
  invoice: Pick<StoredInvoice, 'id' | 'number' | 'billNumber' | 'organization'>,
  words: string,
): Promise<void> {
  await postToAdmins(ctx, {
    kind: 'einvoice.failed',
    type: 'warning',
    category: 'billing',
    subject: invoice.id,
    // Repeated if it fails again on another day.
    period: ctx.now.toISOString().slice(0, 10),
    textKey: 'einvoices.notice_failed',
    params: {
      number: invoice.number ?? invoice.billNumber,
      organization: invoice.organization,
      reason: words,
    },
    link: `/admin/einvoices?einvoice=${invoice.id}`,
  });
}

/** Notifies operators of invoices whose deadline is near. */
export async function notifyLate(ctx: Ctx, late: readonly LateInvoice[]): Promise<void> {
  const [first] = late;
  if (!first) return;
  await postToAdmins(ctx, {
    kind: 'einvoice.late',
    type: 'warning',
    category: 'billing',
    subject: first.id,
    period: '',
    textKey: 'einvoices.notice_late',
    params: { count: String(late.length), number: first.number ?? '' },
    link: '/admin/einvoices?sort=createdAt',
  });
}

/**
 * Notifies operators when few numbers of a period are left, and when none is; each once per set of tracks.
 */
export async function notifyLow(ctx: Ctx, period: string, whole: number, left: number): Promise<void> {
  await postToAdmins(ctx, {
    kind: 'einvoice.numbers_low',
    type: 'warning',
    category: 'billing',
    subject: `${period} ${whole}`,
    period: left === 0 ? 'none' : 'low',
    textKey: left === 0 ? 'einvoices.notice_none_left' : 'einvoices.notice_low',
    params: { month: period, left: String(left) },
    link: '/admin/einvoices?view=tracks',
  });
}
