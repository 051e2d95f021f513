// Redeems a discount: by a code, with a new subscription, or granted by an Admin.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, dayOf, monthOf } from '#kernel/time.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import { subscriptionById, type Subscribed } from '#features/selling/subscriptions/server/index.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { discountErrors, type discounts, type OwnDiscount, type Redemption } from '../contract.ts';
import { currencyOf, normalizedCode, refusalOf } from '../rules.ts';
import { guarded } from './guesses.ts';
import { discountById, hasSubscribed, idOfCode, lockDiscount, type DiscountRow } from './store.ts';
import { countRedeemed, insertRedemption, redemptionById, type RedemptionRow } from './store-redemptions.ts';
import { ownViews, redemptionView } from './view.ts';

/** The organization that requests a discount, and its new subscription, if any. */
type Claimant = {
  readonly organizationId: Id<'org'>;
  /** The subscription being created, which does not disqualify a new customer. */
  readonly justMade?: string;
};

/** Redeems a code for the caller's organization, or for one of its subscriptions. */
export async function redeemCode(ctx: Ctx, input: In<typeof discounts.redeemCode>): Promise<OwnDiscount> {
  const organizationId = tenant(ctx);
  const redemption = await guarded(organizationId, async () => {
    const discount = await findByCode(ctx, input.code, { organizationId }, 'code', true);
    if (input.subscriptionId !== undefined)
      await assertFits(discount, await serviceOf(ctx, input.subscriptionId, organizationId), 'code');
    return store(ctx, discount, organizationId, input.subscriptionId ?? null);
  });
  ctx.audit('discounts.redeemCode', redemption.id, {
    discountId: redemption.discountId,
    ...(redemption.subscription && { subscriptionId: redemption.subscription.id }),
  });
  return required((await ownViews(ctx, [redemption]))[0], 'the view of one redemption');
}

/**
 * Redeems the code entered with a subscription; a refused code rejects the subscription. A discount for
 * specific services applies to this subscription only, any other one to the organization.
 */
export async function redeemAtSubscribing(ctx: Ctx, subscribed: Subscribed): Promise<void> {
  const { organizationId, subscriptionId, serviceId, promoCode } = subscribed;
  if (promoCode === null) return;
  await guarded(organizationId, async () => {
    const claimant = { organizationId, justMade: subscriptionId };
    const discount = await findByCode(ctx, promoCode, claimant, 'promoCode', true);
    await assertFits(discount, required(await serviceById(ctx, serviceId), 'the service'), 'promoCode');
    const redemption = await store(
      ctx,
      discount,
      organizationId,
      discount.scope === null ? null : subscriptionId,
    );
    // The audit entry of this unit of work is about the subscription, which stays its subject.
    ctx.audit('discounts.redeemCode', undefined, { discountId: discount.id, redemptionId: redemption.id });
  });
}

/** Grants a discount on behalf of an Admin. The redemption counts apply; audience and last day do not. */
export async function giveDiscount(ctx: Ctx, input: In<typeof discounts.giveDiscount>): Promise<Redemption> {
  const { discountId, organizationId, subscriptionId, fromMonth } = input;
  await lockDiscount(ctx, discountId);
  const discount = await discountById(ctx, discountId);
  if (!discount) throw domainError(discountErrors, 'discounts.not_found');
  if (!(await organizationById(ctx.db, organizationId)))
    throw domainError(discountErrors, 'discounts.organization_unknown', {}, ['organizationId']);
  await assertMayHave(ctx, discount, { organizationId }, 'admin', 'organizationId');
  if (subscriptionId !== undefined)
    await assertFits(discount, await serviceOf(ctx, subscriptionId, organizationId), 'subscriptionId');
  const redemption = await store(ctx, discount, organizationId, subscriptionId ?? null, fromMonth);
  ctx.audit('discounts.giveDiscount', redemption.id, {
    discountId,
    organizationId,
    ...(subscriptionId && { subscriptionId }),
    ...(fromMonth && { fromMonth }),
  });
  return redemptionView(ctx, redemption);
}

