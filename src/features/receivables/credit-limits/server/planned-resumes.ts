// Keeps a service paused whose pause comes to its planned end at a credit limit, and tells why.
import { required } from '#kernel/assert.ts';
import { moneyText } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import type { ResumeDue } from '#features/selling/subscriptions/server/index.ts';
import { reachedLimit, type Reached } from './assert-limits.ts';

/** Checks a planned resume like one by request; if the limit does not allow it, notifies members and Admins. */
export async function keepPausedAtLimit(ctx: Ctx, due: ResumeDue): Promise<void> {
  const reached = await reachedLimit(ctx, due, due.when);
  if (!reached) return;
  due.keepPaused();
  await tell(ctx, due, reached);
}

async function tell(
  ctx: Ctx,
  { organizationId, subscriptionId, serviceId }: ResumeDue,
  { owingId, limit }: Reached,
): Promise<void> {
  const { name: service } = required(await serviceById(ctx, serviceId), 'the service of a subscription');
  const names = new Map(
    (await organizationsByIds(ctx, [organizationId, owingId])).map(({ id, name }) => [id, name]),
  );
  const figures = { limit: moneyText(limit), currency: limit.currency };
  const notice = {
    type: 'warning',
    category: 'billing',
    subject: subscriptionId,
    period: ctx.now.toISOString(),
  } as const;
  const seller = await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        ...notice,
        kind: 'creditlimit.kept_paused',
        link: '/cloud-service/management',
        // The payer's debts must not be disclosed, and a reseller's customer must not learn of its seller's.
        ...(owingId === organizationId
          ? { textKey: 'creditlimits.notice_kept_paused', params: { service, ...figures } }
          : seller
            ? { textKey: 'creditlimits.notice_kept_paused_seller', params: { service, seller: seller.name } }
            : { textKey: 'creditlimits.notice_kept_paused_payer', params: { service } }),
      },
    },
  ]);
  await postToAdmins(ctx, {
    ...notice,
    kind: 'creditlimit.customer',
    textKey: 'creditlimits.notice_kept_paused_customer',
    params: {
      service,
      name: names.get(organizationId) ?? '',
      owing: names.get(owingId) ?? '',
      ...figures,
    },
    link: `/admin/organizations?organization=${organizationId}`,
  });
}
