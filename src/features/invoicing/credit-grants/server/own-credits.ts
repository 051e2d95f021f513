// An organization's own credit.
import { required } from '#kernel/assert.ts';
import { money, type Currency } from '#kernel/money.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { accountsOf } from '#features/invoicing/ledger/server/index.ts';
import { mainCurrency, meteredOf } from '#features/metering/usage/server/index.ts';
import type { OwnCredits } from '../contract.ts';
import { lastMonthOf, ownerKey, scopeOf } from '../rules.ts';
import { creditOffer } from './offer.ts';
import { ownView } from './own-view.ts';
import { grantsOfOrganization, namedScope } from './store.ts';
import { newestMovements } from './store-movements.ts';
import { leftOf } from './store-top-ups.ts';
import type { CreditUse, PlannedUse } from './credit-use.ts';

const noUse: PlannedUse = new Map();
const none = { paid: 0n, promotional: 0n };
/** A month that is not closed may also use grants that the current month cannot. */
const atMost = (left: bigint, use = 0n): bigint => (use < left ? use : left);

/**
 * Returns the remaining credit, live, together with what usage so far would take of it, from the plans of
 * bills that are not issued yet.
 */
export const ownCredits =
  (plannedUse: CreditUse['plannedUse']) =>
  async (ctx: Ctx): Promise<OwnCredits> => {
    const organizationId = tenant(ctx);
    const organization = required(await organizationById(ctx.db, organizationId), 'the organization');
    const left = await leftOf(ctx, organizationId);
    const balances = (await accountsOf(ctx, organizationId)).filter((account) => account.kind === 'balance');
    const grants = await grantsOfOrganization(ctx, organizationId);
    const main = mainCurrency(await meteredOf(ctx, organizationId));
    const currencies = new Set<Currency>([
      main,
      ...grants.map((grant) => grant.amount.currency),
      ...balances.map(({ amount }) => amount.currency),
    ]);
    const offer = await creditOffer(ctx);
    // Without credit, nothing can be used.
    const planned = left.length === 0 ? noUse : await plannedUse(ctx, [organizationId]);
    return {
      totals: [...currencies].map((currency) => {
        const { paid, promotional } = left.find((each) => each.currency === currency) ?? none;
        const use = planned.get(ownerKey(organizationId, currency));
        return {
          currency,
          paid: money(paid, currency),
          promotional: money(promotional, currency),
          planned: {
            paid: money(atMost(paid, use?.paid), currency),
            promotional: money(atMost(promotional, use?.promotional), currency),
          },
          balance: balances.find(({ amount }) => amount.currency === currency)?.amount ?? money(0n, currency),
        };
      }),
      grants: grants.map(ownView),
      movements: await newestMovements(ctx, organizationId),
      offer: offer.isOn
        ? {
            scope: await namedScope(ctx, scopeOf(offer)),
            lastMonth: lastMonthOf(monthOf(ctx.now, organization.timeZone), offer.months),
          }
        : null,
    };
  };
