// Services that require prepaid credit: metering for an organization stops when no credit is left for a
// service, and resumes when there is some again. What open months will use counts as used. The state is
// stored for metering, which reads it with its cached context; it is recomputed when credit is added, when a
// service starts, and by a job every few seconds.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import { askCreditChecks, type UsageChange } from '#features/metering/usage/server/index.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { coverOf, ownerKey, type Cover, type PrepaidService } from '../rules.ts';
import { publishCredits } from './move-credit.ts';
import { notifyNearlyUsed, notifyUsedUp } from './notices.ts';
import {
  beginCovers,
  endCovers,
  lockCovers,
  prepaidPairs,
  storeCovers,
  usablePaidGrants,
  type CoverRow,
} from './store-cover.ts';
import type { CreditUse, PlannedUse } from './credit-use.ts';

/**
 * The job that recomputes covers. Do not rename: `creditgrants.cover` is stored in the databases of installed
 * consoles.
 */
export const coverName = 'creditgrants.cover';
type PlannedUseOf = CreditUse['plannedUse'];
/** An organization's service that requires prepaid credit, and whether credit is left for it. */
export type Judged = {
  readonly organizationId: Id<'org'>;
  readonly serviceId: Id<'svc'>;
  readonly name: string;
  /** Whether a subscription to it has not ended. */
  readonly isOpen: boolean;
  readonly cover: Cover;
};

/** The usage charges of a service at list price; null stands for the usage of a single price. */
const usageOf = ({ id, pricing, charges }: Service): PrepaidService => ({
  serviceId: id,
  currency: pricing.currency,
  chargeKeys: charges
    .filter(({ kind }) => kind === 'usage')
    .map(({ key }) => (pricing.model === 'rate_card' ? key : null)),
});

const noUse: PlannedUse = new Map();

/**
 * Computes the cover of all services of some organizations that require prepaid credit. Uses a fixed number
 * of statements, whatever the number of organizations; one if none has such a service.
 */
export async function judge(
  ctx: Ctx,
  organizationIds: readonly Id<'org'>[],
  plannedUse: PlannedUseOf,
): Promise<Judged[]> {
  const pairs = await prepaidPairs(ctx, organizationIds);
  if (pairs.length === 0) return [];
  const services = new Map<string, Service>(
    (await servicesByIds(ctx.db, [...new Set(pairs.map(({ serviceId }) => serviceId))], ctx.now)).map(
      (service) => [service.id, service],
    ),
  );
  const grants = await usablePaidGrants(ctx, [...new Set(pairs.map(({ organizationId }) => organizationId))]);
  const owners = [...new Set(grants.map(({ organizationId }) => organizationId))];
  // Without credit, nothing can be used.
  const planned = owners.length === 0 ? noUse : await plannedUse(ctx, owners);
  const left = Map.groupBy(
    grants.map((grant) => ({
      ...grant,
      left:
        grant.left -
        (planned.get(ownerKey(grant.organizationId, grant.currency))?.paidByGrant.get(grant.id) ?? 0n),
    })),
    ({ organizationId }) => organizationId,
  );
  return pairs.map(({ organizationId, serviceId, isOpen }) => {
    const service = required(services.get(serviceId), `service ${serviceId}`);
    return {
      organizationId,
      serviceId,
      name: service.name,
      isOpen,
      cover: coverOf(usageOf(service), left.get(organizationId) ?? []),
    };
  });
}

/** Whether a stored cover matches the computed one, and members were notified. */
export const isSettled = (row: CoverRow, { isCovered, isNearlyUsed }: Cover): boolean =>
  (row.stoppedAt === null) === isCovered &&
  (row.warnedAt !== null) === (isNearlyUsed || !isCovered) &&
  (row.toldAt !== null) === !isCovered;

/** The names of services whose metering stopped or resumed. */
export type CoverChange = { readonly stopped: readonly string[]; readonly resumed: readonly string[] };
const unchanged: CoverChange = { stopped: [], resumed: [] };

