// The functions that credit grants need from features that depend on them; the app passes them in.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SpendableBalance } from './give-grant.ts';

/**
 * What bills of open months (the current one, and earlier ones that are not issued yet) will use of grants,
 * in minor units, by `ownerKey`. The app provides it, because billing depends on credit grants.
 */
export type PlannedOfOwner = {
  readonly paid: bigint;
  readonly promotional: bigint;
  /** Each grant's part of `paid`, by its id. */
  readonly paidByGrant: ReadonlyMap<string, bigint>;
};
export type PlannedUse = ReadonlyMap<string, PlannedOfOwner>;
/** The functions that credit grants need from features that depend on them; the app passes them in. */
export type CreditUse = {
  readonly spendableBalance: SpendableBalance;
  readonly plannedUse: (ctx: Ctx, organizationIds: readonly Id<'org'>[]) => Promise<PlannedUse>;
};