/**
 * Returns the discount of a code if the organization may have it; throws the reason at the given field. With
 * a lock, it counts all redemptions so far and blocks others until the transaction ends.
 */
export async function findByCode(
  ctx: Ctx,
  typed: string,
  claimant: Claimant,
  field: string,
  isLocked: boolean,
): Promise<DiscountRow> {
  const unknown = () => domainError(discountErrors, 'discounts.code_unknown', {}, [field]);
  const id = await idOfCode(ctx, normalizedCode(typed));
  if (id === undefined) throw unknown();
  if (isLocked) await lockDiscount(ctx, id);
  const discount = await discountById(ctx, id);
  if (!discount) throw unknown();
  await assertMayHave(ctx, discount, claimant, 'code', field);
  return discount;
}

async function assertMayHave(
  ctx: Ctx,
  discount: DiscountRow,
  { organizationId, justMade }: Claimant,
  by: 'code' | 'admin',
  field: string,
): Promise<void> {
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the organization');
  const refusal = refusalOf(
    discount,
    {
      organizationId,
      today: dayOf(ctx.now, timeZone),
      redeemedBefore: await countRedeemed(ctx, discount.id, organizationId),
      hasSubscribed:
        discount.audience === 'new' && (await hasSubscribed(ctx, organizationId, justMade ?? null)),
    },
    by,
  );
  if (refusal) throw domainError(discountErrors, refusal, {}, [field]);
}

/** Throws if a discount could never reduce the price of a service. */
export async function assertFits(
  discount: Pick<DiscountRow, 'scope' | 'reduction' | 'maximum'>,
  service: Pick<Service, 'id' | 'name' | 'pricing'>,
  field: string,
): Promise<void> {
  if (discount.scope?.every(({ serviceId }) => serviceId !== service.id))
    throw domainError(discountErrors, 'discounts.other_services', { service: service.name }, [field]);
  const currency = currencyOf(discount);
  if (currency !== undefined && currency !== service.pricing.currency)
    throw domainError(
      discountErrors,
      'discounts.other_currency',
      { service: service.name, currency, other: service.pricing.currency },
      [field],
    );
}

/** Returns the service of an organization's subscription that has not ended. */
async function serviceOf(ctx: Ctx, subscriptionId: string, organizationId: string): Promise<Service> {
  const subscription = await subscriptionById(ctx.db, subscriptionId, organizationId);
  if (!subscription || (subscription.endsAt !== null && subscription.endsAt <= ctx.now))
    throw domainError(discountErrors, 'discounts.subscription_unknown', {}, ['subscriptionId']);
  return required(await serviceById(ctx, subscription.serviceId), 'the service of a subscription');
}

async function store(
  ctx: Ctx,
  discount: DiscountRow,
  organizationId: Id<'org'>,
  subscriptionId: string | null,
  fromMonth?: BillingMonth,
): Promise<RedemptionRow> {
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the organization');
  const current = monthOf(ctx.now, timeZone);
  // The previous month's bill may not be issued yet; an older month would have no effect.
  if (fromMonth !== undefined && fromMonth !== current && fromMonth !== addMonths(current, -1))
    throw domainError(discountErrors, 'discounts.from_month_out_of_range', { month: current }, ['fromMonth']);
  const id = ctx.newId('rdm');
  await insertRedemption(ctx, {
    id,
    discountId: discount.id,
    organizationId,
    subscriptionId,
    redeemedBy: ctx.actor.kind === 'user' ? ctx.actor.userId : null,
    firstMonth: fromMonth ?? current,
  });
  publishRedemption(ctx, organizationId);
  return required(await redemptionById(ctx, id), 'the redemption');
}

/** Invalidates lists of discounts for Admins and the organization. */
export function publishRedemption(ctx: Ctx, organizationId: Id<'org'>): void {
  ctx.publish('system/billing', { kind: 'discount' });
  ctx.publish(`org/${organizationId}/bills`, { kind: 'discount' });
}
