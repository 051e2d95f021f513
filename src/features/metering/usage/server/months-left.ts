// Which months of raw events have left the database, archived or deleted. Nothing is counted in them any more,
// even if the operator then keeps events for longer: hours are recomputed from the database's own events.
import * as z from 'zod/mini';
import { month, type BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { loadSettings, setting, settingOf, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { hourOfTime, monthOfTime } from '../rules-deltas.ts';
import { archivedMonths } from './store-archive.ts';

const utc = 'UTC';

/** The months (UTC) whose events have left, in order. */
export const monthsLeft = setting('usage.monthsLeft', z.array(month), []);

/** Records that a month's events leave, in the transaction that removes them. */
export async function recordMonthLeft(ctx: Ctx, left: BillingMonth): Promise<void> {
  // Several consoles may drop a month each at the same time; what this unit has read of settings may be older.
  await lockUntilEnd(ctx, 'usage months left');
  const known = settingOf(await loadSettings(ctx.db), monthsLeft);
  const months = new Set([...known, left]);
  await storeSetting(ctx.db, monthsLeft, [...months].toSorted(), ctx.now, 'usage-partitions');
}

/** The end of the last month that has left: earlier events may be elsewhere. Null if none have. */
export async function eventsLeftUntil(ctx: Ctx): Promise<Date | null> {
  const last = (await ctx.setting(monthsLeft)).at(-1);
  return last === undefined ? null : monthPeriod(last, utc).end;
}

/** The end of the last month whose events were deleted, not archived; null if none were. */
export async function eventsDeletedUntil(ctx: Ctx): Promise<Date | null> {
  const archived = await archivedMonths(ctx.db);
  const last = (await ctx.setting(monthsLeft)).findLast((left) => !archived.has(left));
  return last === undefined ? null : monthPeriod(last, utc).end;
}

/**
 * Whether an hour's events are all in the database. In some time zones an hour begins in one month (UTC) and
 * ends in the next.
 */
export const isHourKept = (time: Date, zone: string, left: ReadonlySet<BillingMonth>): boolean =>
  left.size === 0 || !left.has(monthOfTime(hourOfTime(time, zone), utc));
