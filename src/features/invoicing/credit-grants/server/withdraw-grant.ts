// Withdraws the remainder of a grant.
import type { In } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { askCreditChecks } from '#features/metering/usage/server/index.ts';
import { creditgrantsErrors, type CreditGrantDetail, type creditgrants } from '../contract.ts';
import { endCredit, publishCredits } from './move-credit.ts';
import { notifyWithdrawn } from './notices.ts';
import { detailOf } from './read.ts';
import { grantById, markWithdrawn } from './store.ts';
import { restsOfGrants } from './store-movements.ts';

/**
 * Withdraws a grant: remaining paid credit returns to the prepaid balance, promotional credit ends, and a
 * recurring grant is no longer renewed.
 */
export async function withdrawGrant(
  ctx: Ctx,
  input: In<typeof creditgrants.withdrawGrant>,
): Promise<CreditGrantDetail> {
  const grant = await grantById(ctx, input.grantId, true);
  if (!grant) throw domainError(creditgrantsErrors, 'creditgrants.not_found');
  if (grant.state === 'withdrawn') throw domainError(creditgrantsErrors, 'creditgrants.already_withdrawn');
  if (grant.state !== 'active' && grant.state !== 'upcoming')
    throw domainError(creditgrantsErrors, 'creditgrants.nothing_to_withdraw');
  const { userId, name } = person(ctx);
  const rests = await restsOfGrants(ctx, [grant.id]);
  const { currency } = grant.amount;
  const rest = money(
    rests.reduce((sum, part) => sum + part.minor, 0n),
    currency,
  );
  await endCredit(ctx, rests, 'withdrawn');
  await markWithdrawn(ctx, grant.id, { id: userId, name, reason: input.reason });
  ctx.audit('creditgrants.withdrawGrant', grant.id, {
    organizationId: grant.organizationId,
    kind: grant.kind,
    amount: moneyText(rest),
    currency,
    reason: input.reason,
  });
  publishCredits(ctx, [grant.organizationId]);
  if (grant.kind === 'paid') await askCreditChecks(ctx, new Set([grant.organizationId]));
  await notifyWithdrawn(ctx, grant, rest, input.reason);
  return required(await detailOf(ctx, grant.id), 'the grant that was just withdrawn');
}
