// Shows what a promo code grants before it is redeemed.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { sumMoney, type Money } from '#kernel/money.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { estimate, getService } from '#features/selling/catalogue/server/index.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CheckedCode, discounts } from '../contract.ts';
import { estimatedLines, type DiscountInForce } from '../rules.ts';
import { guarded } from './guesses.ts';
import { assertFits, findByCode } from './redeem.ts';
import type { DiscountRow } from './store.ts';
import { shownTerms, termsText } from './view.ts';

type Line = { readonly chargeKey: string | null; readonly amount: Money };
/**
 * Returns the effect of a code on a service's estimated month on the organization's bill, next to its other
 * lines and discounts, in the lines' order. Billing implements it; the app passes it in.
 */
export type ReduceMonth = (
  ctx: Ctx,
  organizationId: Id<'org'>,
  asked: {
    readonly service: {
      readonly subscriptionId: string;
      readonly serviceId: string;
      readonly serviceName: string;
    };
    readonly lines: readonly Line[];
    readonly code: DiscountInForce;
  },
) => Promise<{ readonly before: readonly Money[]; readonly after: readonly Money[]; readonly saved: Money }>;

/**
 * Returns what a code grants the caller's organization, and its effect on an estimate; throws the reason for
 * a refusal.
 */
export const checkCode =
  (reduceMonth: ReduceMonth) =>
  async (ctx: Ctx, input: In<typeof discounts.checkCode>): Promise<CheckedCode> => {
    const organizationId = tenant(ctx);
    return guarded(organizationId, async () => {
      const discount = await findByCode(ctx, input.code, { organizationId }, 'code', false);
      const { serviceId, estimate: asked } = input;
      const estimated =
        serviceId === undefined || asked === undefined ? null : await estimate(ctx, { serviceId, ...asked });
      const service = serviceId === undefined ? undefined : await getService(ctx, { serviceId });
      if (service) await assertFits(discount, service, 'code');
      const terms = (await shownTerms(ctx, [discount]))(discount);
      return {
        code: required(discount.code, 'the code that found the discount'),
        ...terms,
        terms: termsText(ctx, terms),
        estimate:
          estimated === null || service === undefined
            ? null
            : await reducedEstimate(ctx, reduceMonth, organizationId, {
                discount,
                service,
                lines: estimatedLines(estimated),
              }),
      };
    });
  };

async function reducedEstimate(
  ctx: Ctx,
  reduceMonth: ReduceMonth,
  organizationId: Id<'org'>,
  {
    discount,
    service,
    lines,
  }: {
    readonly discount: DiscountRow;
    readonly service: Pick<Service, 'id' | 'name'>;
    readonly lines: readonly Line[];
  },
): Promise<NonNullable<CheckedCode['estimate']>> {
  const subscriptionId = ctx.newId('sub');
  const { name, reduction, maximum, scope, duration } = discount;
  const { before, after, saved } = await reduceMonth(ctx, organizationId, {
    service: { subscriptionId, serviceId: service.id, serviceName: service.name },
    lines,
    code: {
      redemptionId: ctx.newId('rdm'),
      version: 0n,
      name,
      reduction,
      maximum,
      // As when subscribing: a discount for specific services applies to that subscription only.
      scope: { subscriptionId: scope === null ? null : subscriptionId, services: scope },
      isOnce: duration.kind === 'once',
    },
  });
  const { currency } = saved;
  return {
    before: sumMoney(before, currency),
    after: sumMoney(after, currency),
    saved,
    lines: lines.map(({ chargeKey }, index) => ({
      chargeKey,
      before: required(before[index], 'the line without the code'),
      after: required(after[index], 'the line with the code'),
    })),
  };
}
