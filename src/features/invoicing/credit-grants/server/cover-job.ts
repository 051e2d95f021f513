// Recomputes every few seconds for whom prepaid credit is used up: for organizations whose usage grew since
// the last check and, in turn, for all others with services that require it, because fees start, grants end
// and months change without usage.
import type { Id } from '#kernel/ids.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { coverName, isSettled, judge, refreshCovers } from './cover.ts';
import {
  coverRows,
  dropEndedCovers,
  dueChecks,
  settleChecks,
  watchingAmong,
  type DueCheck,
} from './store-cover.ts';
import type { CreditUse } from './credit-use.ts';
import { checkTopUps } from './top-ups.ts';

const actor = { kind: 'system', name: 'creditgrants' } as const;
/** The number of organizations planned in one set of statements, and the maximum number of sets per run. */
const [atOnce, setsAtMost] = [200, 25];
/** How often an organization without usage is checked. */
const lookAgainMs = 5 * 60_000;

/**
 * Returns which of some organizations need their own transaction: a state changes, or auto top-up or a
 * warning may be due.
 */
async function needingChange(
  ctx: Ctx,
  ids: readonly Id<'org'>[],
  { plannedUse }: CreditUse,
): Promise<ReadonlySet<string>> {
  const judged = await judge(ctx, ids, plannedUse);
  const rows = await coverRows(ctx, ids);
  const rowOf = new Map(rows.map((row) => [`${row.organizationId} ${row.serviceId}`, row]));
  const changing = judged.filter(({ organizationId, serviceId, cover }) => {
    const row = rowOf.get(`${organizationId} ${serviceId}`);
    return row === undefined || !isSettled(row, cover);
  });
  const wanted = new Set(judged.map(({ organizationId, serviceId }) => `${organizationId} ${serviceId}`));
  const obsolete = rows.filter((row) => !wanted.has(`${row.organizationId} ${row.serviceId}`));
  return new Set([
    ...changing.map(({ organizationId }) => organizationId),
    ...obsolete.map(({ organizationId }) => organizationId),
    ...(await watchingAmong(ctx, ids)),
  ]);
}

/** Auto top-up comes first: credit it buys prevents the stop. */
async function checkOne(ctx: Ctx, organizationId: Id<'org'>, use: CreditUse): Promise<void> {
  await dropEndedCovers(ctx, organizationId);
  const planned = await use.plannedUse(ctx, [organizationId]);
  await checkTopUps(ctx, organizationId, planned, use.spendableBalance);
  const { stopped, resumed } = await refreshCovers(ctx, organizationId, use.plannedUse);
  if (stopped.length + resumed.length > 0)
    ctx.audit('creditgrants.coverChanged', organizationId, { stopped, resumed });
}

/** Checks a set of organizations; returns those that could not be checked. */
async function checkSet(
  app: App,
  use: CreditUse,
  due: readonly DueCheck[],
  signal: AbortSignal,
): Promise<Id<'org'>[]> {
  const ids = due.map(({ organizationId }) => organizationId);
  const changing = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => needingChange(ctx, ids, use));
  const failed: Id<'org'>[] = [];
  // One transaction each, so that a failure does not stop the others.
  for (const organizationId of ids.filter((id) => changing.has(id))) {
    if (signal.aborted) return ids;
    try {
      await unitOfWork(app, { actor }, (ctx) => checkOne(ctx, organizationId, use));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      app.log.error({ err: error, organizationId }, 'the cover of prepaid credit could not be worked out');
      failed.push(organizationId);
    }
  }
  const settled = due.filter(({ organizationId }) => !failed.includes(organizationId));
  await unitOfWork(app, { actor }, (ctx) => settleChecks(ctx, settled));
  return failed;
}

export const coverJob = (use: CreditUse): Job =>
  job({
    name: coverName,
    everySeconds: 15,
    run: async (app, _payload, signal) => {
      const failed: Id<'org'>[] = [];
      for (let sets = 0; sets < setsAtMost && !signal.aborted; sets++) {
        const due = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
          dueChecks(ctx, new Date(ctx.now.getTime() - lookAgainMs), atOnce, failed),
        );
        if (due.length === 0) return;
        failed.push(...(await checkSet(app, use, due, signal)));
      }
    },
  });
