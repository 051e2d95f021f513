// SQL of unassigned cost, for the margin of a month.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Amount } from '../contract.ts';

/** Returns the unassigned cost of the billing periods that start in a month, as of when they were sold. */
export async function unassignedOfMonth(ctx: Ctx, month: string): Promise<Amount[]> {
  const { rows } =
    await sql<Amount>`select a ->> 'currency' as currency, trim_scale(sum((a ->> 'amount')::numeric))::text as amount from cost_period p, jsonb_array_elements(p.totals -> 'unassigned') as a
    where p.period_start >= ${`${month}-01`}::date and p.period_start < ${`${month}-01`}::date + interval '1 month' group by 1 order by 1`.execute(
      ctx.db,
    );
  return rows;
}
