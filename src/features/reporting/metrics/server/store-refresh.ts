// SQL that computes metrics: each customer's revenue of changed months, and the totals of all months.
// Set-based, for hundreds of thousands of customers at once.
import { sql, type RawBuilder } from 'kysely';
import { currencies, currencyCodes } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthNumber } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { usedBy } from '#features/invoicing/billing/server/index.ts';
import { kindsOf } from '../rules.ts';
import type { RevenuePart } from '../contract.ts';

/** Marks the months of all bills as stale. */
export async function markAllStale(ctx: Ctx): Promise<void> {
  await sql`insert into metric_stale (month) select month from bill union select month from revenue_schedule`.execute(
    ctx.db,
  );
}

export async function isStale(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{
    stale: boolean;
  }>`select exists (select from metric_stale) as stale`.execute(ctx.db);
  return rows[0]?.stale === true;
}

/**
 * Whether a recomputation is due. While a month is being closed, its bills change every second: they are
 * computed when the close is done.
 */
export async function isDue(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{
    due: boolean;
  }>`select exists (select from metric_stale) and not exists (select from close_run where kind = 'close' and state = 'running' and progress_at > ${ctx.now}::timestamptz - interval '5 minutes') as due`.execute(
    ctx.db,
  );
  return rows[0]?.due === true;
}

/**
 * Begins a recomputation: locks out concurrent ones and reads everything as of one moment, so that months and
 * ledger can be compared. A later change leaves its own mark, and is handled next time.
 */
export async function takeStale(ctx: Ctx): Promise<BillingMonth[]> {
  await sql`set transaction isolation level repeatable read`.execute(ctx.db);
  // The first run, and a full rebuild, cover every customer of every month.
  await sql`set local statement_timeout = 0`.execute(ctx.db);
  await sql`lock table metric_proof in share row exclusive mode`.execute(ctx.db);
  const { rows } = await sql<{
    month: BillingMonth;
  }>`with taken as (delete from metric_stale returning month) select distinct month from taken order by 1`.execute(
    ctx.db,
  );
  return rows.map(({ month }) => month);
}

const kindsIn = (part: RevenuePart): RawBuilder<unknown> =>
  sql.join(kindsOf(part).map((kind) => sql.lit(kind)));
/** The class of a line's kind, as in `partOf`. */
const partOfKind = (line: string): RawBuilder<unknown> =>
  sql`case when ${sql.ref(`${line}.kind`)} in (${kindsIn('recurring')}) then 'recurring' when ${sql.ref(`${line}.kind`)} in (${kindsIn('once')}) then 'once' else 'usage' end`;
const digits = sql`case b.currency ${sql.join(
  currencyCodes.map((code) => sql`when ${sql.lit(code)} then ${sql.lit(currencies[code].billingDigits)}`),
  sql` `,
)} end`;

/**
 * The revenue of bills that are not voided, by month and line: the lines, less discounts, agreed rates,
 * promotional credit and credit notes; fees for more than a month are spread over their months. `where`
 * filters bills `b` by their organization and currency. The sums equal the bills' net amounts less credit
 * notes, to the last unit.
 */
export function revenueRows(
  months: readonly BillingMonth[],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofMonths = sql`any(${[...months]}::bpchar[])`;
  const row = (line: string, month: RawBuilder<unknown>, minor: RawBuilder<unknown>) =>
    sql`select b.id as bill_id, b.number, b.month as bill_month, ${usedBy('b')} as organization_id, b.currency, ${month} as month, ${sql.ref(`${line}.position`)} as position, ${sql.ref(`${line}.kind`)} as kind, ${sql.ref(`${line}.service_name`)} as service_name, ${sql.ref(`${line}.subscription_id`)} as subscription_id, ${partOfKind(line)} as part, ${minor} as minor`;
  const bills = sql`bill b`;
  const standing = sql`b.month = ${ofMonths} and b.state <> 'void' and ${where}`;
  return sql`${row('l', sql`b.month`, sql`l.amount_minor::numeric`)} from ${bills} join bill_line l on l.bill_id = b.id where ${standing} and (l.term is null or l.term -> 'shares' is null)
    union all ${row('t', sql`b.month`, sql`-round((share -> 'amount' ->> 'amount')::numeric * power(10::numeric, ${digits}))`)} from ${bills} join bill_line l on l.bill_id = b.id and l.term is not null cross join lateral jsonb_array_elements(l.term -> 'shares') as share join bill_line t on t.bill_id = b.id and t.position = (share ->> 'lineId')::int where ${standing}
    union all ${row('l', sql`b.month`, sql`-n.net_minor::numeric`)} from ${bills} join credit_note_line n on n.bill_id = b.id join bill_line l on l.bill_id = n.bill_id and l.position = n.position where ${standing}
    union all ${row('l', sql`b.month`, sql`-s.minor::numeric`)} from ${bills} join revenue_schedule s on s.bill_id = b.id join bill_line l on l.bill_id = s.bill_id and l.position = s.position where ${standing}
    union all ${row('l', sql`s.month`, sql`s.minor::numeric`)} from revenue_schedule s join bill b on b.id = s.bill_id and b.state <> 'void' join bill_line l on l.bill_id = s.bill_id and l.position = s.position where s.month = ${ofMonths} and ${where}`;
}

