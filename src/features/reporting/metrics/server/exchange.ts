// Realized exchange gains and losses in the reporting currency, for each payment and credit note of a bill in
// another currency.
import type { In, Out } from '#kernel/contract.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { monthOfDay } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { converterOn, reportingCurrency, type Converter } from '#features/reporting/rates/server/index.ts';
import type { metrics } from '../contract.ts';
import type { ExchangeGains, Settlement } from '../contract-exchange.ts';
import { gainOf, gainSums, type Convert } from '../rules-exchange.ts';
import { between } from './receivables.ts';
import { settlementsOf, type SettlementRow } from './store-exchange.ts';

type Asked = In<typeof metrics.exchangeGains> &
  Partial<Pick<In<typeof metrics.settlements>, 'organizationId' | 'of'>>;
type Found = { readonly row: SettlementRow; readonly shown: Settlement };

/** The settlements of a period, each with its rates; the rates of a day are read once. */
export async function settledIn(
  ctx: Ctx,
  { from, to, knownAt = ctx.now, organizationId, of }: Asked,
): Promise<{ readonly currency: Currency; readonly knownAt: Date; readonly found: readonly Found[] }> {
  await between(ctx, from, to);
  const zone = await ctx.setting(timeZoneSetting);
  const reporting = await ctx.setting(reportingCurrency);
  const rows = await settlementsOf(ctx, {
    from,
    to,
    zone,
    reporting,
    ...(organizationId && { organizationId }),
    ...(of && { of }),
  });
  const converters = new Map<LocalDay, Converter>();
  for (const day of new Set(rows.flatMap((row) => [row.billDay, row.day])))
    converters.set(day, await converterOn(ctx, day, reporting, knownAt));
  const found = rows.map((row): Found => {
    const on = (day: LocalDay) => (minor: bigint) => converters.get(day)?.(money(minor, row.currency));
    const convert =
      (day: LocalDay): Convert =>
      (minor) =>
        on(day)(minor)?.amount.minor ?? null;
    const { booked, value, gain } = gainOf(row, convert(row.billDay), convert(row.day));
    const shown = (minor: bigint | null): Money | null => (minor === null ? null : money(minor, reporting));
    return {
      row,
      shown: {
        kind: row.kind,
        number: row.number,
        paymentId: row.paymentId,
        billId: row.billId,
        billNumber: row.billNumber,
        billDay: row.billDay,
        day: row.day,
        amount: money(row.minor, row.currency),
        billRate: on(row.billDay)(0n)?.rate ?? null,
        rate: on(row.day)(0n)?.rate ?? null,
        booked: shown(booked),
        value: shown(value),
        gain: shown(gain),
      },
    };
  });
  return { currency: reporting, knownAt, found };
}

const sumsOf = (found: readonly Found[]) =>
  gainSums(
    found.map(({ shown: { booked, value, gain } }) => ({
      booked: booked?.minor ?? null,
      value: value?.minor ?? null,
      gain: gain?.minor ?? null,
    })),
  );

/** Gains by month, customer and currency of the bills; oldest month first, then by customer name. */
export async function exchangeGains(
  ctx: Ctx,
  input: In<typeof metrics.exchangeGains>,
): Promise<Out<typeof metrics.exchangeGains>> {
  const { currency, knownAt, found } = await settledIn(ctx, input);
  const groups = Map.groupBy(
    found,
    ({ row }) => `${row.day.slice(0, 7)} ${row.organizationId} ${row.currency}`,
  );
  const items = [...groups.values()].flatMap((group): ExchangeGains[] => {
    const [first] = group;
    if (!first) return [];
    const { organizationId, organization, currency: of, day } = first.row;
    const { count, unknown, booked, value, gains, losses } = sumsOf(group);
    return [
      {
        month: monthOfDay(day),
        organizationId,
        organization,
        of,
        count,
        unknown,
        settled: money(
          group.reduce((sum, { row }) => sum + row.minor, 0n),
          of,
        ),
        booked: money(booked, currency),
        value: money(value, currency),
        gain: money(gains + losses, currency),
      },
    ];
  });
  const { unknown, gains, losses } = sumsOf(found);
  return {
    currency,
    knownAt,
    items: items.toSorted(
      (a, b) =>
        a.month.localeCompare(b.month) ||
        a.organization.localeCompare(b.organization) ||
        a.of.localeCompare(b.of),
    ),
    gains: money(gains, currency),
    losses: money(losses, currency),
    net: money(gains + losses, currency),
    unknown,
  };
}

/** The settlements behind a customer's gains and losses of a period. */
export async function settlements(
  ctx: Ctx,
  input: In<typeof metrics.settlements>,
): Promise<Out<typeof metrics.settlements>> {
  const { currency, found } = await settledIn(ctx, input);
  return { currency, items: found.map(({ shown }) => shown) };
}
