// Notices of automatic top-ups: a declined card, and a reached cap.
import { moneyText, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { KindOf } from '#features/messaging/notifications/rules.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { TopUpStop } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';
import type { TopUpAttempt } from './store.ts';

type Key = keyof typeof enUS & `topups.notice_${string}`;

async function post(
  ctx: Ctx,
  organizationId: Id<'org'>,
  notice: {
    kind: KindOf<'billing'>;
    subject: string;
    period: string;
    textKey: Key;
    amount: Money;
    last4?: string;
  },
): Promise<void> {
  const { kind, subject, period, textKey, amount, last4 } = notice;
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind,
        type: 'warning',
        category: 'billing',
        subject,
        period,
        textKey,
        params: {
          amount: moneyText(amount),
          currency: amount.currency,
          ...(last4 !== undefined && { last4 }),
        },
        link: '/billing/management',
      },
    },
  ]);
}

const noticeOf = {
  confirm: 'topups.notice_confirm',
  declined: 'topups.notice_stopped',
  refused: 'topups.notice_stopped',
  disputed: 'topups.notice_disputed',
} as const satisfies Record<TopUpStop, Key>;

/** Notifies that a card was declined, or a charge disputed, and charging is stopped until a user resolves it; once per attempt. */
export const notifyStopped = (ctx: Ctx, attempt: TopUpAttempt, stop: TopUpStop): Promise<void> =>
  post(ctx, attempt.organizationId, {
    kind: 'topup.stopped',
    subject: attempt.paymentId,
    period: '',
    textKey: noticeOf[stop],
    amount: attempt.amount,
    last4: attempt.last4,
  });

/** Notifies that the cap leaves no room for a top-up; once a month per cap. */
export const notifyCapped = (ctx: Ctx, organizationId: Id<'org'>, cap: Money, month: string): Promise<void> =>
  post(ctx, organizationId, {
    kind: 'topup.capped',
    subject: organizationId,
    period: `${month} ${cap.currency} ${cap.minor}`,
    textKey: 'topups.notice_capped',
    amount: cap,
  });

/** Makes every screen that shows the balance or automatic top-ups reload. */
export function publishTopUps(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish(`org/${organizationId}/bills`, { kind: 'collection' });
  ctx.publish('system/billing', { kind: 'collection' });
}
