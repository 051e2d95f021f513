// Sets who pays for an organization. The affected months are locked during this, so that no bill is issued to
// the previous payer.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { isResoldSince } from '#features/selling/resale/server/index.ts';
import { payersErrors, type payers } from '../contract.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import {
  isBillingChange,
  isChange,
  isPaidSince,
  monthMistake,
  payerMistake,
  subscriptionPayerMistake,
  termToStore,
} from '../rules.ts';
import {
  billingTermsOf,
  lockOrganizations,
  paysSince,
  replaceBillingTerms,
  replaceTerms,
  termsOfOrganization,
} from './store.ts';
import {
  hasPaidSubscriptionsSince,
  lockSubscription,
  needsCredit,
  replaceSubscriptionTerms,
  termsOfSubscription,
} from './store-subscriptions.ts';

/**
 * Locks the bills of an organization's months from a given one on until the transaction ends, and returns the
 * last month that has bills or was closed for it; null if there is none.
 */
export type HoldMonths = (
  ctx: Ctx,
  organization: Pick<Organization, 'id' | 'timeZone'>,
  from: BillingMonth,
) => Promise<BillingMonth | null>;

/** Sets who pays for an organization, unless a reseller sells to it: then the reseller pays. */
export function setPayer(holdMonths: HoldMonths) {
  const change = changePayer(holdMonths);
  return async (ctx: Ctx, asked: In<typeof payers.setPayer>): Promise<null> => {
    await lockOrganizations(ctx, [asked.organizationId]);
    if (await isResoldSince(ctx, asked.organizationId, asked.from))
      throw domainError(payersErrors, 'payers.organization_resold', {}, ['organizationId']);
    return change(ctx, asked);
  };
}

/** Sets who pays for an organization from a month on. Repeating it has no effect. */
export function changePayer(holdMonths: HoldMonths) {
  return async (ctx: Ctx, asked: In<typeof payers.setPayer>): Promise<null> => {
    const { organizationId, payerId, from } = asked;
    const organization = await organizationById(ctx.db, organizationId);
    if (!organization)
      throw domainError(payersErrors, 'payers.organization_not_found', {}, ['organizationId']);
    await lockOrganizations(ctx, payerId === null ? [organizationId] : [organizationId, payerId]);
    const payer = await payerById(ctx, payerId);
    const known = await knownOf(ctx, organization, payer, from);
    // Only allowed months are locked.
    assertNoMistake(ctx, payerMistake(asked, known));
    const terms = await termsOfOrganization(ctx, organizationId);
    if (!isChange(terms, asked)) return null;
    assertNoMistake(
      ctx,
      payerMistake(asked, { ...known, billed: await holdMonths(ctx, organization, from) }),
    );
    await replaceTerms(ctx, organizationId, from, termToStore(terms, asked), person(ctx).userId);
    ctx.audit('payers.setPayer', organizationId, {
      organization: organization.name,
      payerId,
      payer: payer?.name ?? null,
      from,
      before: terms.filter((term) => term.from >= from),
    });
    publishPayers(ctx, [organizationId, payerId, ...terms.map((term) => term.payerId)]);
    return null;
  };
}

/** Whether another organization pays for an organization or one of its subscriptions, in a month or later. */
const isPaidFor = async (ctx: Ctx, organizationId: Id<'org'>, since: BillingMonth): Promise<boolean> =>
  isPaidSince(await termsOfOrganization(ctx, organizationId), since) ||
  (await hasPaidSubscriptionsSince(ctx, organizationId, since));

/** The requested payer; null for none. */
async function payerById(ctx: Ctx, payerId: Id<'org'> | null): Promise<Organization | null> {
  if (payerId === null) return null;
  const payer = await organizationById(ctx.db, payerId);
  if (!payer) throw domainError(payersErrors, 'payers.payer_not_found', {}, ['payerId']);
  return payer;
}

/** The inputs that determine whether a payer can be set, except the billed months. */
const knownOf = async (
  ctx: Ctx,
  organization: Organization,
  payer: Organization | null,
  from: BillingMonth,
) => ({
  running: monthOf(ctx.now, organization.timeZone),
  billed: null,
  isPayerPaidFor: payer !== null && (await isPaidFor(ctx, payer.id, from)),
  isPayerClosed: payer !== null && payer.closedAt !== null,
  paysForOthers: await paysSince(ctx, organization.id, from),
});

