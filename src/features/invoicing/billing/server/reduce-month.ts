// Computes what a promo code would take off an organization's current month for a service it does not have
// yet.
import { required } from '#kernel/assert.ts';
import { monthOf } from '#kernel/time.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import type { ReduceMonth } from '#features/invoicing/discounts/server/index.ts';
import { noTerms } from '../rules.ts';
import { lineAhead, reducedBy } from '../rules-reduced.ts';
import { planWithTerms, termsOfRunning } from './plan-month.ts';

/**
 * Applies the discounts in force to the lines of the current month and the service's estimated month after
 * them.
 */
export const reduceMonth: ReduceMonth = async (ctx, organizationId, { service, lines, code }) => {
  const organization = required(await organizationById(ctx.db, organizationId), 'the organization');
  const month = monthOf(ctx.now, organization.timeZone);
  const terms = (await termsOfRunning(ctx, month, [organization]))(organizationId);
  const { plans } = await planWithTerms(ctx, month, [organization], () => ({
    ...noTerms,
    oneOffs: terms.oneOffs,
  }));
  const currency = required(lines[0], 'a line of the service').amount.currency;
  const others = (plans.get(organizationId) ?? []).find((plan) => plan.currency === currency)?.lines ?? [];
  const own = lines.map((line) => lineAhead(service, line));
  return reducedBy(code, others, own, terms);
};
