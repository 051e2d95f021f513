// Creates the parts of an accepted quote: subscriptions, one-off charges, discounts, a minimum spend, and
// credit.
import { DomainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { addMonths, lastDayOf, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { giveGrant } from '#features/invoicing/credit-grants/server/index.ts';
import { makeCommitment, type BillsAhead } from '#features/invoicing/commitments/server/index.ts';
import { createDiscount, giveDiscount } from '#features/invoicing/discounts/server/index.ts';
import { createMinimumSpend, createOneOff } from '#features/invoicing/one-offs/server/index.ts';
import { holdMonthsSince } from '#features/invoicing/billing/server/index.ts';
import { adminSubscribe } from '#features/selling/subscriptions/server/index.ts';
import type { Made, MadeKind } from '../contract.ts';
import type { QuoteDiscount, QuoteGrant } from '../contract-content.ts';
import { commitmentOf } from '../rules-commitments.ts';
import { lastGrantMonth } from '../rules-estimate.ts';
import type { QuoteRow } from './store.ts';
import type { VersionRow } from './store-versions.ts';

type Names = Made['name'];

/** Thrown for a part of a quote that cannot be created now, with the reason. */
export class PartRefused extends Error {
  readonly part: Names;
  override readonly cause: DomainError | ValidationError;
  constructor(part: Names, cause: DomainError | ValidationError) {
    super(cause.message);
    this.part = part;
    this.cause = cause;
  }
}

/** Creates one part; its feature's refusal is reported with the name of the part. */
async function part(kind: MadeKind, name: Names, make: () => Promise<string>): Promise<Made> {
  try {
    return { kind, id: await make(), name };
  } catch (error) {
    if (error instanceof DomainError || error instanceof ValidationError) throw new PartRefused(name, error);
    throw error;
  }
}

const sameIn = (name: string): Names => ({ zhTW: name, enUS: name });

/**
 * Creates everything that a version offers, from now on, with the operations of the features it belongs to;
 * `ctx` acts as the Admin who sent it, and `bills` is what commitments need from billing.
 * @throws PartRefused for the first part that is not possible; the caller rolls everything back.
 */
export async function makeParts(
  ctx: Ctx,
  quote: Pick<QuoteRow, 'number' | 'currency'>,
  { content, offered }: Pick<VersionRow, 'content' | 'offered'>,
  organization: Organization,
  bills: BillsAhead,
): Promise<Made[]> {
  const { id: organizationId } = organization;
  const { currency } = quote;
  const note = quote.number ?? '';
  const current = monthOf(ctx.now, organization.timeZone);
  const made: Made[] = [];
  const subscriptionOf = new Map<string, Id<'sub'>>();
  for (const { serviceId, quantity, quantities } of content.items) {
    const name = required(
      offered.find((service) => service.serviceId === serviceId),
      'an offered service',
    ).name;
    made.push(
      await part('subscription', sameIn(name), async () => {
        const order = {
          organizationId,
          serviceId,
          // A seller who offers a Beta service has informed the customer.
          acceptBeta: true,
          ...(quantity !== undefined && { quantity }),
          ...(quantities && { quantities }),
        };
        const id = await adminSubscribe(ctx, order, { holdMonthsSince });
        subscriptionOf.set(serviceId, id);
        return id;
      }),
    );
  }
  for (const { name, quantity, unitPrice, serviceId } of content.oneOffs)
    made.push(
      await part('one_off', name, async () => {
        const { id } = await createOneOff(ctx, {
          organizationId,
          name,
          kind: 'charge',
          unitPrice,
          currency,
          note,
          ...(quantity !== undefined && { quantity }),
          ...(typeof serviceId === 'string' && { subscriptionId: subscriptionOf.get(serviceId) ?? null }),
        });
        return id;
      }),
    );
  for (const discount of content.discounts)
    made.push(await part('discount', discount.name, () => makeDiscount(ctx, discount, organizationId)));
  const { minimumSpend } = content;
  if (minimumSpend)
    made.push(
      await part('minimum_spend', minimumNames(ctx), async () => {
        const { amount, months } = minimumSpend;
        const toMonth = months === null ? null : addMonths(current, months - 1);
        return (await createMinimumSpend(ctx, { organizationId, amount, fromMonth: current, toMonth })).id;
      }),
    );
  for (const grant of content.grants)
    made.push(await part('grant', grant.name, () => makeGrant(ctx, grant, organizationId, current, note)));
  for (const commitment of content.commitments ?? [])
    made.push(
      await part(
        'commitment',
        commitment.name,
        async () =>
          (await makeCommitment(bills)(ctx, commitmentOf(commitment, organizationId, current, note))).id,
      ),
    );
  return made;
}

const minimumNames = (ctx: Ctx): Names => ({
  zhTW: ctx.text('quotes.kind_minimum_spend', {}, 'zhTW'),
  enUS: ctx.text('quotes.kind_minimum_spend', {}, 'enUS'),
});

/** Creates a discount that only this organization can have, and grants it immediately. */
async function makeDiscount(ctx: Ctx, discount: QuoteDiscount, organizationId: Id<'org'>): Promise<string> {
  const { name, percent, fixed, maximum = null, serviceId, months } = discount;
  const { id: discountId } = await createDiscount(ctx, {
    name,
    reduction: fixed
      ? { kind: 'fixed', amount: fixed }
      : { kind: 'percent', percent: required(percent, 'a percentage') },
    maximum,
    duration: months === null ? { kind: 'once' } : { kind: 'months', months },
    ...(typeof serviceId === 'string' && {
      scope: [{ serviceId: serviceId as Id<'svc'>, chargeKeys: null }],
    }),
    audience: 'named',
    organizationIds: [organizationId],
    maxRedemptions: 1,
  });
  await giveDiscount(ctx, { discountId, organizationId });
  return discountId;
}

async function makeGrant(
  ctx: Ctx,
  { name, amount, months, usageOnly = false, monthly = null }: QuoteGrant,
  organizationId: Id<'org'>,
  current: BillingMonth,
  note: string,
): Promise<string> {
  const lastMonth = lastGrantMonth(current, { months });
  const { id } = await givePromotional(ctx, {
    organizationId,
    kind: 'promotional',
    name,
    amount,
    scope: { services: null, usageOnly },
    startsOn: current,
    expiresOn: lastMonth === null ? null : lastDayOf(lastMonth),
    recurring: monthly,
    note,
  });
  return id;
}

/** Quotes grant promotional credit only, which no balance pays for. */
const givePromotional = giveGrant(() => {
  throw new Error('promotional credit asks for no balance');
});
