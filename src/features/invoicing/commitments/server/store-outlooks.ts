// SQL of projections of current periods, by which lists filter and sort.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Outlook } from '../rules.ts';

export type Estimate = Outlook & { readonly id: Id<'cmt'>; readonly period: number };

/** Stores estimates, replacing earlier ones. */
export async function storeEstimates(ctx: Ctx, estimates: readonly Estimate[]): Promise<void> {
  if (estimates.length === 0) return;
  await sql`insert into commitment_outlook (commitment_id, period, used_minor, expected_minor, true_up_minor, risk, at)
    select e.*, ${ctx.now}::timestamptz from unnest(${estimates.map(({ id }) => id)}::text[], ${estimates.map(({ period }) => period)}::smallint[], ${estimates.map(({ used }) => used)}::bigint[], ${estimates.map(({ expected }) => expected)}::bigint[], ${estimates.map(({ trueUp }) => trueUp)}::bigint[], ${estimates.map(({ risk }) => risk)}::text[]) as e (id) order by e.id
    on conflict (commitment_id) do update set period = excluded.period, used_minor = excluded.used_minor, expected_minor = excluded.expected_minor, true_up_minor = excluded.true_up_minor, risk = excluded.risk, at = excluded.at`.execute(
    ctx.db,
  );
}

/** Returns the organizations whose commitments may be current, whatever their time zone. */
export async function organizationsToEstimate(ctx: Ctx): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct organization_id as id from commitment where last_month >= to_char(${ctx.now}::timestamptz - interval '1 day', 'YYYY-MM') and starts_on <= to_char(${ctx.now}::timestamptz + interval '1 day', 'YYYY-MM') order by 1`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}
