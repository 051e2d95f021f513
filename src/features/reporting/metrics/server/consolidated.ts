// Revenue and receivables of all currencies in the reporting currency, each figure with its conversion rate.
import type { In, Out } from '#kernel/contract.ts';
import { money, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { lastDayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { converterOn, reportingCurrency } from '#features/reporting/rates/server/index.ts';
import type { Consolidated, metrics } from '../contract.ts';
import { between, dayEnd } from './receivables.ts';
import { billedCurrencies } from './store.ts';
import { agedTotals } from './store-ledger.ts';
import { revenueOf } from './store-revenue.ts';

/**
 * Converts revenue by month at the rates of the month's last day (or of `to`, if that is earlier), and
 * receivables at the end of `to` at the rates of that day. `knownAt`: uses the rates as known then, so that a
 * report can be reproduced after rates were changed.
 */
export async function consolidated(
  ctx: Ctx,
  { from, to, knownAt = ctx.now }: In<typeof metrics.consolidated>,
): Promise<Out<typeof metrics.consolidated>> {
  const time = await between(ctx, from, to);
  const zone = await ctx.setting(timeZoneSetting);
  const target = await ctx.setting(reportingCurrency);
  const converters = new Map<LocalDay, Awaited<ReturnType<typeof converterOn>>>();
  const figure = async (amount: Money, day: LocalDay): Promise<Consolidated> => {
    const convert = converters.get(day) ?? (await converterOn(ctx, day, target, knownAt));
    converters.set(day, convert);
    const found = convert(amount);
    return { day, amount, rate: found?.rate ?? null, converted: found?.amount ?? null };
  };
  const revenue: Out<typeof metrics.consolidated>['revenue'] = [];
  const receivables: Consolidated[] = [];
  for (const currency of await billedCurrencies(ctx)) {
    for (const { month, total } of await revenueOf(ctx, currency, time, zone)) {
      const last = lastDayOf(month);
      revenue.push({ month, ...(await figure(total, last < to ? last : to)) });
    }
    const { total } = await agedTotals(ctx, currency, dayEnd(to, zone));
    if (total.minor !== 0n) receivables.push(await figure(total, to));
  }
  return {
    currency: target,
    knownAt,
    revenue: revenue.toSorted((a, b) => (a.month < b.month ? -1 : a.month > b.month ? 1 : 0)),
    revenueTotal: sumOf(revenue, target),
    receivables,
    receivablesTotal: sumOf(receivables, target),
  };
}

/** The sum of converted figures; null if one has no rate. */
function sumOf(figures: readonly Consolidated[], currency: Money['currency']): Money | null {
  let minor = 0n;
  for (const { converted } of figures) {
    if (converted === null) return null;
    minor += converted.minor;
  }
  return money(minor, currency);
}
