// SQL of the property values that events carry.
import { sql } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** A value of a property that occurred in a subscription's month. */
export type DimensionValue = {
  readonly subscriptionId: string;
  readonly month: BillingMonth;
  readonly dimension: string;
  readonly value: string;
};

/** Returns the values that occurred in some months. */
export async function dimensionValues(
  ctx: Ctx,
  months: readonly { subscriptionId: string; month: BillingMonth }[],
): Promise<DimensionValue[]> {
  const { rows } =
    await sql<DimensionValue>`select d.subscription_id as "subscriptionId", d.month, d.dimension, d.value
    from unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.month)}::bpchar[]) as m (subscription_id, month) join usage_dimension_value d on d.subscription_id = m.subscription_id and d.month = m.month`.execute(
      ctx.db,
    );
  return rows;
}

/** Records values that occurred in months. */
export async function addDimensionValues(ctx: Ctx, values: readonly DimensionValue[]): Promise<void> {
  await sql`insert into usage_dimension_value (subscription_id, month, dimension, value)
    select * from unnest(${values.map((each) => each.subscriptionId)}::text[], ${values.map((each) => each.month)}::bpchar[], ${values.map((each) => each.dimension)}::text[], ${values.map((each) => each.value)}::text[]) as v (s, m, d, v)
    order by 1, 2, 3, 4 on conflict do nothing`.execute(ctx.db);
}
