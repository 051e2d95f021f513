// Grants credit: validates, stores and books it, and notifies the organization.
import type { In } from '#kernel/contract.ts';
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Currency, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { monthOf, monthOfDay } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { isChargeKeyOf } from '#features/invoicing/discounts/rules.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import { creditgrantsErrors, usualPriority, type CreditGrantDetail, type creditgrants } from '../contract.ts';
import { grantMistake, missingOf, scopeOf, wholeScope, type Scope } from '../rules.ts';
import { creditAdded, giveCredit, renewUntilNow } from './move-credit.ts';
import { notifyGranted } from './notices.ts';
import { detailOf } from './read.ts';
import { insertGrant, knownServices, type NewGrant } from './store.ts';

/**
 * Returns what an organization may spend of its prepaid balance, locked until the transaction ends. The
 * payments feature provides it through the app: refunds in progress must not be spent.
 */
export type SpendableBalance = (ctx: Ctx, organizationId: string, currency: Currency) => Promise<Money>;

/** Throws if an organization's balance is too low for a purchase, with the missing amount. */
export async function assertAffordable(
  ctx: Ctx,
  spendable: SpendableBalance,
  organizationId: string,
  amount: Money,
): Promise<void> {
  const missing = missingOf(amount, await spendable(ctx, organizationId, amount.currency));
  if (missing.minor > 0n)
    throw domainError(
      creditgrantsErrors,
      'creditgrants.balance_too_low',
      { missing: formatMoney(missing, ctx.language) },
      ['amount'],
    );
}

/** Throws if one of the services that credit should cover does not exist. */
export async function assertServices(
  ctx: Ctx,
  services: readonly string[] | null,
  field: string,
): Promise<void> {
  if (services === null) return;
  const known = await knownServices(ctx, services);
  if (services.some((id) => !known.has(id)))
    throw domainError(creditgrantsErrors, 'creditgrants.service_unknown', {}, [field]);
}

/**
 * Throws if one of the charges that a term should cover belongs to a service outside its scope, or is not a
 * charge of its service.
 */
export async function assertCharges(
  ctx: Ctx,
  { services, charges }: Scope,
  at = 'scope.charges',
): Promise<void> {
  if (charges === null) return;
  const field = [at];
  const known = new Map<string, Service>(
    (
      await servicesByIds(
        ctx.db,
        charges.map(({ serviceId }) => serviceId),
        ctx.now,
      )
    ).map((service) => [service.id, service]),
  );
  for (const { serviceId, chargeKey } of charges) {
    const service = known.get(serviceId);
    if (!service) throw domainError(creditgrantsErrors, 'creditgrants.service_unknown', {}, field);
    if (services?.includes(serviceId) === false)
      throw domainError(
        creditgrantsErrors,
        'creditgrants.charge_of_other_service',
        { service: service.name },
        field,
      );
    if (!isChargeKeyOf(service.pricing, chargeKey))
      throw domainError(
        creditgrantsErrors,
        'creditgrants.charge_unknown',
        { service: service.name, key: chargeKey },
        field,
      );
  }
}

/**
 * Stores a validated grant, and books what it grants immediately: a one-time grant its amount, a recurring
 * one the months up to the current one.
 */
export async function storeGrant(
  ctx: Ctx,
  grant: Omit<NewGrant, 'id' | 'createdBy' | 'creatorName'>,
): Promise<Id<'cgr'>> {
  const id = ctx.newId('cgr');
  const by = ctx.actor.kind === 'user' ? { id: ctx.actor.userId, name: ctx.actor.name } : undefined;
  await insertGrant(ctx, {
    ...grant,
    id,
    createdBy: by?.id ?? 'system',
    creatorName: by?.name ?? '',
  });
  if (grant.recurring) await renewUntilNow(ctx, id);
  else
    await giveCredit(ctx, [
      {
        grantId: id,
        organizationId: grant.organizationId,
        kind: grant.kind,
        currency: grant.amount.currency,
        month: grant.startsOn,
        minor: grant.amount.minor,
      },
    ]);
  return id;
}

/** Returns the organization that receives credit; throws if it does not exist. */
async function receiver(ctx: Ctx, organizationId: string): Promise<Organization> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization)
    throw domainError(identityErrors, 'identity.organization_not_found', {}, ['organizationId']);
  return organization;
}

/** Grants an organization credit on behalf of an Admin. */
export const giveGrant =
  (spendable: SpendableBalance) =>
  async (ctx: Ctx, input: In<typeof creditgrants.giveGrant>): Promise<CreditGrantDetail> => {
    const organization = await receiver(ctx, input.organizationId);
    const { kind, name, amount, note = '', priority = usualPriority, recurring = null } = input;
    const current = monthOf(ctx.now, organization.timeZone);
    const startsOn = input.startsOn ?? current;
    const lastMonth = input.expiresOn ? monthOfDay(input.expiresOn) : null;
    const mistake = grantMistake({ kind, amount, startsOn, lastMonth, recurring }, current);
    if (mistake) throw domainError(creditgrantsErrors, mistake.code, {}, [mistake.field]);
    const scope = input.scope ? scopeOf(input.scope) : wholeScope;
    await assertServices(ctx, input.scope?.services ?? null, 'scope.services');
    await assertCharges(ctx, scope);
    if (kind === 'paid') await assertAffordable(ctx, spendable, organization.id, amount);
    const id = await storeGrant(ctx, {
      organizationId: organization.id,
      kind,
      origin: 'admin',
      name,
      amount,
      priority,
      scope,
      startsOn,
      lastMonth,
      recurring,
      note,
    });
    const { userId } = person(ctx);
    ctx.audit('creditgrants.giveGrant', id, {
      organizationId: organization.id,
      kind,
      amount: moneyText(amount),
      currency: amount.currency,
      startsOn,
      ...(lastMonth !== null && { lastMonth }),
      ...(scope.charges && {
        charges: scope.charges.map(({ serviceId, chargeKey }) => `${serviceId} ${chargeKey}`),
      }),
      ...(recurring && { rollover: recurring.rollover }),
      by: userId,
    });
    await notifyGranted(ctx, organization.id, { id, name, amount });
    if (kind === 'paid') await ctx.emit(creditAdded, { organizationId: organization.id });
    return required(await detailOf(ctx, id), 'the grant that was just given');
  };
