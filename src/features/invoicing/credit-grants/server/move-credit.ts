// Credit that is granted, renewed or ended outside of bills: each part with its movement and its ledger
// entries.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { endedEntries, grantedEntries, reopenedEntries } from '../rules.ts';
import { insertMovements, monthsToRenew, restsThatExpire, type GrantPart } from './store-movements.ts';

/**
 * Emitted when paid credit was granted or bought, so that whatever waited for it can continue; at a point
 * where the unit of work holds all other locks.
 */
export const creditAdded = domainEvent<{ readonly organizationId: Id<'org'> }>('creditgrants.creditAdded');

/** Publishes to the topics of organizations' credit. */
export function publishCredits(ctx: Ctx, organizationIds: Iterable<Id<'org'>>): void {
  for (const organizationId of new Set(organizationIds))
    ctx.publish(`org/${organizationId}/bills`, { kind: 'credits' });
  ctx.publish('system/billing', { kind: 'credits' });
}

/** Moves parts of grants and books them; skips a month's amount that was already granted. */
async function move(
  ctx: Ctx,
  parts: readonly GrantPart[],
  how: 'granted' | 'expired' | 'reopened' | 'withdrawn',
): Promise<number> {
  if (parts.length === 0) return 0;
  const added = await insertMovements(
    ctx,
    parts.map(({ grantId, month, minor }, index) => ({
      grantId,
      month,
      kind: how,
      minor: how === 'granted' || how === 'reopened' ? minor : -minor,
      index,
    })),
  );
  await append(
    ctx,
    added.map(({ id, index }) => {
      const part = required(parts[index], 'the part that was moved');
      const owned = { ...part, amount: money(part.minor, part.currency) };
      return {
        kind: 'credit_grant',
        reference: id,
        entries:
          how === 'granted'
            ? grantedEntries(owned)
            : how === 'reopened'
              ? reopenedEntries(owned)
              : endedEntries(owned, how),
      };
    }),
  );
  if (added.length > 0)
    publishCredits(
      ctx,
      parts.map((part) => part.organizationId),
    );
  return added.length;
}

/**
 * Grants parts of grants; paid ones take their amount from the balance, which the caller has locked and
 * checked.
 */
export const giveCredit = (ctx: Ctx, parts: readonly GrantPart[]): Promise<number> =>
  move(ctx, parts, 'granted');

/** Reverses the expiry of parts of grants, which the caller has locked. */
export const reopenCredit = (ctx: Ctx, parts: readonly GrantPart[]): Promise<number> =>
  move(ctx, parts, 'reopened');

/** Ends the remainder of grants, which the caller has locked. */
export const endCredit = (
  ctx: Ctx,
  parts: readonly GrantPart[],
  how: 'expired' | 'withdrawn',
): Promise<number> => move(ctx, parts, how);

/**
 * Grants recurring grants their missing monthly amounts up to `month`, in organizations whose time zone has
 * reached that month. Safe to repeat and to run concurrently.
 */
export async function renewGrants(ctx: Ctx, month: BillingMonth): Promise<void> {
  await giveCredit(ctx, await monthsToRenew(ctx, month, null));
}

/**
 * The same up to each organization's current month, for one grant or for all. Returns how many months were
 * granted.
 */
export async function renewUntilNow(ctx: Ctx, grantId: string | null): Promise<number> {
  return giveCredit(ctx, await monthsToRenew(ctx, null, grantId));
}

/**
 * Books what ends with a month that was closed for some organizations (null: for all): the remainder of
 * grants whose last month it was, and what that month and earlier ones left of recurring grants without
 * rollover. Safe to repeat. Returns how many parts expired.
 */
export async function expireGrants(
  ctx: Ctx,
  organizationIds: readonly string[] | null,
  month: BillingMonth,
): Promise<number> {
  return endCredit(ctx, await restsThatExpire(ctx, organizationIds, month), 'expired');
}