/**
 * Recomputes an organization's covers under their lock, stores changes, and notifies members of credit that
 * is used up or nearly used up. Cheap for an organization without such services.
 */
export async function refreshCovers(
  ctx: Ctx,
  organizationId: Id<'org'>,
  plannedUse: PlannedUseOf,
): Promise<CoverChange> {
  const pairs = await prepaidPairs(ctx, [organizationId]);
  if (pairs.length === 0) return unchanged;
  const rows = await lockCovers(
    ctx,
    organizationId,
    pairs.map(({ serviceId }) => serviceId),
  );
  const judged = await judge(ctx, [organizationId], plannedUse);
  const changes = judged.map(({ serviceId, name, isOpen, cover: { isCovered, isNearlyUsed } }) => {
    const row = required(
      rows.find((each) => each.serviceId === serviceId),
      'a locked cover',
    );
    return {
      name,
      row,
      isOpen,
      isNew: row.toldAt === null && row.stoppedAt !== null,
      next: {
        serviceId,
        stoppedAt: isCovered ? null : (row.stoppedAt ?? ctx.now),
        // Used-up credit was nearly used up before; members are no longer notified of that.
        warnedAt: isNearlyUsed || !isCovered ? (row.warnedAt ?? ctx.now) : null,
        toldAt: isCovered ? null : (row.toldAt ?? ctx.now),
      },
    };
  });
  await storeCovers(
    ctx,
    organizationId,
    changes.map(({ next }) => next),
  );
  // Metering of ended subscriptions is not missed; only their late events are checked.
  for (const { name, row, next } of changes.filter(({ isOpen }) => isOpen)) {
    if (next.stoppedAt && !row.toldAt) await notifyUsedUp(ctx, organizationId, { id: next.serviceId, name });
    else if (next.warnedAt && !next.stoppedAt && !row.warnedAt)
      await notifyNearlyUsed(ctx, organizationId, { id: next.serviceId, name });
  }
  const isChanged = changes.some(
    ({ row, next, isNew }) =>
      isNew ||
      (row.stoppedAt === null) !== (next.stoppedAt === null) ||
      (row.warnedAt === null) !== (next.warnedAt === null),
  );
  if (isChanged) {
    publishCredits(ctx, [organizationId]);
    ctx.publish(`org/${organizationId}/usage`, { kind: 'subscription' });
  }
  return {
    stopped: changes.filter(({ row, next }) => next.stoppedAt && !row.toldAt).map(({ name }) => name),
    resumed: changes.filter(({ row, next }) => row.toldAt && !next.stoppedAt).map(({ name }) => name),
  };
}

/**
 * After credit was added or a subscription to another service started: covered usage counts from the commit
 * on.
 */
export const coverAfter =
  (plannedUse: PlannedUseOf) =>
  async (ctx: Ctx, { organizationId }: { readonly organizationId: Id<'org'> }): Promise<void> => {
    await refreshCovers(ctx, organizationId, plannedUse);
  };

/** Handles a service that starts or stops requiring prepaid credit. */
export const coverOfService = (
  ctx: Ctx,
  { serviceId, isRequired }: { readonly serviceId: Id<'svc'>; readonly isRequired: boolean },
): Promise<void> => (isRequired ? beginCovers(ctx, serviceId) : endCovers(ctx, serviceId));

/**
 * After usage was recorded: requests that the remaining credit is recomputed if its service requires prepaid
 * credit. Reads nothing.
 */
export async function checkAfterUsage(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const prepaid = changes.filter(({ service, addOns }) =>
    [service, ...addOns.map((addOn) => addOn.service)].some((each) => each.requiresPrepaidCredit),
  );
  await askCreditChecks(ctx, new Set(prepaid.map(({ subscription }) => subscription.organizationId)));
}
