// The margin of a month: the amounts on the customers' bills, issued or upcoming, compared with the cost.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { unitsOf } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isCurrency, moneyText, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { csvMediaType, csvOf } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { costImports, Margin, MarginRow } from '../contract.ts';
import { costDigits, costText } from '../rules-exact.ts';
import { marginPercent } from '../rules-sell.ts';
import { unassignedOfMonth } from './store-margin.ts';
import { marginSums, resoldSubscriptions } from './store-sold.ts';

/**
 * Returns the usage of subscriptions on a month's issued bills, before tax. Passed in by the app, because
 * billing depends on metering.
 */
export type BilledUsage = (
  ctx: Ctx,
  subscriptionIds: readonly string[],
  month: BillingMonth,
) => Promise<readonly { readonly subscriptionId: string; readonly amount: Money }[]>;

type Row = {
  organization: string;
  organizationId: Id<'org'>;
  service: string;
  currency: Currency;
  sold: bigint;
  cost: bigint;
  isIssued: boolean;
};

export const marginVerbs = ({ billedUsage }: { readonly billedUsage: BilledUsage }) => {
  /**
   * Returns both sides by customer and service. For an issued bill, the difference from what was metered
   * (rounding, minimums, late usage) is a separate row.
   */
  const getMargin = async (ctx: Ctx, { month }: In<typeof costImports.getMargin>): Promise<Margin> => {
    const kept = await marginSums(ctx, month);
    const all = await resoldSubscriptions(ctx);
    const billed = await billedUsage(
      ctx,
      all.map(({ subscriptionId }) => subscriptionId),
      month,
    );
    const issued = new Set(billed.map(({ subscriptionId }) => subscriptionId));
    const rows = new Map<string, Row>();
    const add = (row: Row): void => {
      const key = JSON.stringify([row.organizationId, row.currency, row.service]);
      const before = rows.get(key);
      if (!before) rows.set(key, row);
      else {
        before.sold += row.sold;
        before.cost += row.cost;
        before.isIssued &&= row.isIssued;
      }
    };
    for (const each of kept) {
      if (!isCurrency(each.currency)) continue;
      const [sold, cost] = [unitsOf(each.sold, costDigits), unitsOf(each.cost, costDigits)];
      add({
        organization: each.organization,
        organizationId: each.organizationId as Id<'org'>,
        service: each.service,
        currency: each.currency,
        sold,
        cost,
        isIssued: issued.has(each.subscriptionId),
      });
    }
    for (const { subscriptionId, amount } of billed) {
      const owner = required(
        all.find((each) => each.subscriptionId === subscriptionId),
        'the owner of a billed subscription',
      );
      const metered = kept
        .filter((each) => each.subscriptionId === subscriptionId)
        .reduce((sum, each) => sum + unitsOf(each.sold, costDigits), 0n);
      const rest = unitsOf(moneyText(amount), costDigits) - metered;
      if (rest !== 0n)
        add({
          organization: owner.organization,
          organizationId: owner.organizationId as Id<'org'>,
          service: '',
          currency: amount.currency,
          sold: rest,
          cost: 0n,
          isIssued: true,
        });
    }
    const list = [...rows.values()];
    const totals = [...Map.groupBy(list, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      ...figures(
        own.reduce((sum, { sold }) => sum + sold, 0n),
        own.reduce((sum, { cost }) => sum + cost, 0n),
      ),
    }));
    return {
      month,
      rows: list.map(({ sold, cost, ...row }): MarginRow => ({ ...row, ...figures(sold, cost) })),
      totals,
      unassigned: await unassignedOfMonth(ctx, month),
    };
  };
  const exportMargin = async (
    ctx: Ctx,
    { month, language }: In<typeof costImports.exportMargin>,
  ): Promise<FileAnswer> => {
    const { rows, totals } = await getMargin(ctx, { month });
    const text = (key: string): string => ctx.text(key, {}, language ?? ctx.language);
    ctx.audit('costs.exportMargin', undefined, { month, rows: rows.length });
    const header = ['customer', 'service', 'currency', 'sold', 'cost', 'margin', 'percent'].map((name) =>
      // used as: 'costs.column_*'
      text(`costs.column_${name}`),
    );
    const lines = [
      ...rows.map((row) => [
        row.organization,
        row.service === '' ? text('costs.rest_of_bill') : row.service,
        row.currency,
        row.sold,
        row.cost,
        row.margin,
        row.percent ?? '',
      ]),
      ...totals.map((total) => [
        text('costs.total'),
        '',
        total.currency,
        total.sold,
        total.cost,
        total.margin,
        total.percent ?? '',
      ]),
    ];
    return {
      fileName: `margin-${month}.csv`,
      mediaType: csvMediaType,
      totalRows: rows.length,
      body: csvOf(header, lines),
    };
  };
  return { getMargin, exportMargin };
};

const figures = (sold: bigint, cost: bigint) => ({
  sold: costText(sold),
  cost: costText(cost),
  margin: costText(sold - cost),
  percent: marginPercent(sold, cost),
});
