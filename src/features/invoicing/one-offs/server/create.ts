// Creates a one-off charge or credit.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import { oneOffsErrors, priceDigits, quantityDigits, type OneOffDetail, type oneOffs } from '../contract.ts';
import { dayMistake, needsApproval, pricedOneOff, type OneOffMistake } from '../rules.ts';
import { publishOneOffs, tellAwaiting } from './notices.ts';
import { detailOf } from './read.ts';
import { approvalAbove } from './settings.ts';
import { insertOneOff, oneOffById, otherAdmins } from './store.ts';

/** Emitted when a one-off with a separate bill is approved and can be billed. */
export type OneOffApproved = { readonly id: Id<'ooc'>; readonly organizationId: Id<'org'> };
export const oneOffApproved = domainEvent<OneOffApproved>('oneoffs.oneOffApproved');

/** Returns the organization to bill; throws at its field if it is unknown or closed. */
export async function organizationToBill(ctx: Ctx, organizationId: string): Promise<Organization> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization)
    throw domainError(oneOffsErrors, 'oneoffs.organization_not_found', {}, ['organizationId']);
  if (organization.closedAt !== null)
    throw domainError(oneOffsErrors, 'oneoffs.organization_closed', { organization: organization.name }, [
      'organizationId',
    ]);
  return organization;
}

const mistakeError = (
  { code, field }: OneOffMistake,
  more: { readonly today: string; readonly currency: string },
) => domainError(oneOffsErrors, code, { quantityDigits, priceDigits, ...more }, [field]);

/**
 * Charges or credits an organization once. Above the amount of the setting, it awaits another Admin’s
 * approval.
 */
export async function createOneOff(ctx: Ctx, input: In<typeof oneOffs.createOneOff>): Promise<OneOffDetail> {
  const { kind, unitPrice, currency, name, note = '', billing = 'next_bill', subscriptionId = null } = input;
  const organization = await organizationToBill(ctx, input.organizationId);
  if (subscriptionId !== null && !(await subscriptionById(ctx.db, subscriptionId, organization.id)))
    throw domainError(oneOffsErrors, 'oneoffs.subscription_not_found', {}, ['subscriptionId']);
  const today = dayOf(ctx.now, organization.timeZone);
  const chargeOn = input.chargeOn ?? today;
  const priced = pricedOneOff({ kind, quantity: input.quantity ?? '1', unitPrice, currency });
  const mistake = 'code' in priced ? priced : dayMistake(chargeOn, today, billing);
  if ('code' in priced || mistake)
    throw mistakeError(required(mistake, 'what is wrong'), {
      today: dayFormat(ctx.language).day(today),
      currency,
    });
  const threshold = await approvalAbove(ctx);
  const isAwaiting = needsApproval(priced.amount, threshold);
  const id = ctx.newId('ooc');
  const { userId } = person(ctx);
  await insertOneOff(ctx, {
    id,
    organizationId: organization.id,
    subscriptionId,
    kind,
    name,
    ...priced,
    chargeOn,
    billing,
    note,
    state: isAwaiting ? 'awaiting_approval' : 'approved',
    createdBy: userId,
  });
  ctx.audit('oneoffs.createOneOff', id, {
    organizationId: organization.id,
    kind,
    amount: moneyText(priced.amount),
    currency,
    chargeOn,
    billing,
    awaitsApproval: isAwaiting,
  });
  if (isAwaiting)
    await tellAwaiting(
      ctx,
      required(await oneOffById(ctx, id), 'the new one-off'),
      (await otherAdmins(ctx, userId)).map((each) => each.id),
    );
  else if (billing === 'own_bill') await ctx.emit(oneOffApproved, { id, organizationId: organization.id });
  publishOneOffs(ctx, organization.id);
  // Read last: the handler of the event may have billed it.
  return detailOf(ctx, required(await oneOffById(ctx, id), 'the new one-off'));
}
