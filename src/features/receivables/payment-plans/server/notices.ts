// Notices of payment plans: agreed, an installment missed, ended.
import { moneyText, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { KindOf } from '#features/messaging/notifications/rules.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { enUS } from '../locales/enUS.ts';

type Key = keyof typeof enUS & `plans.notice_${string}`;

/** Notifies the organization, once per `period`. */
export async function notifyCustomer(
  ctx: Ctx,
  organizationId: Id<'org'>,
  notice: {
    kind: KindOf<'billing'>;
    planId: string;
    period: string;
    textKey: Key;
    amount: Money;
    date: LocalDay;
    link: string;
    until?: LocalDay;
  },
): Promise<void> {
  const { kind, planId, period, textKey, amount, date, link, until } = notice;
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind,
        type: kind === 'plan.agreed' ? 'info' : 'warning',
        category: 'billing',
        subject: planId,
        period,
        textKey,
        params: {
          amount: moneyText(amount),
          currency: amount.currency,
          date,
          ...(until !== undefined && { until }),
        },
        link,
      },
    },
  ]);
}

/** Notifies every Admin of a missed installment, once for each. */
export async function notifyAdminsMissed(
  ctx: Ctx,
  missed: {
    planId: string;
    organization: string;
    amount: Money;
    date: LocalDay;
    billId: string;
    isOver: boolean;
  },
): Promise<void> {
  await postToAdmins(ctx, {
    kind: missed.isOver ? 'plan.ended' : 'plan.missed',
    type: 'warning',
    category: 'billing',
    subject: missed.planId,
    period: `${missed.date} admin`,
    textKey: (missed.isOver ? 'plans.notice_over_admin' : 'plans.notice_missed_admin') satisfies Key,
    params: {
      organization: missed.organization,
      amount: moneyText(missed.amount),
      currency: missed.amount.currency,
      date: missed.date,
    },
    link: `/admin/billing?bill=${missed.billId}`,
  });
}

/** Makes every screen that shows bills reload. */
export function publishPlans(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish(`org/${organizationId}/bills`, { kind: 'plan' });
  ctx.publish('system/billing', { kind: 'plan' });
}
