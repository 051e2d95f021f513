// The public API of payers: their routes, and who pays for a month.
import type { In, Out } from '#kernel/contract.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { payers, payersErrors } from '../contract.ts';
import { setPayer, setPayerBilling, setSubscriptionPayer, type HoldMonths } from './set-payer.ts';
import { lockOrganizations, pageOfPayers, payersAround, paysSince } from './store.ts';
import { pageOfSubscriptionPayers } from './store-subscriptions.ts';

/** Creates the feature's server side; the app passes in how months are locked. */
export function payersFeature({ holdMonths }: { readonly holdMonths: HoldMonths }): Feature {
  return feature({
    name: 'payers',
    contract: payers,
    errors: payersErrors,
    verbs: {
      listPayers: (ctx: Ctx, input: In<typeof payers.listPayers>): Promise<Out<typeof payers.listPayers>> =>
        pageOfPayers(ctx, input),
      setPayer: setPayer(holdMonths),
      listSubscriptionPayers: (
        ctx: Ctx,
        input: In<typeof payers.listSubscriptionPayers>,
      ): Promise<Out<typeof payers.listSubscriptionPayers>> => pageOfSubscriptionPayers(ctx, input),
      setSubscriptionPayer: setSubscriptionPayer(holdMonths),
      setPayerBilling: setPayerBilling(holdMonths),
      ownPayers: (ctx: Ctx): Promise<Out<typeof payers.ownPayers>> => payersAround(ctx, tenant(ctx)),
    },
    jobs: [],
  });
}

/** Whether an organization pays for others now or later; blocks additions until the unit of work ends. */
export async function paysForOthers(ctx: Ctx, organizationId: string): Promise<boolean> {
  await lockOrganizations(ctx, [organizationId]);
  // A month may still be current in one time zone when it is over in another.
  return paysSince(ctx, organizationId, addMonths(monthOf(ctx.now, 'UTC'), -1));
}

export { assertNoMistake, changePayer, type HoldMonths } from './set-payer.ts';
export { refusePaidPlan, refuseWherePaid } from './needs-credit.ts';
export { lockOrganizations } from './store.ts';
export { hasPaidSubscriptionsSince, subscriptionPayersNow } from './store-subscriptions.ts';
export { consolidatedOf, paidForBy, paidTogether, payersNow, payersOf } from './store.ts';
