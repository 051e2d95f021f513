// Metrics for Admins: months with their movements, the customers and lines behind them, cohorts.
import type { In, Out } from '#kernel/contract.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, monthNumber, monthOf, monthOfNumber } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { mainCurrency } from '#features/invoicing/billing/server/index.ts';
import { reportingCurrency } from '#features/reporting/rates/server/index.ts';
import { movementKinds, type Cohort, type MetricMonth, type metrics } from '../contract.ts';
import { averageOf, percentText, retentionOf } from '../rules.ts';
import { overviewOf } from './overview-consolidated.ts';
import { dayEnd } from './receivables.ts';
import {
  billedCurrencies,
  cohortRows,
  lastClosed,
  linesOf,
  monthRows,
  movementRows,
  pageOfChanges,
  pageOfRevenue,
  proofOf,
  revenueOfBiggest,
  yearKept,
  type MonthRow,
} from './store.ts';
import { agedTotals } from './store-ledger.ts';
import { isStale } from './store-refresh.ts';

const usualMonths = 12;
const noMonth = (no: number): MonthRow => ({ no, customers: 0, recurring: 0n, usage: 0n, once: 0n });

/** Returns months of a currency from `from` to `to`, inclusive, with the movements of each. */
export async function monthsOf(
  ctx: Ctx,
  currency: Currency,
  from: number,
  to: number,
): Promise<MetricMonth[]> {
  const rows = await monthRows(ctx, currency, from - 1, to);
  const movements = Map.groupBy(await movementRows(ctx, currency, from, to), ({ no }) => no);
  return Array.from({ length: to - from + 1 }, (_, place) => {
    const no = from + place;
    const row = rows.get(no) ?? noMonth(no);
    const before = rows.get(no - 1) ?? noMonth(no - 1);
    const of = (kind: (typeof movementKinds)[number]) => {
      const found = movements.get(no)?.find((one) => one.kind === kind);
      return { minor: found?.minor ?? 0n, customers: found?.customers ?? 0 };
    };
    const byKind = {
      new: of('new'),
      reactivation: of('reactivation'),
      expansion: of('expansion'),
      contraction: of('contraction'),
      churn: of('churn'),
    };
    const average = averageOf(row.recurring, row.customers);
    return {
      month: monthOfNumber(no),
      opening: money(before.recurring, currency),
      movements: movementKinds.map((kind) => ({
        kind,
        amount: money(byKind[kind].minor, currency),
        customers: byKind[kind].customers,
      })),
      exchange: money(0n, currency),
      recurring: money(row.recurring, currency),
      usage: money(row.usage, currency),
      once: money(row.once, currency),
      customers: row.customers,
      average: average === null ? null : money(average, currency),
      ...retentionOf({ opening: before.recurring, movements: byKind }, before.customers),
    };
  });
}

/** Returns the closed months of a currency, and what is overdue today. */
export async function summary(
  ctx: Ctx,
  input: In<typeof metrics.summary>,
): Promise<Out<typeof metrics.summary>> {
  const zone = await ctx.setting(timeZoneSetting);
  const main = await ctx.setting(mainCurrency);
  const found = await billedCurrencies(ctx);
  const currencies = [...found].toSorted((a, b) => Number(b === main) - Number(a === main));
  const currency = input.currency ?? currencies[0] ?? main;
  const runningMonth = monthOf(ctx.now, zone);
  const lastMonth = await lastClosed(ctx, runningMonth);
  const last = lastMonth === null ? null : monthNumber(lastMonth);
  const today = dayOf(ctx.now, zone);
  const shared = {
    currencies,
    lastMonth,
    runningMonth,
    reportingCurrency: await ctx.setting(reportingCurrency),
    isUpdating: await isStale(ctx),
  };
  const count = input.months ?? usualMonths;
  if (input.consolidated && last !== null)
    return {
      ...shared,
      isConsolidated: true,
      ...(await overviewOf(ctx, currencies, last - count + 1, last, {
        day: today,
        end: dayEnd(today, zone),
      })),
      proof: null,
    };
  const aged = await agedTotals(ctx, currency, dayEnd(today, zone));
  const retained = async (no: number | null): Promise<string | null> => {
    if (no === null) return null;
    const { before, kept } = await yearKept(ctx, currency, no);
    return percentText(kept, before);
  };
  return {
    ...shared,
    currency,
    isConsolidated: false,
    lacking: [],
    months: last === null ? [] : await monthsOf(ctx, currency, last - count + 1, last),
    yearRetention: await retained(last),
    previousYearRetention: await retained(last === null ? null : last - 1),
    overdue: money(aged.total.minor - aged.current.minor, currency),
    receivable: aged.total,
    proof: await proofOf(ctx, currency),
  };
}

