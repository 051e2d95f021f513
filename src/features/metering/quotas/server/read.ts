// The state of quotas for API readers and gateways.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText, zero } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { addDays, dayOf, daysBetween, monthOf, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { meteredOf, type Metered } from '#features/metering/usage/server/index.ts';
import { quotaStatuses, type QuotaList, type quotas, type QuotaState } from '../contract.ts';
import { percentUsed, raisedQuota, remainingOf, runsOutInDays, statusOf, type Thresholds } from '../rules.ts';
import { thresholdsOf } from './check-quota.ts';
import { requireStanding, scopeOf, standings, type Standing } from './standing.ts';
import { raisesAndReservationsOf, type RaisesAndReservations } from './store-raises.ts';

function stateOf(
  ctx: Ctx,
  { subscription, service }: Metered,
  { row, quota, used }: Standing,
  besides: RaisesAndReservations | undefined,
  thresholds: Thresholds,
): QuotaState | undefined {
  if (quota.type === 'unlimited') return undefined;
  const zone = subscription.timeZone;
  const period = monthPeriod(monthOf(ctx.now, zone), zone);
  const today = dayOf(ctx.now, zone);
  const first = dayOf(subscription.startedAt > period.start ? subscription.startedAt : period.start, zone);
  const daysLeft = daysBetween(today, dayOf(period.end, zone)) - 1;
  const reserved = decimal(besides?.reserved ?? '0');
  const taken = used.plus(reserved);
  const limit = decimal(quota.limit);
  const byUse = statusOf(taken, limit, thresholds);
  const runsOut = taken.gte(limit) ? 0 : runsOutInDays(used, limit, daysBetween(first, today) + 1, daysLeft);
  return {
    subscriptionId: subscription.id,
    serviceName: service.name,
    unit: row.unit,
    type: quota.type,
    used: decimalText(used),
    reserved: decimalText(reserved),
    limit: decimalText(limit),
    percent: percentUsed(taken, limit),
    // Also critical if the limit is used up before the reset at the current pace (domain.md, "States").
    status: runsOut !== undefined ? 'Critical' : byUse,
    runsOutOn: runsOut === undefined ? null : addDays(today, runsOut),
    resetsAt: period.end,
    raise: besides?.open ?? null,
  };
}

const severity = (state: QuotaState): number => quotaStatuses.indexOf(state.status);
const running = (ctx: Ctx, rows: readonly SubscriptionRow[]) =>
  rows.map((row) => ({ id: row.id, month: monthOf(ctx.now, row.timeZone) }));

/** Returns the quota state of every running subscription with a limit, worst first. */
export async function listQuotas(ctx: Ctx): Promise<QuotaList> {
  return quotasOf(ctx, tenant(ctx));
}

/** The same for any organization. */
export async function quotasOf(ctx: Ctx, organizationId: Id<'org'>): Promise<QuotaList> {
  const thresholds = await thresholdsOf(ctx);
  const metered = (await meteredOf(ctx, organizationId)).filter(
    ({ service, subscription }) =>
      service.quota.type !== 'unlimited' && acceptsUsageAt(subscription, ctx.now),
  );
  const subscriptions = metered.map((each) => each.subscription);
  const standing = await standings(
    ctx,
    subscriptions.map(({ id }) => id),
  );
  const besides = await raisesAndReservationsOf(ctx, running(ctx, subscriptions));
  const items = metered
    .flatMap(
      (each) =>
        stateOf(
          ctx,
          each,
          required(standing.get(each.subscription.id), 'the standing'),
          besides.get(each.subscription.id),
          thresholds,
        ) ?? [],
    )
    .toSorted(
      (a, b) =>
        severity(b) - severity(a) || b.percent - a.percent || a.serviceName.localeCompare(b.serviceName),
    );
  const average =
    items.length === 0
      ? null
      : Math.round((items.reduce((sum, item) => sum + item.percent, 0) / items.length) * 10) / 10;
  return { items, averagePercent: average, ...thresholds };
}

/**
 * Returns whether a subscription may continue to be used: not if a hard limit is used up or fully reserved.
 */
export async function entitlement(
  ctx: Ctx,
  input: In<typeof quotas.entitlement>,
): Promise<Out<typeof quotas.entitlement>> {
  const { row, quota, used, reserved, isRunning } = await requireStanding(
    ctx,
    input.subscriptionId,
    scopeOf(ctx),
  );
  const resetsAt = monthPeriod(row.month, row.timeZone).end;
  const left = remainingOf(quota, { used, reserved });
  // If the service requires prepaid credit and none is left, events are rejected whatever the limit allows.
  const isMetered = isRunning && !row.isStopped;
  if (left === null || quota.type === 'unlimited')
    return { allowed: isMetered, used: decimalText(used), limit: null, remaining: null, resetsAt };
  return {
    allowed: isMetered && (quota.type === 'soft' || left.gt(zero)),
    used: decimalText(used),
    limit: quota.limit,
    remaining: decimalText(left),
    resetsAt,
  };
}

/** Returns subscriptions' quotas including raises, for columns of lists. */
export async function quotasNow(
  ctx: Ctx,
  rows: readonly SubscriptionRow[],
): Promise<(subscriptionId: string, quota: Quota) => Quota> {
  const besides = await raisesAndReservationsOf(ctx, running(ctx, rows));
  return (subscriptionId, quota) => raisedQuota(quota, besides.get(subscriptionId)?.granted);
}
