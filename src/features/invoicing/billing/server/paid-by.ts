// Who pays for organizations in a month: most of them for themselves.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { payersOf } from '#features/invoicing/payers/server/index.ts';

export type Payers = {
  /** Who pays for an organization; itself where nobody else does. */
  readonly ofOrganization: (organization: Organization) => Organization;
  /** Who pays for one of its subscriptions, or with null for what is of none. */
  readonly ofSubscription: (organization: Organization, subscriptionId: string | null) => Organization;
  /** Everybody who pays for something. */
  readonly all: readonly Organization[];
  /** Equal where the same pay for the same. */
  readonly stamp: string;
};

/** Who pays for some organizations and their subscriptions in a month. A change waits while the month's series is locked. */
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