/** Returns the customers behind a month's movements. */
export function movements(
  ctx: Ctx,
  { currency, month, ...input }: In<typeof metrics.movements>,
): Promise<Out<typeof metrics.movements>> {
  return pageOfChanges(ctx, currency, month, input);
}

/** A month's whole revenue in a currency. */
async function wholeOf(ctx: Ctx, currency: Currency, month: BillingMonth): Promise<bigint> {
  const no = monthNumber(month);
  const row = (await monthRows(ctx, currency, no, no)).get(no) ?? noMonth(no);
  return row.recurring + row.usage + row.once;
}

const biggest = [1, 5, 10] as const;
/** Returns what customers were charged for a month, and the share of the largest ones. */
export async function customers(
  ctx: Ctx,
  { currency, month, ...input }: In<typeof metrics.customers>,
): Promise<Out<typeof metrics.customers>> {
  const whole = await wholeOf(ctx, currency, month);
  const ofBiggest = await revenueOfBiggest(ctx, currency, month, biggest);
  return {
    ...(await pageOfRevenue(ctx, currency, month, whole, input)),
    whole: money(whole, currency),
    concentration: biggest.map((number, index) => ({
      customers: number,
      percent: percentText(ofBiggest[index] ?? 0n, whole),
    })),
  };
}

/** Returns the lines behind a customer's revenue in a month. */
export async function lines(
  ctx: Ctx,
  { currency, month, organizationId }: In<typeof metrics.lines>,
): Promise<Out<typeof metrics.lines>> {
  return { items: await linesOf(ctx, currency, month, organizationId) };
}

/**
 * Returns customers grouped by their first month, oldest first; each cohort's months reach to the last closed
 * one.
 */
export async function cohortsOf(ctx: Ctx, currency: Currency, months: number): Promise<Cohort[]> {
  const running = monthOf(ctx.now, await ctx.setting(timeZoneSetting));
  const lastMonth = await lastClosed(ctx, running);
  if (lastMonth === null) return [];
  const last = monthNumber(lastMonth);
  const rows = Map.groupBy(await cohortRows(ctx, currency, last - months + 1, last), ({ first }) => first);
  return [...rows].map(([first, ofCohort]): Cohort => {
    const at = (no: number) => ofCohort.find((row) => row.no === no) ?? { customers: 0, minor: 0n };
    const start = at(first);
    return {
      month: monthOfNumber(first),
      customers: start.customers,
      amount: money(start.minor, currency),
      kept: Array.from({ length: last - first + 1 }, (_, place) => {
        const now = at(first + place);
        return {
          month: monthOfNumber(first + place),
          customers: now.customers,
          amount: money(now.minor, currency),
          customersPercent: percentText(BigInt(now.customers), BigInt(start.customers)),
          amountPercent: percentText(now.minor, start.minor),
        };
      }),
    };
  });
}
export async function cohorts(
  ctx: Ctx,
  input: In<typeof metrics.cohorts>,
): Promise<Out<typeof metrics.cohorts>> {
  return { items: await cohortsOf(ctx, input.currency, input.months ?? usualMonths) };
}