/** Recomputes a month's revenue of customers and of subscriptions: the same lines, summed twice. */
export async function storeRevenue(ctx: Ctx, month: BillingMonth): Promise<void> {
  await sql`delete from metric_subscription where month_no = ${monthNumber(month)}`.execute(ctx.db);
  await sql`insert into metric_subscription (currency, month_no, organization_id, subscription_id, minor)
    select currency, ${monthNumber(month)}::int, organization_id, coalesce(subscription_id, ''), sum(minor) from (${revenueRows([month], sql`true`)}) r where month = ${month} group by 1, 3, 4 having sum(minor) <> 0`.execute(
    ctx.db,
  );
  await sql`delete from metric_revenue where month_no = ${monthNumber(month)}`.execute(ctx.db);
  const sum = (part: RevenuePart) => sql`coalesce(sum(minor) filter (where part = ${sql.lit(part)}), 0)`;
  const parts = sql.join([sum('recurring'), sum('usage'), sum('once')]);
  await sql`insert into metric_revenue (currency, month_no, organization_id, recurring_minor, usage_minor, once_minor)
    select currency, ${monthNumber(month)}::int, organization_id, ${parts} from (${revenueRows([month], sql`true`)}) r where month = ${month} group by currency, organization_id`.execute(
    ctx.db,
  );
}

/**
 * Stores each customer's first month; returns the months that were or are the first of a customer for whom it
 * changed.
 */
