// The overview of all currencies in the reporting currency: months at the rates of their last days.
import { money, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import { lastDayOf, monthOfNumber } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { converterOn, reportingCurrency, type Converter } from '#features/reporting/rates/server/index.ts';
import { movementKinds, type MetricMonth, type MetricSummary, type MovementKind } from '../contract.ts';
import { averageOf, percentText } from '../rules.ts';
import {
  consolidatedMonth,
  lackingOf,
  type ConvertAt,
  type CurrencyMonth,
  type Figures,
} from '../rules-consolidated.ts';
import type { DayEnd } from './store-ledger.ts';
import { agedTotals } from './store-ledger.ts';
import { customersOfAll, monthRows, movementRows, yearKept } from './store.ts';

type Overview = Pick<
  MetricSummary,
  'months' | 'lacking' | 'yearRetention' | 'previousYearRetention' | 'overdue' | 'receivable'
> & { readonly currency: Currency };
const nothing: Readonly<Record<MovementKind, bigint>> = {
  new: 0n,
  reactivation: 0n,
  expansion: 0n,
  contraction: 0n,
  churn: 0n,
};

/** The months of all currencies by index: the first is the month before `from`. */
async function figuresOf(
  ctx: Ctx,
  currencies: readonly Currency[],
  from: number,
  to: number,
): Promise<{ months: Figures[]; movedCustomers: ReadonlyMap<string, number> }> {
  const months = Array.from({ length: to - from + 2 }, () => new Map<Currency, CurrencyMonth>());
  const movedCustomers = new Map<string, number>();
  for (const currency of currencies) {
    const rows = await monthRows(ctx, currency, from - 1, to);
    const moved = Map.groupBy(await movementRows(ctx, currency, from, to), ({ no }) => no);
    for (const [place, figures] of months.entries()) {
      const no = from - 1 + place;
      const row = rows.get(no);
      const movements = moved.get(no) ?? [];
      if (!row && movements.length === 0) continue;
      figures.set(currency, {
        recurring: row?.recurring ?? 0n,
        usage: row?.usage ?? 0n,
        once: row?.once ?? 0n,
        moved: { ...nothing, ...Object.fromEntries(movements.map(({ kind, minor }) => [kind, minor])) },
      });
      for (const { kind, customers } of movements)
        movedCustomers.set(`${no} ${kind}`, (movedCustomers.get(`${no} ${kind}`) ?? 0) + customers);
    }
  }
  return { months, movedCustomers };
}

/** Returns the conversion at the last days of months. */
async function convertersOf(ctx: Ctx, reporting: Currency, numbers: readonly number[]): Promise<Converter[]> {
  const found: Converter[] = [];
  for (const no of numbers) {
    const last = lastDayOf(monthOfNumber(no));
    found.push(await converterOn(ctx, last, reporting));
  }
  return found;
}

/**
 * Returns closed months from `from` to `to` (month numbers). They start after the last one that lacks a rate,
 * because rates are never guessed and each month is compared with the previous one; `lacking` lists the
 * missing rates.
 */
export async function overviewOf(
  ctx: Ctx,
  currencies: readonly Currency[],
  from: number,
  to: number,
  today: { readonly day: LocalDay; readonly end: DayEnd },
): Promise<Overview> {
  const reporting = await ctx.setting(reportingCurrency);
  const { months: figures, movedCustomers } = await figuresOf(ctx, currencies, from, to);
  const converters = await convertersOf(
    ctx,
    reporting,
    figures.map((_, place) => from - 1 + place),
  );
  const convert: ConvertAt = (place, currency, minor) =>
    converters[place]?.(money(minor, currency))?.amount.minor ?? null;
  const places = figures.map((_, place) => place).slice(1);
  const lacking = places.flatMap((place) =>
    lackingOf(figures, place, convert).map((currency) => ({
      month: monthOfNumber(from - 1 + place),
      currency,
    })),
  );
  const lastLacking = places.findLast((place) => lackingOf(figures, place, convert).length > 0) ?? 0;
  const customers = await customersOfAll(ctx, from - 1, to);
  const months = places
    .filter((place) => place > lastLacking)
    .map((place): MetricMonth => {
      const no = from - 1 + place;
      const month = consolidatedMonth(figures, place, convert);
      const amount = (minor: bigint): Money => money(minor, reporting);
      const now = customers.get(no)?.customers ?? 0;
      const before = customers.get(no - 1) ?? { customers: 0, lost: 0 };
      const { moved, openingNow } = month;
      const average = averageOf(month.closing, now);
      return {
        month: monthOfNumber(no),
        opening: amount(month.opening),
        movements: movementKinds.map((kind) => ({
          kind,
          amount: amount(moved[kind]),
          customers: movedCustomers.get(`${no} ${kind}`) ?? 0,
        })),
        exchange: amount(month.exchange),
        recurring: amount(month.closing),
        usage: amount(month.usage),
        once: amount(month.once),
        customers: now,
        average: average === null ? null : amount(average),
        netRetention: percentText(openingNow + moved.expansion + moved.contraction + moved.churn, openingNow),
        revenueChurn: percentText(-moved.churn, openingNow),
        customerChurn: percentText(BigInt(before.lost), BigInt(before.customers)),
      };
    });
  const retained = async (no: number): Promise<string | null> => {
    let [before, kept] = [0n, 0n];
    for (const currency of currencies) {
      const year = await yearKept(ctx, currency, no);
      const at = no - (from - 1);
      const [then, since] = [convert(at, currency, year.before), convert(at, currency, year.kept)];
      if (year.before === 0n) continue;
      if (then === null || since === null) return null;
      before += then;
      kept += since;
    }
    return percentText(kept, before);
  };
  return {
    currency: reporting,
    months,
    lacking,
    yearRetention: await retained(to),
    previousYearRetention: from - 1 <= to - 1 ? await retained(to - 1) : null,
    ...(await receivablesOf(ctx, currencies, reporting, today)),
  };
}

/** Receivables and overdue amounts today, at today's rates; null if a rate is missing. */
async function receivablesOf(
  ctx: Ctx,
  currencies: readonly Currency[],
  reporting: Currency,
  { day, end }: { readonly day: LocalDay; readonly end: DayEnd },
): Promise<Pick<MetricSummary, 'overdue' | 'receivable'>> {
  const convert = await converterOn(ctx, day, reporting);
  const [all, late]: [Money[], Money[]] = [[], []];
  for (const currency of currencies) {
    const aged = await agedTotals(ctx, currency, end);
    const overdue = money(aged.total.minor - aged.current.minor, currency);
    if (aged.total.minor === 0n && overdue.minor === 0n) continue;
    const [total, part] = [convert(aged.total), convert(overdue)];
    if (!total || !part) return { overdue: null, receivable: null };
    all.push(total.amount);
    late.push(part.amount);
  }
  return { overdue: sumMoney(late, reporting), receivable: sumMoney(all, reporting) };
}
