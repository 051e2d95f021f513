// Reports that add up to the ledger, each next to the ledger's own figure: receivables by age, revenue,
// receipts and taxes.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf, dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import { placeOf, sumsByKind } from '#features/reporting/books/server/index.ts';
import { metricsErrors, type metrics } from '../contract.ts';
import { proof } from './store.ts';
import { agedTotals, pageOfAged, receiptsOf, taxesOf, type Between, type DayEnd } from './store-ledger.ts';
import { revenueOf } from './store-revenue.ts';

/** The accounts of recognized revenue: charges, discounts on them, and breakage (paid but unused). */
const revenueAccounts = ['revenue', 'discounts', 'breakage'] as const;

/** The end of a day in a time zone. */
export const dayEnd = (day: LocalDay, zone: string): DayEnd => ({
  day,
  zone,
  until: placeOf(dayPeriod(addDays(day, 1), zone).start),
});

/** The ledger's sum of some kinds of accounts at a position, debits positive. */
async function ledgerSum(
  ctx: Ctx,
  kinds: readonly AccountKind[],
  currency: Currency,
  until: string,
): Promise<bigint> {
  return (await sumsByKind(ctx, until))
    .filter((sum) => kinds.includes(sum.kind) && sum.currency === currency)
    .reduce((sum, { debit, credit }) => sum + (debit?.minor ?? 0n) - (credit?.minor ?? 0n), 0n);
}

/** Returns what customers owed at the end of a day; today by default. */
export async function receivables(
  ctx: Ctx,
  { currency, day, ...input }: In<typeof metrics.receivables>,
): Promise<Out<typeof metrics.receivables>> {
  const zone = await ctx.setting(timeZoneSetting);
  const end = dayEnd(day ?? dayOf(ctx.now, zone), zone);
  const totals = await agedTotals(ctx, currency, end);
  return {
    ...(await pageOfAged(ctx, currency, end, input)),
    day: end.day,
    totals,
    proof: proof(totals.total.minor, await ledgerSum(ctx, ['receivable'], currency, end.until), currency),
  };
}

/** A range of days in the console's time zone, both inclusive. Throws when they are in the wrong order. */
export async function between(ctx: Ctx, from: LocalDay, to: LocalDay): Promise<Between> {
  if (from > to) throw domainError(metricsErrors, 'metrics.range_reversed');
  const zone = await ctx.setting(timeZoneSetting);
  return { from: placeOf(dayPeriod(from, zone).start), until: dayEnd(to, zone).until };
}

async function moved(
  ctx: Ctx,
  kinds: readonly AccountKind[],
  currency: Currency,
  time: Between,
): Promise<bigint> {
  return (
    (await ledgerSum(ctx, kinds, currency, time.until)) - (await ledgerSum(ctx, kinds, currency, time.from))
  );
}

/** Returns the revenue of a period by the month in which it was recognized. */
export async function revenue(
  ctx: Ctx,
  { currency, from, to }: In<typeof metrics.revenue>,
): Promise<Out<typeof metrics.revenue>> {
  const time = await between(ctx, from, to);
  const items = await revenueOf(ctx, currency, time, await ctx.setting(timeZoneSetting));
  const here = items.reduce((sum, { total }) => sum + total.minor, 0n);
  // These accounts increase with credits; discounts reduce them.
  const ledger = -(await moved(ctx, revenueAccounts, currency, time));
  return { items, proof: proof(here, ledger, currency) };
}

/** Returns the cash movements of a period. */
export async function receipts(
  ctx: Ctx,
  { currency, from, to, daily = false }: In<typeof metrics.receipts>,
): Promise<Out<typeof metrics.receipts>> {
  const time = await between(ctx, from, to);
  const items = await receiptsOf(ctx, currency, time, daily ? await ctx.setting(timeZoneSetting) : null);
  const here = items.reduce((sum, { amount }) => sum + amount.minor, 0n);
  return { items, proof: proof(here, await moved(ctx, ['cash'], currency, time), currency) };
}

/** Returns the tax of a period by rate. */
export async function taxes(
  ctx: Ctx,
  { currency, from, to }: In<typeof metrics.taxes>,
): Promise<Out<typeof metrics.taxes>> {
  const time = await between(ctx, from, to);
  const items = await taxesOf(ctx, currency, time);
  const here = items.reduce((sum, { total }) => sum + total.minor, 0n);
  // The account increases with credits.
  return { items, proof: proof(here, -(await moved(ctx, ['tax'], currency, time)), currency) };
}
