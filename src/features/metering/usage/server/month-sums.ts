// How the days of a month lead to its bill: what only the whole month decides is named beside them.
import { sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { moneyDecimal, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { monthsOfDays } from '../rules.ts';
import { loadMonths } from './billable.ts';
import type { UsagePlace } from './price-periods.ts';
import { chargesOf } from './charged-months.ts';
import { metersOfSubscriptions } from './meters-of-services.ts';
import { monthRows } from './store-rollups.ts';

/** A subscription's month; all amounts but the last are exact and add up to it. */
export type MonthSum = {
  readonly month: BillingMonth;
  readonly subscriptionId: string;
  readonly days: Decimal;
  /** The cost of usage that is in no day. */
  readonly wholeMonth: Decimal;
  readonly fees: Decimal;
  readonly limits: Decimal;
  readonly rounding: Decimal;
  readonly billed: Money;
};

/** Sums up the months whose days so far are all in a range, by the costs of their days. */
export async function monthSums(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  { from, to, zone }: { readonly from: LocalDay; readonly to: LocalDay; readonly zone: string },
  days: {
    readonly places: readonly UsagePlace[];
    readonly costsOf: (subscriptionId: string) => readonly Decimal[];
  },
): Promise<MonthSum[]> {
  const months = monthsOfDays(from, to, dayOf(ctx.now, zone), monthOf(ctx.now, zone));
  if (months.length === 0 || subscriptions.length === 0) return [];
  const loaded = await loadMonths(ctx, subscriptions, months);
  const [rows, metersIn] = await Promise.all([
    monthRows(
      ctx,
      subscriptions.map(({ id }) => id),
      months,
    ),
    metersOfSubscriptions(ctx, subscriptions, loaded.offers),
  ]);
  const sums: MonthSum[] = [];
  const byCurrency = Map.groupBy(loaded.metered, ({ service }) => service.pricing.currency);
  for (const [currency, metered] of byCurrency) {
    const charged = await chargesOf(ctx, { ...loaded, metered }, { months, zone, currency, metersIn, rows });
    for (const each of metered) {
      const { id } = each.subscription;
      const costs = days.costsOf(id);
      for (const month of months) {
        const { cost, fees, limits, billed } = charged(each, month);
        const ofDays = sumDecimals(
          days.places.map(({ day }, index) => (day.startsWith(month) ? (costs[index] ?? zero) : zero)),
        );
        sums.push({
          month,
          subscriptionId: id,
          days: ofDays,
          wholeMonth: cost.minus(fees).minus(limits).minus(ofDays),
          fees,
          limits,
          rounding: moneyDecimal(billed).minus(cost),
          billed,
        });
      }
    }
  }
  return sums;
}
