// SQL of the forecast: whose subscriptions go on, what was worked out of months to come, and the history that it continues.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Organizations with a subscription that goes on after a moment, in the order of their ids. */
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

/** Keeps what was worked out in place of what was kept before. */
export async function storePlanned(
  ctx: Ctx,
  lastNo: number,
  tookMs: number,
  planned: readonly { readonly currency: Currency; readonly no: number; readonly minor: bigint }[],
): Promise<void> {
  await sql`delete from metric_planned`.execute(ctx.db);
  await sql`insert into metric_planned (currency, month_no, minor) select * from unnest(${planned.map(({ currency }) => currency)}::bpchar[], ${planned.map(({ no }) => no)}::int[], ${planned.map(({ minor }) => minor.toString())}::numeric[])`.execute(
    ctx.db,
  );
  await sql`insert into metric_plan_run (last_no, worked_out_at, took_ms) values (${lastNo}, ${ctx.now}, ${tookMs})
    on conflict (id) do update set last_no = excluded.last_no, worked_out_at = excluded.worked_out_at, took_ms = excluded.took_ms`.execute(
    ctx.db,
  );
}

/** Recurring revenue of months to come: what is planned, and what bills already charged for them. */
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

/** The first month with revenue of a currency, counted; undefined before one. */
export async function firstMonthOf(ctx: Ctx, currency: Currency): Promise<number | undefined> {
  const { rows } = await sql<{
    no: number | null;
  }>`select min(month_no) as no from metric_month where currency = ${currency} and recurring_minor + usage_minor + once_minor <> 0`.execute(
    ctx.db,
  );
  return rows[0]?.no ?? undefined;
}
