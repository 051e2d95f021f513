// SQL of the forecast: organizations with continuing subscriptions, planned future months, and the history
// behind the forecast.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  type ListOrder,
  type SearchInput,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ForecastCustomer } from '../contract-forecast.ts';

/** Returns organizations with a subscription that continues after a moment, ordered by id. */
export async function organizationsWithFees(
  ctx: Ctx,
  from: Date,
  after: string,
  limit: number,
): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select o.id from organization o where o.id > ${after} and exists (select from subscription s where s.organization_id = o.id and (s.ends_at is null or s.ends_at > ${from})) order by o.id limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

export type PlanRun = { readonly lastNo: number; readonly workedOutAt: Date; readonly tookMs: number };
export async function lastPlanRun(ctx: Ctx): Promise<PlanRun | undefined> {
  const { rows } =
    await sql<PlanRun>`select last_no as "lastNo", worked_out_at as "workedOutAt", took_ms as "tookMs" from metric_plan_run`.execute(
      ctx.db,
    );
  return rows[0];
}

export type Planned = {
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly no: number;
  readonly minor: bigint;
};
/** Replaces the stored plan: the figures of each customer, and their sums. */
export async function storePlanned(
  ctx: Ctx,
  lastNo: number,
  tookMs: number,
  planned: readonly Planned[],
): Promise<void> {
  await sql`delete from metric_planned`.execute(ctx.db);
  await sql`delete from metric_planned_customer`.execute(ctx.db);
  await sql`insert into metric_planned_customer (currency, month_no, organization_id, minor) select * from unnest(${planned.map(({ currency }) => currency)}::bpchar[], ${planned.map(({ no }) => no)}::int[], ${planned.map(({ organizationId }) => organizationId)}::text[], ${planned.map(({ minor }) => minor.toString())}::numeric[])`.execute(
    ctx.db,
  );
  await sql`insert into metric_planned (currency, month_no, minor) select currency, month_no, sum(minor) from metric_planned_customer group by 1, 2`.execute(
    ctx.db,
  );
  await sql`insert into metric_plan_run (last_no, worked_out_at, took_ms) values (${lastNo}, ${ctx.now}, ${tookMs})
    on conflict (id) do update set last_no = excluded.last_no, worked_out_at = excluded.worked_out_at, took_ms = excluded.took_ms`.execute(
    ctx.db,
  );
}

/**
 * Returns the recurring revenue of future months: planned fees, and fees for them that bills already charged.
 */
export async function plannedRecurring(
  ctx: Ctx,
  currency: Currency,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await sql<{
    no: number;
    minor: string;
  }>`select no, sum(minor) as minor from (select month_no as no, minor from metric_planned where currency = ${currency} union all select month_no, recurring_minor from metric_month where currency = ${currency}) x
    where no between ${from} and ${to} group by 1`.execute(ctx.db);
  return new Map(rows.map(({ no, minor }) => [no, BigInt(minor)]));
}

/** The number of the first month with revenue in a currency; undefined if there is none. */
export async function firstMonthOf(ctx: Ctx, currency: Currency): Promise<number | undefined> {
  const { rows } = await sql<{
    no: number | null;
  }>`select min(month_no) as no from metric_month where currency = ${currency} and recurring_minor + usage_minor + once_minor <> 0`.execute(
    ctx.db,
  );
  return rows[0]?.no ?? undefined;
}

type CustomerRow = { id: Id<'org'>; organization: string; recurring: string; usage: string; used: string };
const total = sql`(c.recurring + c.usage)`;
const customerOrder: ListOrder = {
  by: {
    total: { expression: total, cast: 'numeric' },
    recurring: { expression: sql`c.recurring`, cast: 'numeric' },
    usage: { expression: sql`c.usage`, cast: 'numeric' },
    organization: { expression: sql`o.name`, cast: 'text' },
  },
  usual: '-total',
  id: sql`o.id`,
};

/**
 * Returns one page of the customers behind a month of the forecast, largest first. Recurring revenue is each
 * customer's own. Expected usage is one figure for all: it is split by each customer's usage in the months
 * `since` to `until`, in minor units, by the largest-remainder method, so that it adds up.
 */
export function pageOfForecast(
  ctx: Ctx,
  asked: {
    readonly currency: Currency;
    readonly no: number;
    readonly since: number;
    readonly until: number;
    readonly usage: bigint;
  },
  input: SearchInput,
): Promise<Page<ForecastCustomer>> {
  const { currency, no, since, until, usage } = asked;
  const expected = sql`${usage.toString()}::numeric`;
  const customers = sql`(
    with stays as (select organization_id, sum(minor) as minor from (
        select organization_id, minor from metric_planned_customer where currency = ${currency} and month_no = ${no}
        union all select organization_id, recurring_minor from metric_revenue where currency = ${currency} and month_no = ${no}) x group by 1),
      used as (select organization_id, sum(usage_minor) as minor from metric_revenue where currency = ${currency} and month_no between ${since} and ${until} group by 1),
      weighed as (select organization_id, minor, greatest(minor, 0) as weight, sum(greatest(minor, 0)) over () as whole from used),
      parted as (select organization_id, minor, case when whole = 0 then 0 else div(${expected} * weight, whole) end as part, case when whole = 0 then 0 else mod(${expected} * weight, whole) end as rest from weighed),
      ranked as (select organization_id, minor, part, row_number() over (order by rest desc, organization_id) as place, ${expected} - sum(part) over () as over from parted)
    select coalesce(s.organization_id, r.organization_id) as organization_id, coalesce(s.minor, 0) as recurring, coalesce(r.minor, 0) as used,
      coalesce(r.part + case when r.place <= r.over then 1 else 0 end, 0) as usage
    from stays s full join ranked r on r.organization_id = s.organization_id)`;
  const list = {
    columns: sql<CustomerRow>`o.id, o.name as organization, c.recurring, c.usage, c.used`,
    from: sql`${customers} c join organization o on o.id = c.organization_id`,
    where: allOf(
      sql`(c.recurring <> 0 or c.usage <> 0)`,
      input.q && sql`o.name ilike ${containsPattern(input.q)}`,
    ),
    order: customerOrder,
  };
  return readPage(ctx.db, input, list, (row) => {
    const [recurring, ofUsage] = [BigInt(row.recurring), BigInt(row.usage)];
    return {
      organizationId: row.id,
      organization: row.organization,
      recurring: money(recurring, currency),
      usage: money(ofUsage, currency),
      used: money(BigInt(row.used), currency),
      total: money(recurring + ofUsage, currency),
    };
  });
}