async function storeFirsts(ctx: Ctx): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    with fresh as (select currency, organization_id, min(month_no) as month_no from metric_revenue where recurring_minor > 0 group by 1, 2),
      changed as (select coalesce(f.currency, k.currency) as currency, coalesce(f.organization_id, k.organization_id) as organization_id, k.month_no as before, f.month_no as now
        from fresh f full join metric_first k on k.currency = f.currency and k.organization_id = f.organization_id where f.month_no is distinct from k.month_no),
      gone as (delete from metric_first k using changed c where c.now is null and k.currency = c.currency and k.organization_id = c.organization_id),
      put as (insert into metric_first (currency, organization_id, month_no) select currency, organization_id, now from changed where now is not null
        on conflict (currency, organization_id) do update set month_no = excluded.month_no)
    select distinct no from changed cross join lateral (values (before), (now)) as of (no) where no is not null`.execute(
    ctx.db,
  );
  return rows.map(({ no }) => no);
}

/**
 * Recomputes the totals of months (month numbers) whose customers changed: their movements, those of the
 * following months, and of months whose set of new customers changed. Month by month, so that no statement
 * takes long however many there are.
 */
export async function storeSums(ctx: Ctx, months: readonly number[]): Promise<void> {
  const firsts = await storeFirsts(ctx);
  for (const no of new Set(months)) await storeMonth(ctx, no);
  for (const no of new Set([...months, ...months.map((each) => each + 1), ...firsts]))
    await storeMovements(ctx, no);
  for (const no of new Set(months)) await storeCohorts(ctx, sql`r.month_no = ${no}`, sql`month_no = ${no}`);
  for (const no of new Set(firsts)) await storeCohorts(ctx, sql`f.month_no = ${no}`, sql`first_no = ${no}`);
}

async function storeMonth(ctx: Ctx, no: number): Promise<void> {
  await sql`delete from metric_month where month_no = ${no}`.execute(ctx.db);
  await sql`insert into metric_month (currency, month_no, customers, recurring_minor, usage_minor, once_minor)
    select currency, month_no, count(*) filter (where recurring_minor > 0), sum(recurring_minor), sum(usage_minor), sum(once_minor) from metric_revenue where month_no = ${no} group by 1, 2`.execute(
    ctx.db,
  );
}

async function storeMovements(ctx: Ctx, no: number): Promise<void> {
  const valued = (of: number) =>
    sql`(select currency, month_no, organization_id, recurring_minor from metric_revenue where recurring_minor <> 0 and month_no = ${of})`;
  await sql`delete from metric_movement where month_no = ${no}`.execute(ctx.db);
  await sql`insert into metric_movement (currency, month_no, kind, customers, minor)
    select currency, month_no, kind, count(*), sum(now - before) from (${changes(valued(no), valued(no - 1))}) c where kind is not null group by 1, 2, 3`.execute(
    ctx.db,
  );
}

/**
 * Recomputes cells of cohorts: `rows` filters customers' months `r` with their first months `f`, `kept` does
 * the same for stored cells.
 */
async function storeCohorts(ctx: Ctx, rows: RawBuilder<unknown>, kept: RawBuilder<unknown>): Promise<void> {
  await sql`delete from metric_cohort where ${kept}`.execute(ctx.db);
  await sql`insert into metric_cohort (currency, first_no, month_no, customers, minor)
    select r.currency, f.month_no, r.month_no, count(*) filter (where r.recurring_minor > 0), sum(r.recurring_minor)
    from metric_revenue r join metric_first f on f.currency = r.currency and f.organization_id = r.organization_id
    where r.recurring_minor <> 0 and r.month_no >= f.month_no and ${rows} group by 1, 2, 3`.execute(ctx.db);
}

/**
 * The changes from the previous month for each customer, with their kind as in `movementOf`; from two sources
 * with the same columns.
 */
export function changes(now: RawBuilder<unknown>, before: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select c.*, case when now = before then null when before <= 0 and now > 0 then case when f.month_no < c.month_no then 'reactivation' else 'new' end
      when before > 0 and now <= 0 then 'churn' when now > before then 'expansion' else 'contraction' end as kind
    from (select coalesce(n.currency, p.currency) as currency, coalesce(n.month_no, p.month_no + 1) as month_no, coalesce(n.organization_id, p.organization_id) as organization_id,
        coalesce(p.recurring_minor, 0)::numeric as before, coalesce(n.recurring_minor, 0)::numeric as now
      from ${now} n full join ${before} p on p.currency = n.currency and p.organization_id = n.organization_id and p.month_no + 1 = n.month_no) c
    left join metric_first f on f.currency = c.currency and f.organization_id = c.organization_id`;
}

/**
 * Compares the revenue of all months with the ledger: current and deferred revenue from bills, credit notes
 * and voids, against their bookings on revenue, discounts, commitment shortfalls, promotional credit and
 * deferred revenue. Prepaid credit that a void returned is not revenue.
 */
export async function storeProof(ctx: Ctx): Promise<void> {
  await sql`delete from metric_proof`.execute(ctx.db);
  await sql`insert into metric_proof (currency, months_minor, ledger_minor, worked_out_at)
    with months as (select currency, sum(recurring_minor + usage_minor + once_minor) as minor from metric_month group by 1),
      booked as (select e.currency, -sum(e.amount_minor) as minor from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id
        where t.kind in ('bill', 'credit_note', 'void', 'recognition') and a.kind in ('revenue', 'discounts', 'breakage', 'promotional_credit', 'deferred_revenue') group by 1),
      prepaid as (select currency, sum(to_prepaid_minor) as minor from bill_void group by 1)
    select b.currency, coalesce(m.minor, 0), b.minor - coalesce(p.minor, 0), ${ctx.now}::timestamptz from booked b left join months m on m.currency = b.currency left join prepaid p on p.currency = b.currency
    union all select m.currency, m.minor, 0, ${ctx.now}::timestamptz from months m where not exists (select from booked b where b.currency = m.currency)`.execute(
    ctx.db,
  );
}
