// SQL of what was due of bills on days that are over.
import { sql } from 'kysely';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';

/** Notes what is paid and credited of some bills now. Called in the transaction that changed it. */
export async function noteDue(ctx: Ctx, billIds: readonly string[]): Promise<void> {
  if (billIds.length === 0) return;
  await sql`insert into bill_due_change (bill_id, at, paid_minor, credited_minor, is_void)
    select b.id, ${ctx.now}, b.paid_minor, b.credited_minor, b.state = 'void' from bill b where b.id = any(${[...billIds]}::text[]) order by b.id`.execute(
    ctx.db,
  );
}

/** What was paid and credited of a bill at the end of a day; in minor units. */
export type DueChange = {
  readonly on: LocalDay;
  readonly paid: bigint;
  readonly credited: bigint;
};

/** How that changed, the first day first; the last change of each day, by the organization's calendar. */
export async function dueChangesOf(ctx: Ctx, billId: string): Promise<DueChange[]> {
  const { rows } =
    await sql<DueChange>`select distinct on ((h.at at time zone o.time_zone)::date) (h.at at time zone o.time_zone)::date::text as "on", h.paid_minor as paid, h.credited_minor as credited
    from bill_due_change h join bill b on b.id = h.bill_id join organization o on o.id = b.organization_id where h.bill_id = ${billId}
    order by (h.at at time zone o.time_zone)::date, h.position desc`.execute(ctx.db);
  return rows;
}
