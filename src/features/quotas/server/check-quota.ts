// Crossing a threshold: told once a period, in the unit of work that recorded the usage.
import { decimal, decimalText } from '#kernel/decimal.ts';
import { monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { postToOrganizations } from '#features/notifications/server/index.ts';
import { quantityOf } from '#features/usage/rules.ts';
import type { UsageChange } from '#features/usage/server/index.ts';
import { crossing, percentUsed, statusOf } from '../rules.ts';
import { criticalPercent, warningPercent } from './settings.ts';
import { announcedStatuses, keepAnnounced } from './store.ts';

/** Looks at every month that changed; past months are history and warn nobody. */
export async function checkQuota(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const limited = changes.filter(({ service, subscription, month }) => service.quota.type !== 'unlimited' && month === monthOf(ctx.now, subscription.timeZone));
  if (limited.length === 0) return;
  const announced = await announcedStatuses(ctx, limited.map(({ subscription, month }) => ({ subscriptionId: subscription.id, month })));
  const thresholds = { warningPercent: await ctx.setting(warningPercent), criticalPercent: await ctx.setting(criticalPercent) };
  for (const { subscription, service, month, rollup } of limited) {
    if (service.quota.type === 'unlimited') continue;
    const used = quantityOf(rollup, service.meter.aggregation);
    const limit = decimal(service.quota.limit);
    const crossed = crossing(announced.get(`${subscription.id} ${month}`) ?? 'Normal', statusOf(used, limit, thresholds));
    if (!crossed) continue;
    await keepAnnounced(ctx, subscription.id, month, crossed);
    await postToOrganizations(ctx, [{ organizationId: subscription.organizationId, notice: {
      kind: `quota.${crossed}`, type: 'warning', category: 'usage', subject: subscription.id, period: month,
      textKey: crossed === 'Critical' ? 'quotas.notice_critical' : 'quotas.notice_warning',
      params: { service: service.name, percent: percentUsed(used, limit), used: decimalText(used), limit: decimalText(limit), unit: service.meter.unit }, link: '/billing/dashboard',
    } }]);
  }
}
