// Notifies users when a quota's threshold is crossed and when usage falls below it again, once per period
// each, in the transaction that changed the usage.
import { decimal, decimalText, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import type { KindOf } from '#features/messaging/notifications/rules.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { ownKey, quantityOf } from '#features/metering/usage/rules.ts';
import type { UsageChange } from '#features/metering/usage/server/index.ts';
import type { QuotaStatus } from '../contract.ts';
import { percentUsed, raisedQuota, statusOf, nextNotice, type Thresholds } from '../rules.ts';
import { criticalPercent, warningPercent } from './settings.ts';
import { standings, type Standing } from './standing.ts';
import { booksOf, storeLastNotice } from './store.ts';

/** A current month to check; `quota` is the service's own, before raises. */
type QuotaCheck = {
  readonly subscriptionId: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly month: BillingMonth;
  readonly service: string;
  readonly unit: string;
  readonly quota: Quota;
  readonly used: Decimal;
};

const textKeys = {
  Warning: 'quotas.notice_warning',
  Critical: 'quotas.notice_critical',
  Normal: 'quotas.notice_recovered',
} as const;
const kinds: Record<QuotaStatus, KindOf<'usage'>> = {
  Warning: 'quota.Warning',
  Critical: 'quota.Critical',
  Normal: 'quota.recovered',
};

/** The current threshold percentages. */
export async function thresholdsOf(ctx: Ctx): Promise<Thresholds> {
  return {
    warningPercent: await ctx.setting(warningPercent),
    criticalPercent: await ctx.setting(criticalPercent),
  };
}

/** Checks every changed month that is still current; past months get no notices. */
export async function checkQuota(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const running = changes.filter(
    ({ subscription, month }) => month === monthOf(ctx.now, subscription.timeZone),
  );
  const named = running.filter(
    ({ service: { quota } }) => quota.type !== 'unlimited' && quota.meter !== undefined,
  );
  // A change contains the own meter's quantity; the quantity of another meter, over all values of its
  // dimensions, is read.
  const standing =
    named.length === 0
      ? new Map<string, Standing>()
      : await standings(
          ctx,
          named.map(({ subscription }) => subscription.id),
        );
  for (const each of standing.values()) await checkStanding(ctx, each);
  await checkQuotas(
    ctx,
    running
      .filter((change) => !named.includes(change) && change.meters.some(({ key }) => key === ownKey))
      .map(({ subscription, service, month, rollup }) => ({
        subscriptionId: subscription.id,
        organizationId: subscription.organizationId,
        month,
        service: service.name,
        unit: service.meter.unit,
        quota: service.quota,
        used: quantityOf(rollup, service.meter.aggregation),
      })),
  );
}

/** Checks one subscription after a reservation or a limit changed. */
export async function checkStanding(
  ctx: Ctx,
  { row, quota, used }: Pick<Standing, 'row' | 'quota' | 'used'>,
): Promise<void> {
  await checkQuotas(ctx, [
    {
      subscriptionId: row.id,
      organizationId: row.organizationId,
      month: row.month,
      service: row.serviceName,
      unit: row.unit,
      quota,
      used,
    },
  ]);
}

async function checkQuotas(ctx: Ctx, checks: readonly QuotaCheck[]): Promise<void> {
  const limited = checks.filter((check) => check.quota.type !== 'unlimited');
  if (limited.length === 0) return;
  const bookOf = await booksOf(ctx, limited);
  const thresholds = await thresholdsOf(ctx);
  for (const check of limited) {
    const { lastNotice, reserved, granted } = bookOf(check.subscriptionId, check.month);
    const quota = raisedQuota(check.quota, granted);
    if (quota.type === 'unlimited') continue;
    const limit = decimal(quota.limit);
    const taken = check.used.plus(decimal(reserved));
    const { notify, store } = nextNotice(lastNotice, statusOf(taken, limit, thresholds), limit);
    if (store) await storeLastNotice(ctx, check.subscriptionId, check.month, store);
    if (!notify) continue;
    await postToOrganizations(ctx, [
      {
        organizationId: check.organizationId,
        notice: {
          // Notices are unique by kind, subject and period, so the period includes a granted limit: its
          // thresholds have separate notices.
          kind: kinds[notify],
          type: notify === 'Normal' ? 'info' : 'warning',
          category: 'usage',
          subject: check.subscriptionId,
          period: granted === null ? check.month : `${check.month} ${quota.limit}`,
          textKey: textKeys[notify],
          params: {
            service: check.service,
            percent: percentUsed(taken, limit),
            used: decimalText(taken),
            limit: decimalText(limit),
            unit: check.unit,
          },
          link: '/billing/dashboard',
          otherLinks: ['/dashboard', '/usage/statistics'],
        },
      },
    ]);
  }
}
