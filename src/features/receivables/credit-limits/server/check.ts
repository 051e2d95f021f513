// Compares outstanding amounts with the limits, stores the result for lists, and notifies members and Admins
// once per crossing.
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { secondsCache } from '#platform/server/database/cached-reads.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import type { IssuedBill, LoweredBills } from '#features/invoicing/billing/server/index.ts';
import { postToAdmins, postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { payersNow, subscriptionPayersNow } from '#features/invoicing/payers/server/index.ts';
import type { UsageChange } from '#features/metering/usage/server/index.ts';
import type { CreditLevel } from '../contract.ts';
import { isWorse, levelOf, noExposure, usedOf } from '../rules.ts';
import { exposuresOf } from './exposure.ts';
import {
  isAnySet,
  limits,
  lockStates,
  organizationsOfBills,
  organizationsToCheck,
  storeStates,
  withLimits,
} from './store.ts';

const actor = { kind: 'system', name: 'credit-limits' } as const;
const checkName = 'credit-limits.check';
/** The number of organizations checked together, and the maximum per run. */
const atOnce = 50;
const eachRun = 1000;
/** Organizations checked within this time are skipped. */
const freshMs = 4 * 60_000;

/** Compares some organizations with their limits. */
export async function checkLimits(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<void> {
  const before = await lockStates(ctx, organizationIds);
  const inForce = await limits.inForce(ctx, organizationIds);
  if (inForce.size === 0 && before.length === 0) return storeStates(ctx, organizationIds, []);
  const limited = organizationIds.filter((id) => inForce.has(id));
  const exposures = await exposuresOf(ctx, limited);
  const found = limited.flatMap((organizationId) =>
    (inForce.get(organizationId) ?? []).map(({ amount: limit }) => {
      const used = usedOf(exposures.get(organizationId)?.get(limit.currency) ?? noExposure);
      const level = levelOf(used, limit.minor);
      const last = before.find(
        (each) => each.organizationId === organizationId && each.currency === limit.currency,
      );
      const isSame = last?.level === level;
      return {
        organizationId,
        currency: limit.currency,
        used,
        limit: limit.minor,
        level,
        since: isSame ? last.since : ctx.now,
        isWorse: isWorse(level, last?.level ?? 'within'),
        isSame,
      };
    }),
  );
  await storeStates(ctx, organizationIds, found);
  const crossed = found.filter((each) => each.isWorse);
  const names =
    crossed.length === 0
      ? new Map<string, string>()
      : new Map<string, string>(
          (await organizationsByIds(ctx, limited)).map(({ id, name }) => [id, name] as const),
        );
  for (const { organizationId, currency, level, used, limit } of crossed)
    await tell(ctx, level, {
      organizationId,
      name: names.get(organizationId) ?? '',
      used: money(used, currency),
      limit: money(limit, currency),
    });
  for (const organizationId of new Set(
    found.filter((each) => !each.isSame).map((each) => each.organizationId),
  ))
    ctx.publish(`org/${organizationId}/bills`, { kind: 'credit-limit' });
}

type Told = {
  readonly organizationId: Id<'org'>;
  readonly name: string;
  readonly used: Money;
  readonly limit: Money;
};

async function tell(ctx: Ctx, level: CreditLevel, told: Told): Promise<void> {
  const { organizationId, name, used, limit } = told;
  const isReached = level === 'reached';
  const notice = {
    type: 'warning',
    category: 'billing',
    subject: `${organizationId} ${limit.currency}`,
    // A crossing is notified once; after the level fell, the next one is a new crossing.
    period: `${level} ${ctx.now.toISOString()}`,
    params: {
      name,
      amount: moneyText(used),
      currency: limit.currency,
      limit: moneyText(limit),
    },
  } as const;
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        ...notice,
        kind: isReached ? 'creditlimit.reached' : 'creditlimit.near',
        textKey: isReached ? 'creditlimits.notice_reached' : 'creditlimits.notice_near',
        link: '/billing/management',
      },
    },
  ]);
  if (isReached)
    await postToAdmins(ctx, {
      ...notice,
      kind: 'creditlimit.customer',
      textKey: 'creditlimits.notice_customer',
      link: `/admin/organizations?organization=${organizationId}`,
    });
}

