// What credit grants need of features to the right, which the app passes in.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SpendableBalance } from './give-grant.ts';

/**
 * What bills of open months (the running one, and earlier ones that are not issued yet) will use of grants, in minor
 * units, by `ownerKey`. The app provides it, because bills are to the right.
 */
export type PlannedOfOwner = {
  readonly paid: bigint;
  readonly promotional: bigint;
  /** Of `paid` the part of each grant, by its id. */
  readonly paidByGrant: ReadonlyMap<string, bigint>;
};
export type PlannedUse = ReadonlyMap<string, PlannedOfOwner>;
/** What credit grants need of features to the right, which the app passes in. */
export type CreditUse = {
  readonly spendableBalance: SpendableBalance;
  readonly plannedUse: (ctx: Ctx, organizationIds: readonly Id<'org'>[]) => Promise<PlannedUse>;
};
