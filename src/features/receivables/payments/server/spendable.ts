// The spendable part of a balance.
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockBalance } from '#features/invoicing/ledger/server/index.ts';
import { pendingRefunds } from './store-refunds.ts';

/** An organization's prepaid balance minus pending refunds; locked until the transaction ends. */
export async function spendableBalance(ctx: Ctx, organizationId: string, currency: Currency): Promise<Money> {
  const balance = await lockBalance(ctx, organizationId, currency);
  return money(balance.minor - (await pendingRefunds(ctx, organizationId, currency)), currency);
}
