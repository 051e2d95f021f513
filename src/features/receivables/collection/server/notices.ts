// Notices of collection, each sent once: declines with what follows, and cards that expire.
import { money, moneyText } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { Stop } from '../contract.ts';
import type { enUS } from '../locales/enUS.ts';
import { stepOf } from './charge-card.ts';
import type { StoredAttempt } from './store-attempts.ts';
import type { StoredCard } from './store.ts';

type Key = keyof typeof enUS & `collection.notice_${string}`;
const keyOfStop = {
  confirm: 'collection.notice_confirm',
  declined: 'collection.notice_stopped',
  given_up: 'collection.notice_given_up',
  refused: 'collection.notice_stopped',
  steps: 'collection.notice_steps',
} as const satisfies Record<Stop, Key>;

/** Notifies that a bill could not be charged, with the day of the next attempt or the required action. */
export async function notifyFailed(
  ctx: Ctx,
  attempt: StoredAttempt,
  next: { nextAt: Date } | { stopped: Stop },
): Promise<void> {
  const textKey: Key = 'nextAt' in next ? 'collection.notice_declined' : keyOfStop[next.stopped];
  await postToOrganizations(ctx, [
    {
      organizationId: attempt.organizationId,
      notice: {
        kind:
          'nextAt' in next
            ? 'collection.declined'
            : next.stopped === 'confirm'
              ? 'collection.confirm'
              : 'collection.stopped',
        type: 'warning',
        category: 'billing',
        subject: attempt.billId,
        period: String(attempt.number),
        textKey,
        params: {
          ...paramsOf(ctx, attempt),
          ...('nextAt' in next && { date: dayOf(next.nextAt, attempt.timeZone) }),
        },
        link: `/billing/management?month=${attempt.month}`,
      },
    },
  ]);
  // The customer cannot resolve this with another card of the same provider, so Admins know, too.
  if ('stopped' in next && next.stopped === 'steps')
    await postToAdmins(ctx, {
      kind: 'collection.stopped',
      type: 'warning',
      category: 'billing',
      subject: attempt.billId,
      period: String(attempt.number),
      textKey: 'collection.notice_steps_admin' satisfies Key,
      params: paramsOf(ctx, attempt),
      link: `/admin/billing?bill=${attempt.billId}`,
    });
}

const paramsOf = ({ app }: Ctx, { billNumber, amount, last4, provider }: StoredAttempt) => ({
  number: billNumber,
  amount: moneyText(amount),
  currency: amount.currency,
  last4,
  step: moneyText(money(stepOf(app, provider, amount.currency), amount.currency)),
});

/** Notifies that default cards are about to expire. */
export async function notifyExpiring(
  ctx: Ctx,
  cards: readonly (StoredCard & { readonly lastDay: LocalDay })[],
): Promise<void> {
  await postToOrganizations(
    ctx,
    cards.map((card) => ({
      organizationId: card.organizationId,
      notice: {
        kind: 'card.expiring',
        type: 'warning',
        category: 'billing',
        subject: card.id,
        period: card.lastDay,
        textKey: 'collection.notice_expiring' satisfies Key,
        params: { last4: card.last4, date: card.lastDay },
        link: '/billing/management',
      },
    })),
  );
}

/** Makes every screen that shows cards or bills reload. */
export function publishCollection(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish(`org/${organizationId}/bills`, { kind: 'collection' });
  ctx.publish('system/billing', { kind: 'collection' });
}
