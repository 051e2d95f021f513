// Bills a one-off charge separately: issued as soon as it is approved, in the transaction that approves it.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { monthOf } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { ownBillOneOff } from '#features/invoicing/one-offs/server/index.ts';
import type { OneOffInForce } from '#features/invoicing/one-offs/rules.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { billSeries, planOneOffBill, type BillPlan } from '../rules.ts';
import { billsIssued, issuedOf, newBill, publishIssued } from './new-bill.ts';
import { payersOfMonth } from './paid-by.ts';
import { dueDays } from './settings.ts';
import { taxationOfToday } from './taxed-by.ts';
import { insertBills, lockSeries } from './store.ts';
import { consumeTerms } from './terms.ts';

/**
 * Issues the bill of an approved one-off charge with the next number of the current month; handles the
 * one-offs' event.
 */
export async function billOneOff(ctx: Ctx, { id }: { readonly id: Id<'ooc'> }): Promise<void> {
  const oneOff = required(await ownBillOneOff(ctx, id), 'a one-off charge that was just approved');
  const organization = required(
    await organizationById(ctx.db, oneOff.organizationId),
    'the organization of a one-off charge',
  );
  const month = monthOf(ctx.now, organization.timeZone);
  const series = billSeries(month);
  // From here on, no one can change who pays for the month.
  const sequence = (await lockSeries(ctx, series)) + 1;
  const payer = (await payersOfMonth(ctx, month, [organization])).ofOrganization(organization);
  const plan = await planOneOff(ctx, payer, oneOff);
  const dueAt = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  const bill = newBill(ctx, { organization, payer }, month, sequence, dueAt, plan, 'one_off');
  await insertBills(ctx, series, sequence, [bill]);
  await consumeTerms(ctx, [bill]);
  await ctx.emit(billsIssued, [issuedOf(bill)]);
  publishIssued(ctx, [bill]);
}

/**
 * Plans the bill of a one-off charge alone, taxed by its payer: without discounts or credit, which apply to
 * monthly bills.
 */
export async function planOneOff(ctx: Ctx, payer: Organization, oneOff: OneOffInForce): Promise<BillPlan> {
  return planOneOffBill(oneOff, await serviceOfOneOff(ctx, oneOff), await taxationOfToday(ctx, payer));
}

async function serviceOfOneOff(ctx: Ctx, { subscriptionId }: OneOffInForce) {
  const [subscription] = subscriptionId === null ? [] : await subscriptionsByIds(ctx.db, [subscriptionId]);
  if (!subscription) return undefined;
  const { id, name } = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  return { subscriptionId: subscription.id, serviceId: id, serviceName: name };
}
