// SQL of percentile samples.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SampleDelta } from '../rules-samples.ts';

/**
 * Adds to samples; canceled values are negative. In key order, so that two transactions wait instead of
 * deadlocking.
 */
export async function addSamples(ctx: Ctx, samples: readonly SampleDelta[]): Promise<void> {
  if (samples.length === 0) return;
  await sql`insert into usage_sample as s (subscription_id, meter, cell, start, sum)
    select subscription_id, meter, cell, start, sum(sum) from unnest(${samples.map((each) => each.subscriptionId)}::text[], ${samples.map((each) => each.meter)}::text[], ${samples.map((each) => each.cell)}::text[], ${samples.map((each) => each.start)}::timestamptz[], ${samples.map((each) => each.sum)}::numeric[]) as a (subscription_id, meter, cell, start, sum)
    group by 1, 2, 3, 4 order by subscription_id, meter collate "C", start, cell collate "C"
    on conflict (subscription_id, meter, start, cell) do update set sum = s.sum + excluded.sum`.execute(
    ctx.db,
  );
}
