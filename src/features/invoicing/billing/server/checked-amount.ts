// Validates an amount that an Admin sets for all organizations or for one.
import { domainError, type ErrorTable } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import type { AmountToSet } from '../contract-amounts.ts';
import { amountMistake, type AmountMistake } from '../rules-amounts.ts';

/**
 * Throws with the feature's own error code at its field, for an unknown organization or an invalid amount.
 */
export async function checkAmountToSet<T extends ErrorTable>(
  ctx: Ctx,
  input: AmountToSet,
  errors: T,
  codes: Readonly<Record<AmountMistake | 'organization_not_found', keyof T & string>>,
): Promise<void> {
  const { organizationId, currency } = input;
  if (organizationId !== null && !(await organizationById(ctx.db, organizationId)))
    throw domainError(errors, codes.organization_not_found, {}, ['organizationId']);
  const mistake = amountMistake(input);
  if (mistake)
    throw domainError(errors, codes[mistake], mistake === 'other_currency' ? { currency } : {}, ['amount']);
}
