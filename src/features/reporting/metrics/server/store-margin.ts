// SQL of margin: charges and costs of subscriptions, by customer or by service.
import { sql, type RawBuilder } from 'kysely';
import { trimDecimal, unitsOf, unitsText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { currencies, isCurrency, money, type Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import { monthNumber, monthOfNumber, monthsFrom } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import { usedBy } from '#features/invoicing/billing/server/index.ts';
import type { MarginBy, MarginCost, MarginLine, MarginRow, MarginSums } from '../contract.ts';
import { percentText } from '../rules.ts';
import { revenueRows } from './store-refresh.ts';

/**
 * A range of month numbers, both inclusive, in one currency; optionally limited to a customer or a service
 * ('' for revenue without a service).
 */
export type MarginOf = {
  readonly currency: Currency;
  readonly from: number;
  readonly to: number;
  readonly organizationId?: Id<'org'> | undefined;
  readonly serviceId?: string | undefined;
};
const firstDay = (no: number): RawBuilder<unknown> => sql`${`${monthOfNumber(no)}-01`}::date`;
const monthOfDay = sql`(extract(year from s.day) * 12 + extract(month from s.day) - 1)::int`;

/**
 * The cost of subscriptions by month in the currency of their bills, at the rates of the imports. `known` is
 * null if none of a month's cost has a rate into that currency; `lacking` if some of it has none.
 */
const costs = ({ currency, from, to }: MarginOf): RawBuilder<unknown> =>
  sql`select b.organization_id, s.subscription_id, ${monthOfDay} as month_no, sum(s.cost_sold_currency) filter (where s.reason is null) as known, bool_or(s.reason is not null and s.cost <> 0) as lacking
    from cost_sold s join subscription b on b.id = s.subscription_id where s.sold_currency = ${currency} and s.day >= ${firstDay(from)} and s.day < ${firstDay(to + 1)} group by 1, 2, 3`;

/** Revenue and cost of each subscription and month; the cost is null if unknown. */
function sides(of: MarginOf): RawBuilder<unknown> {
  const { currency, from, to, organizationId, serviceId } = of;
  return sql`select x.*, coalesce(b.service_id, '') as service_id
    from (select coalesce(r.organization_id, c.organization_id) as organization_id, coalesce(r.subscription_id, c.subscription_id) as subscription_id, coalesce(r.minor, 0)::numeric as minor, c.known, coalesce(c.lacking, false) as lacking
      from (select * from metric_subscription where currency = ${currency} and month_no between ${from} and ${to}) r
      full join (${costs(of)}) c on c.organization_id = r.organization_id and c.subscription_id = r.subscription_id and c.month_no = r.month_no) x
    left join subscription b on b.id = x.subscription_id
    where ${allOf(organizationId && sql`x.organization_id = ${organizationId}`, serviceId !== undefined && sql`coalesce(b.service_id, '') = ${serviceId}`)}`;
}

const sums = (currency: Currency): RawBuilder<unknown> => {
  const unit = sql`power(10::numeric, ${sql.lit(currencies[currency].billingDigits)})`;
  return sql`coalesce(sum(minor), 0) as revenue, coalesce(sum(minor) filter (where known is not null), 0) as known_revenue, sum(known) as cost,
    coalesce(sum(minor) filter (where known is not null), 0) / ${unit} - sum(known) as margin, coalesce(bool_or(lacking), false) as lacking`;
};

type SumRow = {
  revenue: string;
  known_revenue: string;
  cost: string | null;
  margin: string | null;
  lacking: boolean;
};
type Row = SumRow & { id: string; name: string };

/** More digits than any stored cost has. */
const digits = 18;
function sumsOf(row: SumRow, currency: Currency): MarginSums {
  const known = BigInt(row.known_revenue);
  const cost = row.cost === null ? null : unitsOf(trimDecimal(row.cost), digits);
  const scaled = known * 10n ** BigInt(digits - currencies[currency].billingDigits);
  return {
    revenue: money(BigInt(row.revenue), currency),
    knownRevenue: money(known, currency),
    knownShare: percentText(known, BigInt(row.revenue)),
    cost: cost === null ? null : unitsText(cost, digits),
    margin: cost === null ? null : unitsText(scaled - cost, digits),
    percent: cost === null ? null : percentText(scaled - cost, scaled),
    isCostLacking: row.lacking,
  };
}

/** Returns the totals of all rows of a list. */
export async function marginTotals(ctx: Ctx, of: MarginOf): Promise<MarginSums> {
  const { rows } = await sql<SumRow>`select ${sums(of.currency)} from (${sides(of)}) s`.execute(ctx.db);
  const row = rows[0] ?? { revenue: '0', known_revenue: '0', cost: null, margin: null, lacking: false };
  return sumsOf(row, of.currency);
}

/** Rows `m` of a list; revenue without a service has '' as id and name. */
function tableOf(of: MarginOf, by: MarginBy): RawBuilder<unknown> {
  const id = by === 'customer' ? sql`organization_id` : sql`service_id`;
  const named = by === 'customer' ? sql`organization` : sql`service`;
  return sql`(select g.*, coalesce(n.name, '') as name from (select ${id} as id, ${sums(of.currency)} from (${sides(of)}) s group by 1) g left join ${named} n on n.id = g.id where g.revenue <> 0 or g.cost is not null or g.lacking) m`;
}

const usual = '-revenue';
/** Rows without a known cost come last in both directions. */
function orderBy(sort = usual): ListOrder {
  const last = sort.startsWith('-') ? sql`'-Infinity'::numeric` : sql`'Infinity'::numeric`;
  return {
    by: {
      revenue: { expression: sql`m.revenue`, cast: 'numeric' },
      cost: { expression: sql`coalesce(m.cost, ${last})`, cast: 'numeric' },
      margin: { expression: sql`coalesce(m.margin, ${last})`, cast: 'numeric' },
      name: { expression: sql`m.name`, cast: 'text' },
    },
    usual,
    id: sql`m.id`,
  };
}

/** Returns one page of customers or services with revenue and cost, most revenue first. */
export function pageOfMargin(
  ctx: Ctx,
  of: MarginOf,
  by: MarginBy,
  input: SearchInput,
): Promise<Page<MarginRow>> {
  const list = {
    columns: sql<Row>`m.id, m.name, m.revenue, m.known_revenue, m.cost, m.margin, m.lacking`,
    from: tableOf(of, by),
    where: allOf(input.q && sql`m.name ilike ${containsPattern(input.q)}`),
    order: orderBy(input.sort),
  };
  return readPage(ctx.db, input, list, (row): MarginRow => ({
    id: row.id,
    name: row.name,
    ...sumsOf(row, of.currency),
  }));
}

/** Returns all rows of a list, for a file. */
export async function allMargins(ctx: Ctx, of: MarginOf, by: MarginBy): Promise<MarginRow[]> {
  const { rows } =
    await sql<Row>`select m.* from ${tableOf(of, by)} order by ${orderOf(orderBy(), undefined)}`.execute(
      ctx.db,
    );
  return rows.map((row) => ({ id: row.id, name: row.name, ...sumsOf(row, of.currency) }));
}

/**
 * Returns a customer's lines in the months, with whether the cost of each is known, and the cost of its
 * subscriptions by cloud service.
 */
export async function marginLinesOf(
  ctx: Ctx,
  of: MarginOf & { readonly organizationId: Id<'org'> },
): Promise<{ lines: MarginLine[]; costs: MarginCost[] }> {
  const { currency, from, to, organizationId, serviceId } = of;
  const months = monthsFrom(monthOfNumber(from), to - from + 1);
  const where = sql`${usedBy('b')} = ${organizationId} and b.currency = ${currency}`;
  const ofService = serviceId === undefined ? sql`true` : sql`coalesce(v.service_id, '') = ${serviceId}`;
  const { rows: lines } = await sql<{
    bill_id: Id<'bil'>;
    number: string;
    month: BillingMonth;
    position: number;
    kind: MarginLine['kind'];
    service_name: string;
    minor: string;
    is_known: boolean;
  }>`select r.bill_id, r.number, r.month, r.position, r.kind, r.service_name, r.minor, coalesce(c.known is not null, false) as is_known
    from (select bill_id, number, month, position, kind, service_name, subscription_id, sum(minor) as minor from (${revenueRows(months, where)}) l where month = any(${months}::bpchar[]) group by 1, 2, 3, 4, 5, 6, 7 having sum(minor) <> 0) r
    left join subscription v on v.id = r.subscription_id
    left join (${costs(of)}) c on c.subscription_id = r.subscription_id and c.month_no = (left(r.month, 4)::int * 12 + right(r.month, 2)::int - 1)
    where ${ofService} order by r.month, r.number, r.position`.execute(ctx.db);
  const { rows: cost } = await sql<{
    month_no: number;
    service: string;
    cost: string | null;
    lacking: { currency: string; amount: string }[];
  }>`select month_no, service, sum(known) as cost, coalesce(jsonb_agg(jsonb_build_object('currency', cost_currency, 'amount', lacking::text) order by cost_currency) filter (where lacking <> 0), '[]') as lacking
    from (select ${monthOfDay} as month_no, s.service, s.cost_currency, sum(s.cost_sold_currency) filter (where s.reason is null) as known, coalesce(trim_scale(sum(s.cost) filter (where s.reason is not null)), 0) as lacking
      from cost_sold s join subscription v on v.id = s.subscription_id
      where v.organization_id = ${organizationId} and s.sold_currency = ${currency} and s.day >= ${firstDay(from)} and s.day < ${firstDay(to + 1)} and ${ofService} group by 1, 2, 3) x
    group by 1, 2 order by 1, 2`.execute(ctx.db);
  return {
    lines: lines.map((row) => ({
      billId: row.bill_id,
      billNumber: row.number,
      month: row.month,
      position: row.position,
      kind: row.kind,
      serviceName: row.service_name,
      amount: money(BigInt(row.minor), currency),
      isCostKnown: row.is_known,
    })),
    costs: cost.map((row) => ({
      month: monthOfNumber(row.month_no),
      service: row.service,
      cost: row.cost === null ? null : trimDecimal(row.cost),
      lacking: row.lacking.filter((one) => isCurrency(one.currency)),
    })),
  };
}

/** Returns the revenue of the months from the months' totals, which the lists must add up to. */
export async function revenueOfMonths(
  ctx: Ctx,
  currency: Currency,
  from: BillingMonth,
  to: BillingMonth,
): Promise<bigint> {
  const { rows } = await sql<{
    minor: string;
  }>`select coalesce(sum(recurring_minor + usage_minor + once_minor), 0) as minor from metric_month where currency = ${currency} and month_no between ${monthNumber(from)} and ${monthNumber(to)}`.execute(
    ctx.db,
  );
  return BigInt(rows[0]?.minor ?? 0);
}
