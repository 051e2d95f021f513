// Quota state as readers and gateways ask for it.
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText, zero } from '#kernel/decimal.ts';
import { refuse } from '#kernel/refusal.ts';
import { addDays, dayOf, daysBetween, monthOf, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { servicesMap } from '#features/catalogue/server/index.ts';
import { acceptsUsageAt } from '#features/subscriptions/rules.ts';
import { subscriptionById } from '#features/subscriptions/server/index.ts';
import { meteredOf, usedNow, type Metered } from '#features/usage/server/index.ts';
import { quotaStatuses, quotasErrors, type QuotaList, type quotas, type QuotaState } from '../contract.ts';
import { percentUsed, runsOutInDays, statusOf, type Thresholds } from '../rules.ts';
import { criticalPercent, warningPercent } from './settings.ts';

function stateOf(ctx: Ctx, { subscription, service }: Metered, usedText: string, thresholds: Thresholds): QuotaState | undefined {
  if (service.quota.type === 'unlimited') return undefined;
  const zone = subscription.timeZone;
  const period = monthPeriod(monthOf(ctx.now, zone), zone);
  const today = dayOf(ctx.now, zone);
  const first = dayOf(subscription.startedAt > period.start ? subscription.startedAt : period.start, zone);
  const daysLeft = daysBetween(today, dayOf(period.end, zone)) - 1;
  const used = decimal(usedText);
  const limit = decimal(service.quota.limit);
  const byUse = statusOf(used, limit, thresholds);
  const runsOut = runsOutInDays(used, limit, daysBetween(first, today) + 1, daysLeft);
  return {
    subscriptionId: subscription.id, serviceName: service.name, unit: service.meter.unit, type: service.quota.type, used: decimalText(used), limit: decimalText(limit),
    percent: percentUsed(used, limit),
    // Critical too when the present pace runs out before the reset (domain.md, "States").
    status: runsOut !== undefined ? 'Critical' : byUse, runsOutOn: runsOut === undefined ? null : addDays(today, runsOut), resetsAt: period.end,
  };
}

const severity = (state: QuotaState): number => quotaStatuses.indexOf(state.status);

/** Quota state of every running subscription with a limit, worst first. */
export async function listQuotas(ctx: Ctx): Promise<QuotaList> {
  const thresholds = { warningPercent: await ctx.setting(warningPercent), criticalPercent: await ctx.setting(criticalPercent) };
  const metered = (await meteredOf(ctx, tenant(ctx))).filter((each) => acceptsUsageAt(each.subscription, ctx.now));
  const used = await usedNow(ctx, metered.map((each) => each.subscription));
  const items = metered.flatMap((each) => stateOf(ctx, each, used.get(each.subscription.id) ?? '0', thresholds) ?? [])
    .toSorted((a, b) => severity(b) - severity(a) || b.percent - a.percent || a.serviceName.localeCompare(b.serviceName));
  const average = items.length === 0 ? null : Math.round((items.reduce((sum, item) => sum + item.percent, 0) / items.length) * 10) / 10;
  return { items, averagePercent: average, ...thresholds };
}

/** Whether a subscription may be used further: a hard limit that is used up says no. */
export async function entitlement(ctx: Ctx, input: In<typeof quotas.entitlement>): Promise<Out<typeof quotas.entitlement>> {
  const organizationId = ctx.actor.kind === 'apiKey' ? ctx.actor.organizationId : tenant(ctx);
  const subscription = await subscriptionById(ctx.db, input.subscriptionId, organizationId);
  if (!subscription) throw refuse(quotasErrors, 'quotas.subscription_not_found');
  const service = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  const used = decimal((await usedNow(ctx, [subscription])).get(subscription.id) ?? '0');
  const resetsAt = monthPeriod(monthOf(ctx.now, subscription.timeZone), subscription.timeZone).end;
  const running = acceptsUsageAt(subscription, ctx.now);
  if (service.quota.type === 'unlimited') return { allowed: running, used: decimalText(used), limit: null, remaining: null, resetsAt };
  const left = decimal(service.quota.limit).minus(used);
  const allowed = running && (service.quota.type === 'soft' || left.gt(zero));
  return { allowed, used: decimalText(used), limit: service.quota.limit, remaining: decimalText(left.gt(zero) ? left : zero), resetsAt };
}
