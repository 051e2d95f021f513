// Computes the outstanding amounts of organizations: bills due plus what the open months would be billed now,
// minus the prepaid balance.
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unbilledOf } from '#features/invoicing/billing/server/index.ts';
import { noExposure, type Exposure, type Exposures } from '../rules.ts';
import { owedOf } from './store.ts';

/** Exposures by organization and currency, as the transaction sees them. */
export async function exposuresOf(
  ctx: Ctx,
  organizationIds: readonly Id<'org'>[],
): Promise<ReadonlyMap<string, Exposures>> {
  const found = new Map<string, Map<Currency, Exposure>>(organizationIds.map((id) => [id, new Map()]));
  const add = (organizationId: string, currency: Currency, more: Partial<Exposure>): void => {
    const own = found.get(organizationId) ?? new Map<Currency, Exposure>();
    const { unpaid, unbilled, balance } = own.get(currency) ?? noExposure;
    own.set(currency, {
      unpaid: unpaid + (more.unpaid ?? 0n),
      unbilled: unbilled + (more.unbilled ?? 0n),
      balance: balance + (more.balance ?? 0n),
    });
    found.set(organizationId, own);
  };
  for (const { organizationId, currency, unpaid, balance } of await owedOf(ctx, organizationIds))
    add(organizationId, currency, { unpaid, balance });
  for (const { organizationId, amount } of await unbilledOf(ctx, organizationIds))
    add(organizationId, amount.currency, { unbilled: amount.minor });
  return found;
}
