// SQL of cells: the combinations of values of meters' dimensions.
import { sql } from 'kysely';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** A month of one meter of a subscription. */
export type MeterMonth = {
  readonly subscriptionId: string;
  readonly meter: string;
  readonly month: BillingMonth;
};

/** Returns the cells of some months. */
export async function cellsOfMonths(
  ctx: Ctx,
  months: readonly MeterMonth[],
): Promise<(MeterMonth & { readonly cell: string })[]> {
  const { rows } = await sql<
    MeterMonth & { cell: string }
  >`select m.subscription_id as "subscriptionId", m.meter, m.month, m.cell
    from unnest(${months.map((each) => each.subscriptionId)}::text[], ${months.map((each) => each.meter)}::text[], ${months.map((each) => each.month)}::bpchar[]) as w (subscription_id, meter, month)
    join usage_month m on m.subscription_id = w.subscription_id and m.meter = w.meter and m.month = w.month`.execute(
    ctx.db,
  );
  return rows;
}
