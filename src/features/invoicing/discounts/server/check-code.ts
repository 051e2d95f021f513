// What a promo code gives, before it is redeemed.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import type { Estimate } from '#features/selling/catalogue/contract.ts';
import { estimate, getService } from '#features/selling/catalogue/server/index.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CheckedCode, discounts } from '../contract.ts';
import { reducedEstimate } from '../rules.ts';
import { guarded } from './guesses.ts';
import { assertFits, findByCode } from './redeem.ts';
import { shownTerms, termsText } from './view.ts';

/** What a code gives the caller's organization, and what it makes of an estimate; throws why it is refused. */
export async function checkCode(ctx: Ctx, input: In<typeof discounts.checkCode>): Promise<CheckedCode> {
  const organizationId = tenant(ctx);
  return guarded(organizationId, async () => {
    const discount = await findByCode(ctx, input.code, { organizationId }, 'code', false);
    const estimated = await estimateOf(ctx, input);
    if (input.serviceId !== undefined)
      await assertFits(discount, await getService(ctx, { serviceId: input.serviceId }), 'code');
    const terms = (await shownTerms(ctx, [discount]))(discount);
    return {
      code: required(discount.code, 'the code that found the discount'),
      ...terms,
      terms: termsText(ctx, terms),
      estimate:
        estimated === null || input.serviceId === undefined
          ? null
          : toOutput(
              reducedEstimate(estimated, input.serviceId, {
                ...discount,
                scope: { subscriptionId: null, services: discount.scope },
              }),
            ),
    };
  });
}

const toOutput = ({
  lines,
  ...sums
}: ReturnType<typeof reducedEstimate>): NonNullable<CheckedCode['estimate']> => ({
  ...sums,
  lines: [...lines],
});

const estimateOf = async (
  ctx: Ctx,
  { serviceId, estimate: asked }: In<typeof discounts.checkCode>,
): Promise<Estimate | null> =>
  serviceId === undefined || asked === undefined ? null : estimate(ctx, { serviceId, ...asked });
