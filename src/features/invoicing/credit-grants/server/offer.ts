// The terms on which customers buy credit: an operator's setting, off until an Admin turns it on.
import type { In } from '#kernel/contract.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { CreditOffer, type creditgrants } from '../contract.ts';
import { scopeOf } from '../rules.ts';
import { assertCharges, assertServices } from './give-grant.ts';

const offerSetting = setting<CreditOffer>('creditgrants.offer', CreditOffer, {
  isOn: false,
  services: null,
  usageOnly: false,
  months: null,
});

export async function creditOffer(ctx: Ctx): Promise<CreditOffer> {
  return ctx.setting(offerSetting);
}

export async function setCreditOffer(
  ctx: Ctx,
  input: In<typeof creditgrants.setCreditOffer>,
): Promise<CreditOffer> {
  await assertServices(ctx, input.services, 'services');
  await assertCharges(ctx, scopeOf(input), 'charges');
  ctx.audit('creditgrants.setCreditOffer', undefined, { before: await creditOffer(ctx), after: input });
  await storeSetting(ctx.db, offerSetting, input, ctx.now, person(ctx).userId);
  return input;
}
