// SQL of the amounts due of bills on past days.
import { sql } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/**
 * Records the current paid and credited amounts of some bills. Called in the transaction that changed them.
 */
export async function noteDue(ctx: Ctx, billIds: readonly string[]): Promise<void> {
  if (billIds.length === 0) return;
  await sql`insert into bill_due_change (bill_id, at, paid_minor, credited_minor, is_void)
    select b.id, ${ctx.now}, b.paid_minor, b.credited_minor, b.state = 'void' from bill b where b.id = any(${[...billIds]}::text[]) order by b.id`.execute(
    ctx.db,
  );
}

/** The paid and credited amounts of a bill at the end of a day, in minor units. */
export type DueChange = {
  readonly on: LocalDay;
  readonly paid: bigint;
  readonly credited: bigint;
};

/** Returns their changes, earliest first; the last change of each day in the organization's time zone. */
export async function dueChangesOf(ctx: Ctx, billId: string): Promise<DueChange[]> {
  const { rows } =
    await sql<DueChange>`select distinct on ((h.at at time zone o.time_zone)::date) (h.at at time zone o.time_zone)::date::text as "on", h.paid_minor as paid, h.credited_minor as credited
    from bill_due_change h join bill b on b.id = h.bill_id join organization o on o.id = b.organization_id where h.bill_id = ${billId}
    order by (h.at at time zone o.time_zone)::date, h.position desc`.execute(ctx.db);
  return rows;
}
