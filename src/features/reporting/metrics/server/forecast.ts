// The forecast of revenue: the job that plans recurring revenue of future months, and the Admin's view.
import { setImmediate } from 'node:timers/promises';
import type { In, Out } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { monthNumber, monthOf, monthOfNumber, monthPeriod, monthsFrom } from '#kernel/time.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationsByIds, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { plannedFees } from '#features/invoicing/billing/server/index.ts';
import type { metrics } from '../contract.ts';
import {
  expectedRevenue,
  expectedUsage,
  forecastMonths,
  neededMonths,
  spreadOfRecurring,
  usageWindow,
} from '../rules-forecast.ts';
import { customerMonths, lastClosed, linesOf, monthRows } from './store.ts';
import {
  firstMonthOf,
  lastPlanRun,
  organizationsWithFees,
  pageOfForecast,
  plannedRecurring,
  storePlanned,
  type Planned,
} from './store-forecast.ts';

const actor = { kind: 'system', name: 'metrics' } as const;
const chunkSize = 200;
const leastMs = 5 * 60_000;
/** The job uses at most this percentage of the time. */
const share = 50;
/** Older months are poor predictors. */
const historyMonths = 36;

/** The number of the last closed month if planning is due again; undefined when it is not. */
async function dueAfter(ctx: Ctx): Promise<number | undefined> {
  const closed = await lastClosed(ctx, monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  if (closed === null) return undefined;
  const before = await lastPlanRun(ctx);
  const last = monthNumber(closed);
  if (before === undefined || before.lastNo !== last) return last;
  const age = ctx.now.getTime() - before.workedOutAt.getTime();
  return age >= Math.max(leastMs, before.tookMs * share) ? last : undefined;
}

/** Plans the months after the last closed one, a few organizations at a time, each as of its own moment. */
async function planMonths(app: App, last: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const months = monthsFrom(monthOfNumber(last + 1), forecastMonths);
  const sums = new Map<string, Planned>();
  let after = '';
  while (!signal.aborted) {
    const ids = await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
      const { start } = monthPeriod(monthOfNumber(last + 1), await ctx.setting(timeZoneSetting));
      const found = await organizationsWithFees(ctx, start, after, chunkSize);
      for (const { organizationId, currency, month, minor } of await plannedFees(
        ctx,
        await organizationsByIds(ctx, found),
        months,
      )) {
        const key = `${organizationId} ${currency} ${month}`;
        const sum = sums.get(key) ?? { organizationId, currency, no: monthNumber(month), minor: 0n };
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
  keepsFigures: true,
  run: async (app, _payload, signal) => {
    const last = await unitOfWork(app, { actor, mode: 'read' }, dueAfter);
    if (last !== undefined) await planMonths(app, last, signal);
  },
});

/**
 * Returns the months after the last closed one; none before six closed months, or while nothing is planned
 * yet.
 */
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
      const found = expectedRevenue(stays, expectedUsage(usage, ahead), spreadOfRecurring(recurring, ahead));
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

/** The months whose usage determines the shares of a forecast, as numbers; undefined without a forecast. */
async function takenMonths(
  ctx: Ctx,
  found: Out<typeof metrics.forecast>,
): Promise<{ readonly since: number; readonly until: number } | undefined> {
  if (found.months.length === 0) return undefined;
  const closed = await lastClosed(ctx, monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  if (closed === null) return undefined;
  const until = monthNumber(closed);
  return { since: until - usageWindow(Math.min(found.knownMonths, historyMonths)) + 1, until };
}

/** Returns the customers behind a month of the forecast. */
export async function forecastCustomers(
  ctx: Ctx,
  { currency, month, ...input }: In<typeof metrics.forecastCustomers>,
): Promise<Out<typeof metrics.forecastCustomers>> {
  const found = await forecast(ctx, { currency });
  const expected = found.months.find((one) => one.month === month);
  const taken = await takenMonths(ctx, found);
  if (!expected || !taken) return { items: [], nextCursor: null, total: 0, since: null, until: null };
  return {
    ...(await pageOfForecast(
      ctx,
      { currency, no: monthNumber(month), ...taken, usage: expected.usage.minor },
      input,
    )),
    since: monthOfNumber(taken.since),
    until: monthOfNumber(taken.until),
  };
}

/**
 * Returns the items of a customer's share, planned from its current subscriptions, which may be some minutes
 * newer than the forecast.
 */
export async function forecastLines(
  ctx: Ctx,
  { currency, month, organizationId }: In<typeof metrics.forecastLines>,
): Promise<Out<typeof metrics.forecastLines>> {
  const found = await forecast(ctx, { currency });
  const taken = await takenMonths(ctx, found);
  const months = found.months.map((one) => one.month).filter((one) => one <= month);
  if (!taken || !found.months.some((one) => one.month === month)) return { fees: [], used: [] };
  const planned = await plannedFees(ctx, await organizationsByIds(ctx, [organizationId]), months);
  const billed = await linesOf(ctx, currency, month, organizationId);
  const used = await customerMonths(ctx, currency, organizationId, taken.since, taken.until);
  return {
    fees: [
      ...billed
        .filter(({ part }) => part === 'recurring')
        .map(({ serviceName, billMonth, billId, billNumber, amount }) => ({
          serviceName,
          billMonth,
          bill: { id: billId, number: billNumber },
          amount,
        })),
      ...planned
        .filter((fee) => fee.month === month && fee.currency === currency)
        .map(({ serviceName, billMonth, minor }) => ({
          serviceName,
          billMonth,
          bill: null,
          amount: money(minor, currency),
        })),
    ],
    used: Array.from({ length: taken.until - taken.since + 1 }, (_, place) => ({
      month: monthOfNumber(taken.since + place),
      amount: money(used.get(taken.since + place) ?? 0n, currency),
    })),
  };
}
