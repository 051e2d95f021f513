// An organization's own credit.
import { required } from '#kernel/assert.ts';
import { money, type Currency } from '#kernel/money.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { accountsOf } from '#features/invoicing/ledger/server/index.ts';
import { mainCurrency, meteredOf } from '#features/metering/usage/server/index.ts';
import type { OwnCredits } from '../contract.ts';
import { lastMonthOf } from '../rules.ts';
import { creditOffer } from './offer.ts';
import { ownView } from './own-view.ts';
import { grantsOfOrganization, serviceNames } from './store.ts';
import { newestMovements } from './store-movements.ts';
import { leftOf } from './store-top-ups.ts';

export async function ownCredits(ctx: Ctx): Promise<OwnCredits> {
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
  return {
    totals: [...currencies].map((currency) => {
      const found = left.find((each) => each.currency === currency);
      return {
        currency,
        paid: money(found?.paid ?? 0n, currency),
        promotional: money(found?.promotional ?? 0n, currency),
        balance: balances.find(({ amount }) => amount.currency === currency)?.amount ?? money(0n, currency),
      };
    }),
    grants: grants.map(ownView),
    movements: await newestMovements(ctx, organizationId),
    offer: offer.isOn
      ? {
          scope: {
            services: offer.services && (await serviceNames(ctx, offer.services)),
            usageOnly: offer.usageOnly,
          },
          lastMonth: lastMonthOf(monthOf(ctx.now, organization.timeZone), offer.months),
        }
      : null,
  };
}
