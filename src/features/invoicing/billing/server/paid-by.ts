// Determines who pays for organizations in a month; most pay for themselves.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { payersOf } from '#features/invoicing/payers/server/index.ts';

export type Payers = {
  /** Returns who pays for an organization; the organization itself by default. */
  readonly ofOrganization: (organization: Organization) => Organization;
  /** Returns who pays for one of its subscriptions or, given null, for lines without one. */
  readonly ofSubscription: (organization: Organization, subscriptionId: string | null) => Organization;
  /** All payers. */
  readonly all: readonly Organization[];
  /** Equal for equal assignments of payers. */
  readonly stamp: string;
};

/**
 * Returns who pays for some organizations and their subscriptions in a month. Changes are blocked while the
 * month's series is locked.
 */
export async function payersOfMonth(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<Payers> {
  const set = await payersOf(
    ctx,
    organizations.map(({ id }) => id),
    month,
  );
  const payerIds = [...new Set([...set.organizations.values(), ...set.subscriptions.values()])];
  const found = new Map(
    (payerIds.length === 0 ? [] : await organizationsByIds(ctx, payerIds)).map((payer) => [payer.id, payer]),
  );
  const named = (payerId: Id<'org'> | undefined, otherwise: Organization): Organization =>
    payerId === undefined ? otherwise : required(found.get(payerId), 'a payer');
  const ofOrganization = (organization: Organization): Organization =>
    named(set.organizations.get(organization.id), organization);
  return {
    ofOrganization,
    ofSubscription: (organization, subscriptionId) =>
      named(
        subscriptionId === null ? undefined : set.subscriptions.get(subscriptionId),
        ofOrganization(organization),
      ),
    all: [
      ...new Map(
        [...organizations.map(ofOrganization), ...found.values()].map((each) => [each.id, each]),
      ).values(),
    ],
    stamp: JSON.stringify([...set.organizations, ...set.subscriptions]),
  };
}
