// Returns whether metering of the caller's services that require prepaid credit continues.
import type { Out } from '#kernel/contract.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { creditgrants } from '../contract.ts';
import { creditOffer } from './offer.ts';
import { prepaidSubscriptions } from './store-cover.ts';

export async function creditCover(ctx: Ctx): Promise<Out<typeof creditgrants.creditCover>> {
  return {
    items: await prepaidSubscriptions(ctx, tenant(ctx)),
    isSold: (await creditOffer(ctx)).isOn,
  };
}
