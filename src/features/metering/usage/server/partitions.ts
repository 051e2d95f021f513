// The monthly partitions of raw events: created when needed, dropped after the operator's retention period.
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { oncePer } from '#kernel/once.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf, monthPeriod } from '#kernel/time.ts';
import { hasPercentages } from '#features/selling/catalogue/server/index.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { monthOfTime } from '../rules-deltas.ts';
import { archiveMonth } from './archive-events.ts';
import { recordMonthLeft } from './months-left.ts';
import {
  dropPartition,
  forgetIds,
  makePartition,
  partitionMonths,
  type KnownId,
} from './store-partitions.ts';

/**
 * How many whole months before the current one raw events are kept; 0 keeps them forever. Their rollups are
 * always kept.
 */
export const eventRetentionMonths = setting(
  'usage.eventRetentionMonths',
  z.int().check(z.minimum(0), z.maximum(600)),
  0,
);

/**
 * Whether raw events are archived before they are dropped; they always are if a price is a percentage, which
 * counts each event.
 */
export const archiveEvents = setting('usage.archiveEvents', z.boolean(), false);
/**
 * Whether the ids of dropped events are deleted, too; the same id then counts again if it is sent with
 * another time.
 */
export const forgetEventIds = setting('usage.forgetEventIds', z.boolean(), false);

const utc = 'UTC';
// Another server process may drop a month's partition that is needed again later, so the cache expires.
const rememberedMs = 600_000;
const existingOf = oncePer((_app: App) => new LRUCache<string, true>({ max: 2400, ttl: rememberedMs }));
/** The months whose partitions were created by transactions that have not ended. */
const madeBy = oncePer((_transaction: object) => new Set<BillingMonth>());

/**
 * Ensures that the months of events have a partition; queries the database only for months that this process
 * has not checked yet.
 */
export async function ensurePartitions(
  { app, db }: Ctx,
  events: readonly { readonly time: Date }[],
): Promise<void> {
  const cache = existingOf(app);
  for (const month of new Set(events.map(({ time }) => monthOfTime(time, utc)))) {
    if (cache.has(month)) continue;
    // The transaction that creates a partition may still roll back, so the month is cached only once a later
    // transaction finds the partition.
    const own = madeBy(db);
    if (!(await makePartition(db, month))) own.add(month);
    else if (!own.has(month)) cache.set(month, true);
  }
}

/** The time before which events are dropped, given a retention in months; null if all events are kept. */
export function retainedSince(months: number, now: Date): Date | null {
  return months === 0 ? null : monthPeriod(addMonths(monthOf(now, utc), -months), utc).start;
}

const monthsAhead = 2;

const by = { actor: { kind: 'system', name: 'usage-partitions' } } as const;

/** Creates the partitions of the next months and drops those beyond the retention time. */
export const partitionsJob = job({
  name: 'usage-partitions',
  schedule: '40 2 * * *',
  run: async (app, _payload, signal) => {
    const { since, isArchived, areIdsForgotten } = await unitOfWork(app, by, async (ctx) => {
      const running = monthOf(ctx.now, utc);
      for (let ahead = 0; ahead <= monthsAhead; ahead++)
        await makePartition(ctx.db, addMonths(running, ahead));
      return {
        since: retainedSince(await ctx.setting(eventRetentionMonths), ctx.now),
        // Bills and statistics of these months must still be computable.
        isArchived: (await ctx.setting(archiveEvents)) || (await hasPercentages(ctx.db)),
        areIdsForgotten: await ctx.setting(forgetEventIds),
      };
    });
    if (since === null) return;
    const months = await partitionMonths(app.database.kysely);
    for (const month of months.filter((each) => monthPeriod(each, utc).end <= since)) {
      if (isArchived) {
        if (!(await archiveMonth(app, month, signal))) return;
      } else await dropMonth(app, month);
      existingOf(app).delete(month);
    }
    if (areIdsForgotten) await forgetIdsBefore(app, since, signal);
  },
});

async function dropMonth(app: App, month: BillingMonth): Promise<void> {
  await unitOfWork(app, by, async (ctx) => {
    await dropPartition(ctx.db, month);
    await recordMonthLeft(ctx, month);
    ctx.audit('usage.forgetEvents', month);
  });
}

/** Deletes the ids of dropped events in portions, so that other transactions are not blocked. */
async function forgetIdsBefore(app: App, since: Date, signal: AbortSignal): Promise<void> {
  for (let after: KnownId | undefined, isDone = false; !isDone && !signal.aborted;) {
    const portion = await unitOfWork(app, by, (ctx) => forgetIds(ctx, since, after));
    after = portion.last;
    isDone = after === undefined;
  }
}
