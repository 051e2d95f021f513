// The months of raw events: made as they are needed, taken away when they are older than the operator keeps them.
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf, monthPeriod } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { mustShare } from './alone.ts';
import { dropPartition, makePartition, partitionMonths } from './store-partitions.ts';

/** For how many whole months raw events are kept behind the running one; 0: for ever. What they add up to always stays. */
export const eventRetentionMonths = setting(
  'usage.eventRetentionMonths',
  z.int().check(z.minimum(0), z.maximum(600)),
  0,
);

const utc = 'UTC';
// Another console may take a month away, and its operator may then ask for it again.
const rememberedMs = 600_000;
const made = new WeakMap<App, LRUCache<string, true>>();
/** What transactions that have not ended have made. */
const making = new WeakMap<object, Set<BillingMonth>>();

/** Makes sure that events have somewhere to go; asks the database only for months that this process has not seen. */
export async function ensurePartitions(
  { app, db }: Ctx,
  events: Iterable<{ readonly time: Date }>,
): Promise<void> {
  const cache = made.get(app) ?? new LRUCache<string, true>({ max: 2400, ttl: rememberedMs });
  made.set(app, cache);
  // Events of one batch mostly lie in one month.
  let [from, until] = [0, 0];
  const months = new Set<BillingMonth>();
  for (const { time } of events) {
    const ms = time.getTime();
    if (ms >= from && ms < until) continue;
    const month = monthOf(time, utc);
    const { start, end } = monthPeriod(month, utc);
    [from, until] = [start.getTime(), end.getTime()];
    months.add(month);
  }
  for (const month of months) {
    if (cache.has(month)) continue;
    mustShare({ db });
    // One that is being made is remembered by a later unit of work: this one may still fail, and it sees what it has made itself.
    const own = making.get(db) ?? new Set<BillingMonth>();
    making.set(db, own);
    if (!(await makePartition(db, month))) own.add(month);
    else if (!own.has(month)) cache.set(month, true);
  }
}

/** The moment before which events are no longer kept; null when all are. */
export async function keptSince(ctx: Ctx): Promise<Date | null> {
  const months = await ctx.setting(eventRetentionMonths);
  return months === 0 ? null : monthPeriod(addMonths(monthOf(ctx.now, utc), -months), utc).start;
}

const monthsAhead = 2;

/** Makes the next months and takes away those that are no longer kept. */
export const partitionsJob = job({
  name: 'usage-partitions',
  schedule: '40 2 * * *',
  run: async (app) => {
    await unitOfWork(app, { actor: { kind: 'system', name: 'usage-partitions' } }, keepPartitions);
  },
});

async function keepPartitions(ctx: Ctx): Promise<void> {
  const running = monthOf(ctx.now, utc);
  for (let ahead = 0; ahead <= monthsAhead; ahead++) await makePartition(ctx.db, addMonths(running, ahead));
  const since = await keptSince(ctx);
  if (since === null) return;
  const gone: BillingMonth[] = (await partitionMonths(ctx.db)).filter(
    (month) => monthPeriod(month, utc).end <= since,
  );
  for (const month of gone) {
    await dropPartition(ctx.db, month);
    made.get(ctx.app)?.delete(month);
    ctx.audit('usage.forgetEvents', month);
  }
}
