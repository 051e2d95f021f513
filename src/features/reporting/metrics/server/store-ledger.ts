// SQL of reports that add up to the ledger: receivables by age, receipts and taxes. Amounts come from bills,
// payments, credit notes and refunds; the ledger only tells when they were booked.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { currencies, money, type Currency } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import { referenceTables } from '#features/reporting/books/server/index.ts';
import { agingBuckets, type Aged, type AgedCustomer, type Receipt, type TaxOfRate } from '../contract.ts';
import { bucketStarts } from '../rules.ts';

type AgedRow = { id: Id<'org'>; organization: string } & Record<keyof Aged, string>;
const sums = sql.join(agingBuckets.map((bucket) => sql`sum(${sql.ref(bucket)}) as ${sql.ref(bucket)}`));

/**
 * The end of a day: the position among the ledger's transactions, and the time zone that determines due days.
 */
export type DayEnd = { readonly day: LocalDay; readonly until: string; readonly zone: string };

/**
 * What was due on each customer's bills at the end of a day, by days overdue. Computed as the present due
 * amount less what the ledger has booked for the bill since.
 */
export function agedCustomers(currency: Currency, { day, until, zone }: DayEnd): RawBuilder<unknown> {
  const late = sql`(${day}::date - (d.due_at at time zone ${zone})::date)`;
  const starts = [undefined, bucketStarts.d30, bucketStarts.d60, bucketStarts.d90, bucketStarts.older];
  const columns = agingBuckets.map((bucket, index) => {
    const [from, to] = [starts[index], starts[index + 1]];
    return sql`sum(case when ${allOf(from !== undefined && sql`${late} >= ${sql.lit(from)}`, to !== undefined && sql`${late} < ${sql.lit(to)}`)} then d.minor else 0 end) as ${sql.ref(bucket)}`;
  });
  return sql`(with since as (select b.id, sum(e.amount_minor) as minor from ledger_account a join ledger_entry e on e.account_id = a.id and e.transaction_id >= ${until} join ledger_transaction t on t.id = e.transaction_id ${referenceTables}
        where a.kind = 'receivable' and a.currency = ${currency} and b.id is not null group by 1),
      due as (select b.organization_id, b.due_at, case when b.state = 'open' then b.total_minor - b.paid_minor - b.credited_minor else 0 end - coalesce(s.minor, 0) as minor
        from bill b left join since s on s.id = b.id where b.currency = ${currency} and (b.state = 'open' or s.id is not null))
    select d.organization_id, sum(d.minor) as total, ${sql.join(columns)} from due d where d.minor <> 0 group by 1)`;
}