/**
 * The organizations to check when an organization's usage or bills change: itself or its payer, and the
 * payers of its single subscriptions, as far as they have a limit. A new limit is compared with usage
 * recorded a few seconds later.
 */
const limited = secondsCache<readonly Id<'org'>[]>();

/**
 * Whether any limit exists: most installations have none, and usage then costs only an occasional short
 * query.
 */
const anyLimit = secondsCache<boolean>();
async function hasAnyLimit(ctx: Ctx): Promise<boolean> {
  const cache = anyLimit(ctx.app);
  const known = cache.get('');
  if (known !== undefined) return known;
  const found = await isAnySet(ctx);
  cache.set('', found);
  return found;
}

async function ask(ctx: Ctx, organizationIds: Iterable<Id<'org'>>): Promise<void> {
  if (!(await hasAnyLimit(ctx))) return;
  const cache = limited(ctx.app);
  const ids = [...new Set(organizationIds)];
  const unknown = ids.filter((id) => cache.get(id) === undefined);
  if (unknown.length > 0) {
    const payers = await payersNow(ctx, unknown);
    const ofSubscriptions = await subscriptionPayersNow(ctx, unknown);
    const payersOf = (id: Id<'org'>): Id<'org'>[] => [
      payers.get(id) ?? id,
      ...ofSubscriptions.flatMap(({ organizationId, payerId }) => (organizationId === id ? payerId : [])),
    ];
    const found = await withLimits(ctx, unknown.flatMap(payersOf));
    for (const id of unknown)
      cache.set(
        id,
        payersOf(id).filter((payerId) => found.has(payerId)),
      );
  }
  for (const organizationId of new Set(ids.flatMap((id) => cache.get(id) ?? [])))
    await ctx.enqueue(checkName, { organizationId }, organizationId);
}

/** After usage was recorded, enqueues checks of the organizations with limits. */
export const askAfterUsage = (ctx: Ctx, changes: readonly UsageChange[]): Promise<void> =>
  ask(
    ctx,
    changes.map((change) => change.subscription.organizationId),
  );
/** After bills were issued. */
export const askAfterIssue = (ctx: Ctx, bills: readonly IssuedBill[]): Promise<void> =>
  ask(
    ctx,
    bills.map((bill) => bill.organizationId),
  );
/** After bills were paid, credited or voided. */
export const askAfterLowered = async (ctx: Ctx, { billIds }: LoweredBills): Promise<void> =>
  ask(ctx, await organizationsOfBills(ctx, billIds));
/** After a subscription started or changed. */
export const askAfterMore = (
  ctx: Ctx,
  { organizationId }: { readonly organizationId: Id<'org'> },
): Promise<void> => ask(ctx, [organizationId]);

export const checkLimitsJob: Job = job<{ organizationId: Id<'org'> }>({
  name: checkName,
  run: async (app, { organizationId }) => {
    await unitOfWork(app, { actor }, (ctx) => checkLimits(ctx, [organizationId]));
  },
});

/** Outstanding amounts also change over time: fees start, top-ups arrive, limits are set. */
export const sweepLimitsJob: Job = job({
  name: 'credit-limits.sweep',
  schedule: '*/5 * * * *',
  run: async (app, _payload, signal) => {
    for (let looked = 0; looked < eachRun && !signal.aborted; looked += atOnce) {
      const count = await unitOfWork(app, { actor }, async (ctx) => {
        const ids = await organizationsToCheck(ctx, new Date(ctx.now.getTime() - freshMs), atOnce);
        if (ids.length > 0) await checkLimits(ctx, ids);
        return ids.length;
      });
      if (count < atOnce) return;
    }
  },
});
