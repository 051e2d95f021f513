// Projections of current commitments: computed when they are shown, and stored hourly for filters, sorting
// and exports.
import { chunksOf } from '#kernel/chunks.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { outlook, periodOf } from '../rules.ts';
import { runningCommitments, type CommitmentRow } from './store.ts';
import { organizationsToEstimate, storeEstimates, type Estimate } from './store-outlooks.ts';
import { drawsOf } from './store-uses.ts';

/** What commitments need from billing, which depends on commitments; the app provides it. */
export type BillsAhead = {
  /**
   * Returns what open months of the current period (the current month, and an earlier one that is not issued
   * yet) will draw from commitments based on usage so far, in minor units, by commitment id; commitments
   * without a draw may be missing.
   */
  readonly plannedDraw: (
    ctx: Ctx,
    organizationIds: readonly Id<'org'>[],
  ) => Promise<ReadonlyMap<string, { readonly draw: bigint }>>;
  /** Returns those of the given organizations for which a month was closed: no bill of it is outstanding. */
  readonly closedFor: (
    ctx: Ctx,
    organizationIds: readonly Id<'org'>[],
    month: BillingMonth,
  ) => Promise<ReadonlySet<string>>;
};

const actor = { kind: 'system', name: 'commitments' } as const;
const organizationsAtOnce = 200;
const estimateName = 'commitments.estimate';

/** Projects those commitments whose term is current. */
export async function estimatesOf(
  ctx: Ctx,
  bills: BillsAhead,
  rows: readonly CommitmentRow[],
): Promise<Estimate[]> {
  const running = rows.flatMap((row) => {
    const now = monthOf(ctx.now, row.timeZone);
    const period = periodOf(row.terms, now);
    return period ? [{ row, now, period }] : [];
  });
  if (running.length === 0) return [];
  const draws = await drawsOf(
    ctx,
    running.map(({ row }) => row.id),
  );
  const planned = await bills.plannedDraw(ctx, [...new Set(running.map(({ row }) => row.organizationId))]);
  return running.map(({ row: { id, terms }, now, period }) => ({
    id,
    period: period.index,
    ...outlook({
      period,
      startsOn: terms.startsOn,
      now,
      draws: draws.get(id) ?? [],
      planned: planned.get(id)?.draw ?? 0n,
    }),
  }));
}

/** Stores projections of organizations' commitments, for lists. */
export async function estimate(
  ctx: Ctx,
  bills: BillsAhead,
  organizationIds: readonly Id<'org'>[],
): Promise<void> {
  await storeEstimates(ctx, await estimatesOf(ctx, bills, await runningCommitments(ctx, organizationIds)));
}

/** Bills drew from commitments, or were voided: updates lists after the commit. */
export async function askEstimates(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<void> {
  if (organizationIds.length > 0) await ctx.enqueue(estimateName, { organizationIds });
}

/** Notifies the lists of Admins and the pages of organizations that commitments changed. */
export function publishCommitments(ctx: Ctx, organizationIds: readonly Id<'org'>[]): void {
  for (const organizationId of organizationIds)
    ctx.publish(`org/${organizationId}/commitments`, { kind: 'commitments' });
  if (organizationIds.length > 0) ctx.publish('system/billing', { kind: 'commitments' });
}

export const estimateJob = (bills: BillsAhead): Job =>
  job<{ organizationIds: readonly Id<'org'>[] }>({
    name: estimateName,
    run: async (app, { organizationIds }) => {
      await unitOfWork(app, { actor }, async (ctx) => {
        await estimate(ctx, bills, organizationIds);
        ctx.publish('system/billing', { kind: 'commitments' });
      });
    },
  });

/** Hourly: usage grows, months and periods begin. */
export const hourlyJob = (bills: BillsAhead): Job =>
  job({
    name: 'commitments.hourly',
    schedule: '23 * * * *',
    run: async (app, _payload, signal) => {
      const organizationIds = await unitOfWork(app, { actor, mode: 'read' }, organizationsToEstimate);
      for (const some of chunksOf(organizationIds, organizationsAtOnce)) {
        if (signal.aborted) return;
        await unitOfWork(app, { actor }, (ctx) => estimate(ctx, bills, some));
      }
    },
  });