/** Notifies Admins, and the organizations whose bills a change affects. */
function publishPayers(ctx: Ctx, organizationIds: readonly (Id<'org'> | null)[]): void {
  ctx.publish('system/billing', { kind: 'payers' });
  for (const id of new Set(organizationIds))
    if (id !== null) ctx.publish(`org/${id}/bills`, { kind: 'payers' });
}

/**
 * Sets who pays for one subscription from a month on, unless a reseller sells to its organization: then the
 * reseller pays. Repeating it has no effect.
 */
export function setSubscriptionPayer(holdMonths: HoldMonths) {
  return async (ctx: Ctx, asked: In<typeof payers.setSubscriptionPayer>): Promise<null> => {
    const { subscriptionId, payerId, from } = asked;
    await lockSubscription(ctx, subscriptionId);
    const [subscription] = await subscriptionsByIds(ctx.db, [subscriptionId]);
    const organization = subscription && (await organizationById(ctx.db, subscription.organizationId));
    if (!organization)
      throw domainError(payersErrors, 'payers.subscription_not_found', {}, ['subscriptionId']);
    const { id: organizationId } = organization;
    await lockOrganizations(ctx, payerId === null ? [organizationId] : [organizationId, payerId]);
    if (await isResoldSince(ctx, organizationId, from))
      throw domainError(payersErrors, 'payers.organization_resold', {}, ['subscriptionId']);
    const payer = await payerById(ctx, payerId);
    // Credit belongs to the organization: it would keep the service running but never be used for it.
    if (payerId !== null && (await needsCredit(ctx, subscriptionId)))
      throw domainError(payersErrors, 'payers.needs_credit', {}, ['subscriptionId']);
    const wanted = { organizationId, payerId, from };
    const known = {
      ...(await knownOf(ctx, organization, payer, from)),
      ofOrganization: await termsOfOrganization(ctx, organizationId),
    };
    // Only allowed months are locked.
    assertNoMistake(ctx, subscriptionPayerMistake(wanted, known));
    const terms = await termsOfSubscription(ctx, subscriptionId);
    if (!isChange(terms, wanted)) return null;
    assertNoMistake(
      ctx,
      subscriptionPayerMistake(wanted, { ...known, billed: await holdMonths(ctx, organization, from) }),
    );
    const of = { id: subscriptionId, organizationId };
    await replaceSubscriptionTerms(ctx, of, from, termToStore(terms, wanted), person(ctx).userId);
    ctx.audit('payers.setSubscriptionPayer', subscriptionId, {
      organization: organization.name,
      payerId,
      payer: payer?.name ?? null,
      from,
      before: terms.filter((term) => term.from >= from),
    });
    publishPayers(ctx, [organizationId, payerId, ...terms.map((term) => term.payerId)]);
    return null;
  };
}

/**
 * Sets whether an organization gets one consolidated bill a month, from an unbilled month on. Repeating it
 * has no effect.
 */
export function setPayerBilling(holdMonths: HoldMonths) {
  return async (ctx: Ctx, asked: In<typeof payers.setPayerBilling>): Promise<null> => {
    const { organizationId, isConsolidated, from } = asked;
    const organization = await organizationById(ctx.db, organizationId);
    if (!organization)
      throw domainError(payersErrors, 'payers.organization_not_found', {}, ['organizationId']);
    await lockOrganizations(ctx, [organizationId]);
    const running = monthOf(ctx.now, organization.timeZone);
    // Only allowed months are locked.
    assertNoMistake(ctx, monthMistake(from, { running, billed: null }));
    const before = await billingTermsOf(ctx, organizationId);
    if (!isBillingChange(before, asked)) return null;
    assertNoMistake(ctx, monthMistake(from, { running, billed: await holdMonths(ctx, organization, from) }));
    await replaceBillingTerms(ctx, organizationId, asked, person(ctx).userId);
    ctx.audit('payers.setPayerBilling', organizationId, {
      organization: organization.name,
      isConsolidated,
      from,
      before,
    });
    publishPayers(ctx, [organizationId]);
    return null;
  };
}

/** @throws DomainError naming the mistake */
export function assertNoMistake(ctx: Ctx, mistake: ReturnType<typeof payerMistake>): void {
  if (!mistake) return;
  const { code, field, month } = mistake;
  throw domainError(payersErrors, code, month && { month: dayFormat(ctx.language).month(month) }, [field]);
}
