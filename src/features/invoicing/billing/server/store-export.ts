// SQL of bill exports: a row for each line and one for each bill's tax.
import { sql, type RawBuilder } from 'kysely';
import { currencies, currencyCodes, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { FeeShare } from '#features/selling/rating/contract.ts';
import type { ChargeName } from '#features/selling/subscriptions/contract.ts';
import type { Bill } from '../contract.ts';
import type { BilledCharge } from '../rules-focus.ts';

export type ChargeRow = {
  number: string;
  month: BillingMonth;
  state: Bill['state'];
  issued_at: string;
  due_at: string;
  period_start: Date;
  period_end: Date;
  organization_id: string;
  organization: string;
  time_zone: string;
  currency: Currency;
  kind: BilledCharge['kind'];
  amount_minor: bigint;
  quantity: string;
  unit: string;
  unit_price: string | null;
  exact_amount: string | null;
  /** In tables: the share of its period that a rate card fee covers. */
  fee_share?: FeeShare | null;
  subscription_id: string;
  for_month: BillingMonth | null;
  service_id: string;
  service_name: string;
  /** The name of the rate card charge or of the term, in both languages. */
  charge_name: ChargeName['name'] | null;
  service_type: string | null;
  service_category: string | null;
  service_tags: readonly string[] | null;
  taken_back: NonNullable<BilledCharge['takenBack']> | null;
  /** The commitment that the line drew from and the amount; without an amount for reversals. */
  commitment: {
    readonly id: string;
    readonly name: ChargeName['name'];
    readonly minor: string | null;
  } | null;
  issuer: string | null;
  /** The organization that used the services, if another one is billed; the id only in FOCUS files. */
  user_id?: string | null;
  used_by: string | null;
};
/** Selects bills: a condition on `bill b` and `organization o`. */
type BillCondition = RawBuilder<unknown>;

/**
 * Each file reads only the columns it shows: reading the database's result takes half the time of a long
 * export.
 */
export const chargeNames = (isFocus: boolean): readonly string[] => [
  'number',
  'organization',
  'currency',
  'kind',
  'amount_minor',
  'quantity',
  'unit',
  'subscription_id',
  'for_month',
  'service_name',
  'charge_name',
  'taken_back',
  ...(isFocus
    ? [
        'period_start',
        'period_end',
        'organization_id',
        'time_zone',
        'service_id',
        'service_type',
        'service_category',
        'service_tags',
        'issuer',
        'commitment',
        'user_id',
      ]
    : ['month', 'state', 'issued_at', 'due_at', 'unit_price', 'exact_amount', 'fee_share']),
  'used_by',
];

/**
 * The share of its period that line `l` covers, if it is a rate card fee; it is only in its steps, so they
 * are not read for other lines.
 */
export const feeShare = sql`case when l.charge is not null and l.kind in ('base_fee', 'credit') then l.arithmetic -> 0 -> 'share' end`;

/** A time as files show it, in UTC to the second. */
export const momentText = (moment: string): RawBuilder<unknown> =>
  sql`to_char(${sql.ref(moment)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

// The number of minor units per major unit of a bill's currency.
const billDigits = sql`case b.currency ${sql.join(
  currencyCodes.map((code) => sql`when ${sql.lit(code)} then ${sql.lit(currencies[code].billingDigits)}`),
  sql` `,
)} end`;
const rateText = sql`(tax ->> 'rate') || ' %'`;

// Keeps PostgreSQL from evaluating per line what is the same for all lines of a bill.
const onceEach = sql`offset 0`;

/**
 * The commitment that each line of bill `b` drew from, by position; null if none. `minor`: with the amount;
 * `null`: for reversed charges, which have no quantity.
 */
export const drawsOfBill = (
  amount: 'minor' | 'null',
): RawBuilder<unknown> => sql`(select jsonb_object_agg(x.of ->> 'position',
    jsonb_build_object('id', c.id, 'name', jsonb_build_object('zhTW', c.name_zh_tw, 'enUS', c.name_en_us), 'minor', ${amount === 'minor' ? sql`x.of ->> 'minor'` : sql`null`})) as of
  from commitment_use u join commitment c on c.id = u.commitment_id cross join lateral jsonb_array_elements(u.draws) as x (of) where u.bill_id = b.id)`;

/**
 * Selects the charges of bills in the order of bills and lines, with the columns of a FOCUS file or of a
 * table.
 */
export function chargesQuery(where: BillCondition, isFocus: boolean): RawBuilder<ChargeRow> {
  const own = isFocus
    ? sql`b.period_start, b.period_end, b.organization_id, coalesce(h.time_zone, o.time_zone), l.service_id, s.type, s.category, s.tags, h.brand, d.of -> l.position::text, b.used_by_id, b.used_by_name`
    : sql`b.month, b.state, at.issued, at.due, trim_scale(l.unit_price)::text, trim_scale(l.exact_amount)::text, ${feeShare}, b.used_by_name`;
  // The tax follows the lines of its bill, so that a bill's rows add up to its total. In a table, each tax on
  // a bill has its own row, named by its rate.
  const taxes = isFocus
    ? sql`select 2147483647, 'tax', b.tax_minor, 1, '', null, null, '', null, '', '', null, null, null where b.tax_minor <> 0`
    : sql`select 2147483647, 'tax', b.tax_minor, 1, '', null, null, '', null, '', '', null, null, null where b.tax_minor <> 0 and b.taxes is null
        union all select (2147480000 + place)::int, 'tax', round((tax -> 'tax' ->> 'amount')::numeric * power(10::numeric, ${billDigits}))::bigint, 1, '', null, null, '', null, '', '', jsonb_build_object('name', jsonb_build_object('zhTW', ${rateText}, 'enUS', ${rateText})), null, null
          from jsonb_array_elements(b.taxes) with ordinality as t (tax, place) where (tax -> 'tax' ->> 'amount')::numeric <> 0`;
  const charges = sql`select b.number, o.name, b.currency, l.kind, l.amount_minor, trim_scale(l.quantity)::text, l.unit, coalesce(l.subscription_id, ''), l.for_month, l.service_name, coalesce(l.charge, l.term) -> 'name', null::text, ${own}
    from bill b join organization o on o.id = b.organization_id
      ${isFocus ? sql`left join bill_letterhead h on h.id = b.letterhead_id left join lateral ${drawsOfBill('minor')} d on true` : sql`cross join lateral (select ${momentText('b.issued_at')} as issued, ${momentText('b.due_at')} as due ${onceEach}) at`}
      cross join lateral (select position, kind, amount_minor, quantity, unit, unit_price, exact_amount, subscription_id, for_month, coalesce(service_id, term ->> 'id') as service_id, service_name, charge, term, arithmetic from bill_line where bill_id = b.id
        union all ${taxes}) l
      ${isFocus ? sql`left join service s on s.id = l.service_id` : sql``}
    where ${where} order by b.id, l.position`;
  return named(charges, isFocus);
}

/** Selects the columns of a query in the order of {@link chargeNames}, with those names. */
export const named = (query: RawBuilder<unknown>, isFocus: boolean): RawBuilder<ChargeRow> =>
  sql<ChargeRow>`select * from (${query}) as charge (${sql.join(chargeNames(isFocus).map((name) => sql.ref(name)))})`;

/** Concatenates two queries. */
export const followedBy = (
  first: RawBuilder<ChargeRow>,
  second: RawBuilder<ChargeRow>,
): RawBuilder<ChargeRow> => sql<ChargeRow>`(${first}) union all (${second})`;

/** Counts the charges of bills, from the bills alone except for older ones without a stored count. */
export async function countCharges(ctx: Ctx, where: BillCondition, isFocus: boolean): Promise<number> {
  // PostgreSQL removes an outer join if the condition does not refer to the organization.
  const { rows } = await sql<{
    total: bigint;
  }>`select coalesce(sum(coalesce(b.line_count, (select count(*) from bill_line where bill_id = b.id)) + ${isFocus ? sql`(b.tax_minor <> 0)::int` : sql`case when b.taxes is null then (b.tax_minor <> 0)::int else (select count(*) from jsonb_array_elements(b.taxes) as tax where (tax -> 'tax' ->> 'amount')::numeric <> 0) end`}), 0)::bigint as total
    from bill b left join organization o on o.id = b.organization_id where ${where}`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}
