// The forecast of revenue: the job that plans recurring revenue of the months to come, and what an Admin reads.
import { setImmediate } from 'node:timers/promises';
import type { In, Out } from '#kernel/contract.ts';
import { money, type Currency } from '#kernel/money.ts';
import { monthOf, monthPeriod } from '#kernel/time.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationsByIds, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { plannedFees } from '#features/invoicing/billing/server/index.ts';
import type { metrics } from '../contract.ts';
import { monthNumber, monthOfNumber } from '../rules.ts';
import {
  expectedRevenue,
  expectedUsage,
  forecastMonths,
  neededMonths,
  reachOfRecurring,
} from '../rules-forecast.ts';
import { lastClosed, monthRows } from './store.ts';
import {
  firstMonthOf,
  lastPlanRun,
  organizationsWithFees,
  plannedRecurring,
  storePlanned,
} from './store-forecast.ts';

const actor = { kind: 'system', name: 'metrics' } as const;
const chunkSize = 200;
const leastMs = 5 * 60_000;
/** It takes at most this part of the time. */
const share = 50;
/** Older months say little of the next ones. */
const historyMonths = 36;

/** The last closed month, counted, when what is planned is to be worked out again; undefined when it is not yet. */
async function dueAfter(ctx: Ctx): Promise<number | undefined> {
  const closed = await lastClosed(ctx, monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  if (closed === null) return undefined;
  const before = await lastPlanRun(ctx);
  const last = monthNumber(closed);
  if (before === undefined || before.lastNo !== last) return last;
  const age = ctx.now.getTime() - before.workedOutAt.getTime();
  return age >= Math.max(leastMs, before.tookMs * share) ? last : undefined;
}

/** Plans the months after the last closed one, some organizations at a time, each as of its own moment. */
async function planMonths(app: App, last: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const months = Array.from({ length: forecastMonths }, (_, place) => monthOfNumber(last + 1 + place));
  const sums = new Map<string, { currency: Currency; no: number; minor: bigint }>();
  let after = '';
  while (!signal.aborted) {
    const ids = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
      const { start } = monthPeriod(monthOfNumber(last + 1), await ctx.setting(timeZoneSetting));
      const found = await organizationsWithFees(ctx, start, after, chunkSize);
      for (const { currency, month, minor } of await plannedFees(
        ctx,
        await organizationsByIds(ctx, found),
        months,
      )) {
        const key = `${currency} ${month}`;
        const sum = sums.get(key) ?? { currency, no: monthNumber(month), minor: 0n };
        sums.set(key, { ...sum, minor: sum.minor + minor });
      }
      return found;
    });
    const next = ids.at(-1);
    if (next === undefined || ids.length < chunkSize) break;
    after = next;
    await setImmediate();
  }
  if (signal.aborted) return;
  const took = Math.round(performance.now() - began);
  await unitOfWork(app, { actor }, async (ctx) => {
    await storePlanned(ctx, last, took, [...sums.values()]);
    ctx.publish('system/billing', { kind: 'metrics' });
  });
}

export const planRecurringJob: Job = job({
  name: 'metrics.plan',
  everySeconds: 60,
  run: async (app, _payload, signal) => {
    const last = await unitOfWork(app, { actor, mode: 'read' }, dueAfter);
    if (last !== undefined) await planMonths(app, last, signal);
  },
});

/** The months after the last closed one; none before six closed months, or while nothing is planned yet. */
export async function forecast(
  ctx: Ctx,
  { currency }: In<typeof metrics.forecast>,
): Promise<Out<typeof metrics.forecast>> {
  const closed = await lastClosed(ctx, monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  const first = await firstMonthOf(ctx, currency);
  const last = closed === null ? undefined : monthNumber(closed);
  const known = last === undefined || first === undefined ? 0 : Math.max(0, last - first + 1);
  const run = await lastPlanRun(ctx);
  const isPlanned = run !== undefined && run.lastNo === last;
  const none = {
    neededMonths,
    knownMonths: known,
    workedOutAt: isPlanned ? run.workedOutAt : null,
    months: [],
  };
  if (last === undefined || !isPlanned || known < neededMonths) return none;
  const rows = await monthRows(ctx, currency, last - Math.min(known, historyMonths) + 1, last);
  const history = Array.from({ length: Math.min(known, historyMonths) }, (_, place) =>
    rows.get(last - Math.min(known, historyMonths) + 1 + place),
  );
  const usage = history.map((row) => row?.usage ?? 0n);
  const recurring = history.map((row) => row?.recurring ?? 0n);
  const planned = await plannedRecurring(ctx, currency, last + 1, last + forecastMonths);
  return {
    ...none,
    months: Array.from({ length: forecastMonths }, (_, place) => {
      const ahead = place + 1;
      const stays = planned.get(last + ahead) ?? 0n;
      const found = expectedRevenue(stays, expectedUsage(usage, ahead), reachOfRecurring(recurring, ahead));
      return {
        month: monthOfNumber(last + ahead),
        recurring: money(stays, currency),
        usage: money(found.usage, currency),
        total: money(found.total, currency),
        low: money(found.low, currency),
        high: money(found.high, currency),
      };
    }),
  };
}
