// Notices about payments and refunds.
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money, subtractMoney } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  toBeConsolidated,
  type IssuedBill,
  type PayableBill,
} from '#features/invoicing/billing/server/index.ts';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import type { KindOf } from '#features/messaging/notifications/rules.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { Payment } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';

type Key = keyof typeof enUS & `payments.notice_${string}`;
const amountParams = (amount: Money): { amount: string; currency: string } => ({
  amount: moneyText(amount),
  currency: amount.currency,
});

/** Makes every screen that shows payments reload. */
export function publishPayments(
  ctx: Ctx,
  organizationId: string,
  kind: 'payment' | 'paid' = 'payment',
): void {
  ctx.publish(`org/${organizationId}/bills`, { kind });
  ctx.publish('system/billing', { kind: 'payment' });
}

/** Notifies the organizations of issued bills. */
export async function notifyIssued(ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> {
  // Bills for a consolidated bill are announced once, with it.
  const later = await toBeConsolidated(ctx, bills);
  await postToOrganizations(
    ctx,
    bills
      .filter((bill) => !later.has(bill))
      .map((bill) => ({
        organizationId: bill.organizationId,
        notice: {
          kind: 'bill.issued',
          type: 'payment',
          category: 'billing',
          subject: bill.id,
          period: bill.month,
          textKey: bill.usedBy ? 'payments.notice_bill_issued_for' : 'payments.notice_bill_issued',
          params: {
            number: bill.number,
            month: bill.month,
            ...(bill.usedBy && { organization: bill.usedBy.organization }),
            ...amountParams(bill.total),
          },
          link: `/billing/management?month=${bill.month}`,
        },
      })),
  );
}

/**
 * Notifies that a bill is fully paid, with the amount: what credit notes deducted did not have to be paid.
 */
export async function notifyPaid(
  ctx: Ctx,
  bill: Omit<Pick<Bill, 'id' | 'organizationId' | 'month' | 'number' | 'total' | 'credited'>, 'id'> & {
    readonly id: Id<'bil'> | Id<'cbl'>;
  },
): Promise<void> {
  await postToOrganizations(ctx, [
    {
      organizationId: bill.organizationId,
      notice: {
        kind: 'bill.paid',
        type: 'payment',
        category: 'billing',
        subject: bill.id,
        period: bill.month,
        textKey: 'payments.notice_bill_paid',
        params: { number: bill.number, ...amountParams(subtractMoney(bill.total, bill.credited)) },
        link: `/billing/management?month=${bill.month}`,
      },
    },
  ]);
}

/**
 * Notifies an organization about its payment, once per kind of notice; `about` distinguishes several notices
 * of one kind.
 */
export async function notifyPayer(
  ctx: Ctx,
  payment: Pick<Payment, 'id' | 'organizationId' | 'billNumber'>,
  kind: KindOf<'billing'>,
  textKey: Key,
  amount: Money,
  more: Readonly<Record<string, string>> = {},
  about = '',
): Promise<void> {
  await postToOrganizations(ctx, [
    {
      organizationId: payment.organizationId,
      notice: {
        kind,
        type: 'payment',
        category: 'billing',
        subject: payment.id,
        period: about,
        textKey,
        params: { ...amountParams(amount), number: payment.billNumber ?? '', ...more },
        link: '/billing/management?view=payments',
      },
    },
  ]);
}

/** Notifies every Admin that a payment needs attention. */
export async function notifyAdmins(
  ctx: Ctx,
  payment: Pick<Payment, 'id' | 'organization'>,
  kind: KindOf<'billing'>,
  textKey: Key,
  amount: Money,
  more: Readonly<Record<string, string>> = {},
  about = '',
): Promise<void> {
  await postToAdmins(ctx, {
    kind,
    type: 'payment',
    category: 'billing',
    subject: payment.id,
    period: about,
    textKey,
    params: { organization: payment.organization, ...amountParams(amount), ...more },
    link: kind === 'payment.pending' ? '/admin/payments' : `/admin/payments?payment=${payment.id}`,
  });
}

/** Notifies every Admin of a refused provider event that belongs to no known payment. */
export async function notifyAdminsOfRefusedNotice(ctx: Ctx, eventId: string): Promise<void> {
  await postToAdmins(ctx, {
    kind: 'payment.mismatch',
    type: 'payment',
    category: 'billing',
    subject: eventId,
    period: 'refused',
    textKey: 'payments.notice_refused_event',
    params: { event: eventId },
    link: '/admin/payments',
  });
}

/**
 * Notifies organizations which bills were paid automatically, and which were not because the balance was too
 * low.
 */
export async function notifyAutomatic(
  ctx: Ctx,
  news: readonly {
    about: string;
    bill: PayableBill;
    amount: Money;
    textKey: 'payments.notice_automatic' | 'payments.notice_automatic_short';
  }[],
): Promise<void> {
  await postToOrganizations(
    ctx,
    news.map(({ about, bill, amount, textKey }) => ({
      organizationId: bill.organizationId,
      notice: {
        kind: textKey === 'payments.notice_automatic' ? 'payment.automatic' : 'payment.automatic_short',
        type: textKey === 'payments.notice_automatic' ? 'payment' : 'warning',
        category: 'billing',
        subject: about,
        period: bill.month,
        textKey,
        params: { number: bill.number, ...amountParams(amount) },
        link:
          textKey === 'payments.notice_automatic'
            ? '/billing/management?view=payments'
            : `/billing/management?month=${bill.month}`,
      },
    })),
  );
}
