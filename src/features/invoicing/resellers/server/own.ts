// Routes of a reseller: its details, its customers, and its mark-ups.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import {
  insertOrganization,
  inviteFor,
  organizationById,
  organizationsByIds,
} from '#features/access/identity/server/index.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import { markUpMonthMistake } from '#features/selling/resale/rules.ts';
import { planRetail, planRunningMonth } from '#features/invoicing/billing/server/index.ts';
import { resellersErrors, type Margin, type Reseller, type resellers } from '../contract.ts';
import { marginsOf, markUpMistake } from '../rules.ts';
import { sellThrough } from './manage.ts';
import { assertSells } from './suspended.ts';
import {
  allResellers,
  changeReseller,
  lockResellerRow,
  markUpTerms,
  pageOfResold,
  replaceMarkUps,
  sellerNow,
} from './store.ts';

/** Returns the caller's organization as a reseller; throws not found if it is none. */
export async function ownReseller(ctx: Ctx): Promise<Reseller> {
  const [found] = await allResellers(ctx, tenant(ctx));
  if (!found) throw domainError(resellersErrors, 'resellers.not_reseller');
  return found;
}

export async function ownResale(ctx: Ctx): Promise<Out<typeof resellers.ownResale>> {
  const [reseller] = await allResellers(ctx, tenant(ctx));
  return { reseller: reseller ?? null, soldBy: (await sellerNow(ctx, tenant(ctx))) ?? null };
}

export async function saveReseller(ctx: Ctx, input: In<typeof resellers.saveReseller>): Promise<Reseller> {
  const { organizationId } = await ownReseller(ctx);
  await changeReseller(ctx, organizationId, input);
  ctx.audit('resellers.saveReseller', organizationId, { ...input });
  ctx.publish('system/billing', { kind: 'resellers' });
  return ownReseller(ctx);
}

/** Returns the current months of some organizations at both prices, by organization. */
async function runningMargins(
  ctx: Ctx,
  organizations: readonly Organization[],
): Promise<ReadonlyMap<string, Margin[]>> {
  const margins = new Map<string, Margin[]>();
  const byMonth = Map.groupBy(organizations, ({ timeZone }) => monthOf(ctx.now, timeZone));
  for (const [month, inMonth] of byMonth) {
    const retail = await planRetail(ctx, month, inMonth);
    const { plans } = await planRunningMonth(ctx, month, inMonth);
    for (const { id } of inMonth) {
      const sold = retail.get(id);
      if (sold)
        margins.set(
          id,
          marginsOf(
            sold.plans.map(({ net }) => net),
            (plans.get(id) ?? []).map(({ net }) => net),
          ),
        );
    }
  }
  return margins;
}

export async function listCustomers(
  ctx: Ctx,
  input: In<typeof resellers.listCustomers>,
): Promise<Out<typeof resellers.listCustomers>> {
  const { organizationId: resellerId } = await ownReseller(ctx);
  const page = await pageOfResold(ctx, { ...input, resellerId, isOver: false });
  const organizations = await organizationsByIds(ctx, [
    ...new Set(page.items.map(({ organizationId }) => organizationId)),
  ]);
  const margins = await runningMargins(ctx, organizations);
  const named = new Map(organizations.map((each) => [each.id, each]));
  return {
    ...page,
    items: page.items.map(({ organizationId, organization, from, until, state }) => ({
      id: organizationId,
      name: organization,
      from,
      until,
      state,
      month: monthOf(ctx.now, required(named.get(organizationId), 'a customer').timeZone),
      running: state === 'current' ? (margins.get(organizationId) ?? []) : [],
    })),
  };
}

/**
 * Creates a customer: an organization that the caller's organization sells to from its first month on, and an
 * invitation for its first user.
 */
export async function addCustomer(
  ctx: Ctx,
  { name, email }: In<typeof resellers.addCustomer>,
): Promise<Out<typeof resellers.addCustomer>> {
  const reseller = await ownReseller(ctx);
  await assertSells(ctx, reseller.organizationId);
  const own = required(await organizationById(ctx.db, reseller.organizationId), 'the own organization');
  const { id } = await insertOrganization(ctx, {
    name,
    timeZone: own.timeZone,
    language: own.language,
    externalRef: null,
  });
  const made = required(await organizationById(ctx.db, id), 'the new organization');
  await sellThrough(ctx, made, reseller.organizationId, monthOf(ctx.now, made.timeZone));
  const { link, mailed } = await inviteFor(ctx, { organizationId: id, email, role: 'User' });
  ctx.audit('resellers.addCustomer', id, { name, email });
  return { organizationId: id, link, mailed };
}

/** The first time zone in which a month begins: a month that has begun anywhere is not changed. */
const furthestAhead = 'Pacific/Kiritimati';

/** The running month for mark-ups: before the first ones, when there are no prices to change, the reseller's own. */
async function runningMonth(ctx: Ctx, organizationId: Id<'org'>, isFirst: boolean): Promise<BillingMonth> {
  if (!isFirst) return monthOf(ctx.now, furthestAhead);
  const own = required(await organizationById(ctx.db, organizationId), 'the reseller’s organization');
  return monthOf(ctx.now, own.timeZone);
}

export async function listMarkUps(ctx: Ctx): Promise<Out<typeof resellers.listMarkUps>> {
  const { organizationId } = await ownReseller(ctx);
  const items = await markUpTerms(ctx, organizationId);
  const isFirst = items.length === 0;
  const running = await runningMonth(ctx, organizationId, isFirst);
  return { items, first: isFirst ? running : addMonths(running, 1) };
}

export async function saveMarkUps(
  ctx: Ctx,
  { from, markUps }: In<typeof resellers.saveMarkUps>,
): Promise<null> {
  const { organizationId } = await ownReseller(ctx);
  await lockResellerRow(ctx, organizationId);
  const terms = await markUpTerms(ctx, organizationId);
  const isFirst = terms.length === 0;
  const running = await runningMonth(ctx, organizationId, isFirst);
  const tooEarly = markUpMonthMistake(from, { running, isFirst });
  if (tooEarly)
    throw domainError(
      resellersErrors,
      tooEarly,
      { month: dayFormat(ctx.language).month(isFirst ? running : addMonths(running, 1)) },
      ['from'],
    );
  const ids = markUps.services.map(({ serviceId }) => serviceId);
  const services = await servicesByIds(ctx.db, ids, ctx.now);
  const mistake = markUpMistake(markUps, (id) => services.find((each) => each.id === id)?.charges);
  if (mistake) throw domainError(resellersErrors, mistake.code, {}, [mistake.field]);
  await replaceMarkUps(ctx, organizationId, from, markUps, person(ctx).userId);
  ctx.audit('resellers.saveMarkUps', organizationId, { from, percent: markUps.percent });
  const { items } = await pageOfResold(ctx, { resellerId: organizationId, limit: 200, isOver: false });
  for (const id of new Set<Id<'org'>>([organizationId, ...items.map((each) => each.organizationId)]))
    ctx.publish(`org/${id}/bills`, { kind: 'retail-prices' });
  return null;
}