const agedOrder: ListOrder = {
  by: {
    total: { expression: sql`c.total`, cast: 'numeric' },
    older: { expression: sql`c.older`, cast: 'numeric' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-total',
  id: sql`o.id`,
};
export const agedColumns = sql<AgedRow>`o.id, o.name as organization, c.total, ${sql.join(agingBuckets.map((bucket) => sql.ref(`c.${bucket}`)))}`;
export const agedTables = (currency: Currency, end: DayEnd): RawBuilder<unknown> =>
  sql`${agedCustomers(currency, end)} c join organization o on o.id = c.organization_id`;

export function toAged(row: Readonly<Record<keyof Aged, string | null>>, currency: Currency): Aged {
  const of = (name: keyof Aged) => money(BigInt(row[name] ?? '0'), currency);
  return {
    total: of('total'),
    current: of('current'),
    d30: of('d30'),
    d60: of('d60'),
    d90: of('d90'),
    older: of('older'),
  };
}

/** Returns one page of customers who owed something at the end of a day, largest amount first. */
export function pageOfAged(
  ctx: Ctx,
  currency: Currency,
  end: DayEnd,
  input: SearchInput,
): Promise<Page<AgedCustomer>> {
  const list = {
    columns: agedColumns,
    from: agedTables(currency, end),
    where: allOf(input.q && sql`o.name ilike ${containsPattern(input.q)}`),
    order: agedOrder,
  };
  return readPage(ctx.db, input, list, ({ id, organization, ...row }) => ({
    organizationId: id,
    organization,
    ...toAged(row, currency),
  }));
}

/** Returns what all customers owed at the end of a day. */
export async function agedTotals(ctx: Ctx, currency: Currency, end: DayEnd): Promise<Aged> {
  const { rows } = await sql<
    Record<keyof Aged, string | null>
  >`select sum(c.total) as total, ${sums} from ${agedCustomers(currency, end)} c`.execute(ctx.db);
  const [row] = rows;
  return toAged(
    row ?? { total: null, current: null, d30: null, d60: null, d90: null, older: null },
    currency,
  );
}

/** A time range as positions among the ledger's transactions. */
export type Between = { readonly from: string; readonly until: string };
const booked = ({ from, until }: Between): RawBuilder<unknown> => sql`t.id >= ${from} and t.id < ${until}`;

/**
 * Returns payments, refunds and disputes that moved cash in a period, by method, with the payments' own
 * amounts. With a time zone, by day in that zone.
 */
export async function receiptsOf(
  ctx: Ctx,
  currency: Currency,
  between: Between,
  zone: string | null,
): Promise<Receipt[]> {
  const day = zone === null ? sql`null::text` : sql`to_char(t.at at time zone ${zone}, 'YYYY-MM-DD')`;
  // Prepaid credit, balances and withholding by customers move no cash.
  const { rows } = await sql<{
    day: LocalDay | null;
    method: string;
    kind: Receipt['kind'];
    count: bigint;
    minor: string;
    fee: string;
  }>`
    select day, method, kind, count(*) as count, sum(minor) as minor, sum(fee) as fee from (
      select ${day} as day, p.method, 'received' as kind, coalesce(p.received_currency, p.currency) as currency, coalesce(p.received_minor, p.amount_minor) as minor, 0::bigint as fee
        from ledger_transaction t join payment p on p.id = t.reference where t.kind in ('payment', 'top_up') and ${booked(between)} and p.method not in ('balance', 'prepaid_credit', 'withholding')
      union all select ${day}, p.method, 'refunded', r.currency, case when t.kind = 'correction' and r.origin <> 'correction' then r.amount_minor else -r.amount_minor end, 0
        from ledger_transaction t join payment_refund r on r.id = t.reference join payment p on p.id = r.payment_id where t.kind in ('refund', 'correction') and ${booked(between)} and p.method <> 'withholding'
      union all select ${day}, p.method, 'disputed', d.currency, -m.minor - m.fee_minor, -m.fee_minor
        from ledger_transaction t join payment_dispute_move m on m.id = t.reference join payment_dispute d on d.id = m.dispute_id join payment p on p.id = d.payment_id where t.kind = 'dispute' and ${booked(between)}
    ) moved where currency = ${currency} group by 1, 2, 3 order by 1, 2, 3`.execute(ctx.db);
  return rows.map(({ day: on, method, kind, count, minor, fee }) => ({
    day: on,
    method,
    kind,
    count: Number(count),
    amount: money(BigInt(minor), currency),
    fee: money(BigInt(fee), currency),
  }));
}

/**
 * Returns the tax of bills, credit notes and voids that were booked in a period, by category and rate. A
 * line's rate is that of its bill; a void reverses what no credit note had reversed.
 */
export async function taxesOf(ctx: Ctx, currency: Currency, between: Between): Promise<TaxOfRate[]> {
  const amount = (name: string) =>
    sql`round((tax -> ${sql.lit(name)} ->> 'amount')::numeric * power(10::numeric, ${sql.lit(currencies[currency].billingDigits)}))`;
  // The taxes of each bill: by category and rate if it has several, otherwise its single rate.
  const taxes = (where: RawBuilder<unknown>) =>
    sql`(select b.id, tax ->> 'category' as category, (tax ->> 'rate')::numeric as rate, ${amount('net')} as net, ${amount('tax')} as tax from bill b cross join lateral jsonb_array_elements(b.taxes) as tax where b.currency = ${currency} and ${where}
      union all select b.id, '', b.tax_rate, b.net_minor, b.tax_minor from bill b where b.currency = ${currency} and b.taxes is null and ${where})`;
  const issued = sql`b.id in (select t.reference from ledger_transaction t where t.kind = 'bill' and ${booked(between)})`;
  const voided = sql`b.id in (select t.reference from ledger_transaction t where t.kind = 'void' and ${booked(between)})`;
  // A credit note's lines with their tax from the bill.
  const credited = (where: RawBuilder<unknown>) =>
    sql`(select n.bill_id as id, coalesce(x.category, '') as category, coalesce(x.rate, b.tax_rate) as rate, n.net_minor::numeric as net, n.tax_minor::numeric as tax
      from credit_note c join credit_note_line n on n.credit_note_id = c.id join bill b on b.id = n.bill_id
        left join lateral (select tax ->> 'category' as category, (tax ->> 'rate')::numeric as rate from jsonb_array_elements(b.taxes) as tax where tax -> 'lines' ? n.position::text limit 1) x on true
      where c.currency = ${currency} and ${where})`;
  const { rows } = await sql<{
    category: string;
    rate: string;
    net: string;
    tax: string;
    credited_net: string;
    credited_tax: string;
  }>`select category, trim_scale(rate)::text as rate, trunc(sum(net)) as net, trunc(sum(tax)) as tax, trunc(sum(credited_net)) as credited_net, trunc(sum(credited_tax)) as credited_tax from (
      select category, rate, net, tax, 0 as credited_net, 0 as credited_tax from ${taxes(issued)} i
      union all select category, rate, 0, 0, net, tax from ${credited(sql`c.id in (select t.reference from ledger_transaction t where t.kind = 'credit_note' and ${booked(between)})`)} c
      union all select category, rate, 0, 0, net, tax from ${taxes(voided)} v
      union all select category, rate, 0, 0, -net, -tax from ${credited(voided)} w
    ) all_taxes group by category, rate having bool_or(net <> 0 or tax <> 0 or credited_net <> 0 or credited_tax <> 0) order by rate desc, category`.execute(
    ctx.db,
  );
  const of = (text: string) => money(BigInt(text), currency);
  return rows.map((row) => ({
    category: row.category,
    rate: row.rate,
    net: of(row.net),
    tax: of(row.tax),
    creditedNet: of(row.credited_net),
    creditedTax: of(row.credited_tax),
    total: money(of(row.tax).minor - of(row.credited_tax).minor, currency),
  }));
}
