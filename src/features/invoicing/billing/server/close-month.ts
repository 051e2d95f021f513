// Closes a month, triggered by an Admin or the hourly job: begin a run; chunk by chunk plan, number, store
// and publish the bills; end the run. A chunk is one transaction, so a close can be killed, repeated or run
// twice concurrently: what is issued stays.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { DomainError, domainError, asError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import type { Actor, Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { ReadAgain, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds, organizationZones } from '#features/access/identity/server/index.ts';
import { renewGrants } from '#features/invoicing/credit-grants/server/index.ts';
import { billingErrors, type billing } from '../contract.ts';
import { billSeries, isMonthOver, monthsToClose, nextGraceEnd, type BillPlan } from '../rules.ts';
import { askWaiting, consolidatingPayers } from './consolidate.ts';
import { expireEnded } from './expire-credit.ts';
import { withGivenBack } from './given-back.ts';
import { releaseEnded } from './store-deferral.ts';
import { billsIssued, issuedOf, newBill, publishIssued, type BillFor } from './new-bill.ts';
import { payersOfMonth } from './paid-by.ts';
import { planMonth, type MonthPlan } from './plan-month.ts';
import { issueRetail } from './retail-bills.ts';
import { dueDays, graceHours } from './settings.ts';
import { consumeTerms, holdInterims, holdTerms } from './terms.ts';
import { insertBills, lockSeries, type NewBill } from './store.ts';
import { lateBegins } from './store-closed-months.ts';
import { areZonesChanged } from './time-zones.ts';
import {
  closedFor,
  countUnclosed,
  holdLateMonths,
  insertMonthClosed,
  lastClosedMonth,
  settleLateMonths,
  unclosedAfter,
} from './store-late.ts';
import {
  addToRun,
  countFailedOrganizations,
  finishRun,
  insertRun,
  recordFailedOrganization,
  failedOrganizationsOf,
  clearFailedOrganizations,
} from './store-runs.ts';

// Large enough to make the fixed cost per chunk negligible, small enough to redo a lost chunk quickly.
const chunkSize = 500;
// The chunk size while requests are being served, so that none of them waits longer than for one small chunk.
// With it, the close takes two to three times as long.
const adaptiveChunkSize = 100;
// Health probes and pages that show the progress do not count as load.
const fewAnswers = 2;

/** A running close: `issued` and `isStopped` change with each chunk. */
type Close = {
  readonly app: App;
  readonly actor: Actor;
  readonly month: BillingMonth;
  /** How long a month must be over in an organization's time zone. */
  readonly graceMs: number;
  readonly runId: Id<'run'>;
  issued: number;
  isStopped: boolean;
};

/** Organizations closed in one transaction. */
type Chunk = {
  /** Those of the chunk whose month has been over long enough. */
  readonly due: readonly Organization[];
  /** How many organizations were visited, due or not. */
  readonly scanned: number;
  /**
   * The planned bills of the due ones; undefined if not planned yet, or if planning failed for one of them.
   */
  readonly plan: MonthPlan | undefined;
};
/** `last` is where the next chunk starts; null if there is none. */
type PlannedChunk = Chunk & { readonly last: Id<'org'> | null };

/** Closes a month that is over in at least one time zone, on an Admin's request. */
export async function closeMonth(
  ctx: Ctx,
  input: In<typeof billing.closeMonth>,
): Promise<Out<typeof billing.closeMonth>> {
  // A month first ends in UTC+14; before that there is nothing to close anywhere.
  if (!isMonthOver(input.month, 'Pacific/Kiritimati', ctx.now))
    throw domainError(billingErrors, 'billing.month_not_over');
  return runClose(ctx.app, ctx.actor, input.month, 0);
}

const scheduler: Actor = { kind: 'system', name: 'close-month' };

/**
 * Closes months automatically once their grace period is over: the last month and, after a long shutdown, all
 * months left open since the last close. A run that finds nothing to do is not recorded.
 */
export const closeMonthJob = job({
  name: 'close-month',
  schedule: '5 * * * *',
  nextAt: (app: App) =>
    unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) => {
      const graceMs = (await ctx.setting(graceHours)) * hourMs;
      const ends = (await organizationZones(ctx)).map((zone) =>
        nextGraceEnd(ctx.now, zone, graceMs).getTime(),
      );
      return ends.length === 0 ? undefined : new Date(Math.min(...ends));
    }),
  run: async (app: App) => {
    const { months, graceMs } = await unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) => {
      const last = addMonths(monthOf(ctx.now, 'UTC'), -1);
      return {
        months: monthsToClose(await lastClosedMonth(ctx, last), last),
        graceMs: (await ctx.setting(graceHours)) * hourMs,
      };
    });
    for (const month of months)
      if (await isSomebodyDue(app, month, graceMs)) await runClose(app, scheduler, month, graceMs);
  },
});

/**
 * Whether a close would bill anyone. Organizations that failed before do not count: an Admin must resolve
 * their error.
 */
async function isSomebodyDue(app: App, month: BillingMonth, graceMs: number): Promise<boolean> {
  const failedOrganizations = new Set(
    await unitOfWork(app, { actor: scheduler, mode: 'read' }, (ctx) => failedOrganizationsOf(ctx, month)),
  );
  for (let after: Id<'org'> | null = null; ;) {
    const { last, due } = await unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) => {
      const ids = await unclosedAfter(ctx, month, after, chunkSize);
      return { last: ids.at(-1) ?? null, due: await dueOf(ctx, ids, month, graceMs) };
    });
    if (due.some((organization) => !failedOrganizations.has(organization.id))) return true;
    if (last === null) return false;
    after = last;
  }
}

/**
 * Issues the missing bills of a month for organizations in whose time zone the month ended at least `graceMs`
 * ago. Visits only those that were not closed yet, so a repeat costs only what is new.
 */
export async function runClose(
  app: App,
  actor: Actor,
  month: BillingMonth,
  graceMs: number,
): Promise<Out<typeof billing.closeMonth>> {
  const close = await beginRun(app, actor, month, graceMs);
  const nextSize = adaptiveSizes(app);
  let chunk = await planChunk(close, null, adaptiveChunkSize);
  while (chunk.last !== null && !close.isStopped) {
    const { last } = chunk;
    const size = nextSize();
    const planNext = (): Promise<PlannedChunk> => planChunk(close, last, size);
    // The next chunk is planned while the database stores the current one; while requests are waiting, one
    // after the other.
    const storing = closeChunk(close, chunk);
    const [stored, following] = await Promise.allSettled([
      storing,
      size === adaptiveChunkSize ? storing.then(planNext) : planNext(),
    ]);
    if (stored.status === 'rejected') throw stored.reason;
    if (following.status === 'rejected') throw following.reason;
    chunk = following.value;
  }
  return endRun(close);
}

/** Begin: creates the run that shows the progress. */
async function beginRun(app: App, actor: Actor, month: BillingMonth, graceMs: number): Promise<Close> {
  const total = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => countUnclosed(ctx, month));
  const runId = await unitOfWork(app, { actor }, async (ctx) => {
    // Monthly recurring grants must exist before the month's bills use them.
    await renewGrants(ctx, month);
    const id = await insertRun(ctx, 'close', month, total);
    ctx.audit('billing.closeMonth', id, { month });
    return id;
  });
  return { app, actor, month, graceMs, runId, issued: 0, isStopped: false };
}

/** Returns the size of each next chunk, depending on whether requests were served since the last one. */
function adaptiveSizes(app: App): () => number {
  let answered = app.vitals.answered();
  return () => {
    const before = answered;
    answered = app.vitals.answered();
    return answered - before > fewAnswers ? adaptiveChunkSize : chunkSize;
  };
}

/**
 * Plan: returns the next organizations that are not closed yet and the bills of the due ones, from one
 * snapshot.
 */
async function planChunk(
  { app, actor, month, graceMs }: Close,
  after: Id<'org'> | null,
  size: number,
): Promise<PlannedChunk> {
  return unitOfWork(app, { actor, mode: 'snapshot' }, async (ctx) => {
    const ids = await unclosedAfter(ctx, month, after, size);
    const due = await dueOf(ctx, ids, month, graceMs);
    const plan = await planMonth(ctx, month, due).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error;
      app.log.warn(
        { err: error, month },
        'a chunk could not be planned; its organizations are tried one by one',
      );
      return undefined;
    });
    return { last: ids.at(-1) ?? null, scanned: ids.length, due, plan };
  });
}

async function dueOf(
  ctx: Ctx,
  ids: readonly Id<'org'>[],
  month: BillingMonth,
  graceMs: number,
): Promise<Organization[]> {
  const organizations = ids.length === 0 ? [] : await organizationsByIds(ctx, ids);
  return organizations.filter((organization) =>
    isMonthOver(month, organization.timeZone, new Date(ctx.now.getTime() - graceMs)),
  );
}

/**
 * Issues a chunk as a whole; if it fails, one organization at a time, so that only the one that causes the
 * error fails.
 */
async function closeChunk(close: Close, chunk: Chunk): Promise<void> {
  if (chunk.plan !== undefined) {
    try {
      return await issueChunk(close, chunk);
    } catch (error) {
      // No organization caused this: the close stops here, and the next one continues.
      if (isDatabaseUnavailable(error)) throw error;
      close.app.log.warn(
        { err: error, month: close.month },
        'a chunk could not be billed; its organizations are tried one by one',
      );
    }
  }
  let failedCount = 0;
  for (const organization of chunk.due) {
    if (close.isStopped) return;
    try {
      await issueChunk(close, { due: [organization], scanned: 1, plan: undefined });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      await failOrganization(close, organization, error);
      failedCount += 1;
    }
  }
  const organizations = chunk.scanned - chunk.due.length + failedCount;
  close.isStopped ||= await unitOfWork(close.app, { actor: close.actor }, (ctx) =>
    addToRun(ctx, close.runId, { organizations, issued: 0 }),
  );
}

/** Records the organization as failed with the reason, for an Admin to resolve; the others continue. */
async function failOrganization(
  { app, actor, month }: Close,
  organization: Organization,
  error: unknown,
): Promise<void> {
  app.log.error(
    { err: error, organizationId: organization.id, month },
    'an organization could not be billed and is parked',
  );
  await unitOfWork(app, { actor }, (ctx) =>
    recordFailedOrganization(ctx, organization.id, month, reasonOf(error)),
  );
}

/** Why an organization could not be billed: a domain error's code, otherwise the error's message. */
export const reasonOf = (error: unknown): string =>
  error instanceof DomainError ? error.code : asError(error).message;

/**
 * Issue: stores the bills of a chunk in one transaction, from its plan. Without a plan, or when the
 * transaction is retried, it plans again.
 */
async function issueChunk(close: Close, chunk: Chunk): Promise<void> {
  const { app, actor, month, graceMs, runId } = close;
  let plan = chunk.plan;
  const done = await unitOfWork(app, { actor }, async (ctx) => {
    // Planned again from what the organizations are now.
    const due = plan
      ? chunk.due
      : await dueOf(
          ctx,
          chunk.due.map(({ id }) => id),
          month,
          graceMs,
        );
    const used = plan ?? (await planMonth(ctx, month, due));
    plan = undefined;
    const issued = await issueBills(ctx, month, due, used);
    const isStopped = await addToRun(ctx, runId, { organizations: chunk.scanned, issued });
    ctx.publish('system/billing', { kind: 'progress' });
    return { issued, isStopped };
  });
  close.issued += done.issued;
  close.isStopped ||= done.isStopped;
}

/** Issues planned bills in the caller's transaction and returns their number. */
async function issueBills(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  planned: MonthPlan,
): Promise<number> {
  if (organizations.length === 0) return 0;
  const { plans, late, payers } = planned;
  const ids = organizations.map(({ id }) => id);
  // The lock on the series serializes concurrent closes: after it, the other's closed organizations are
  // visible.
  const lastSequence = await lockSeries(ctx, billSeries(month));
  if ((await lateBegins(ctx, month)) !== planned.lateBegins)
    throw new ReadAgain('a subscription began in the month after these bills were planned');
  if ((await payersOfMonth(ctx, month, organizations)).stamp !== payers.stamp)
    throw new ReadAgain(
      'who pays for an organization or a subscription was changed after these bills were planned',
    );
  if (await areZonesChanged(ctx, organizations))
    throw new ReadAgain('the time zone of an organization was changed after these bills were planned');
  const closed = await closedFor(ctx, ids, month);
  const open = organizations.filter(({ id }) => !closed.has(id));
  const lateMonths = late.months.filter(({ organizationId }) => !closed.has(organizationId));
  // The close of another month may have settled the same late usage since it was read.
  if (lateMonths.length > 0 && !(await holdLateMonths(ctx, lateMonths)))
    throw new ReadAgain('late usage that these bills were to settle is on other bills');
  const applied = open.flatMap(({ id }) => (plans.get(id) ?? []).map((plan) => plan.applied));
  if (!(await holdTerms(ctx, applied)))
    throw new ReadAgain('terms that these bills were planned by have changed');
  const openIds = open.map(({ id }) => id);
  if (!(await holdInterims(ctx, openIds, month, applied)))
    throw new ReadAgain('interim bills that these bills were to take off have changed');

  const bills = await withGivenBack(ctx, await numberBills(ctx, month, open, planned, lastSequence));
  await storeBills(ctx, month, openIds, bills);
  // A month is closed once per organization, with or without bills: later usage becomes an adjustment of the
  // next month.
  await insertMonthClosed(ctx, openIds, month);
  await issueRetail(ctx, month, open, lateMonths);
  await clearFailedOrganizations(ctx, ids, month);
  // Credit that could last be used in this month expires.
  await expireEnded(ctx, openIds);
  if (lateMonths.length > 0) await settleLateMonths(ctx, lateMonths);
  return bills.length;
}

/** Number: each planned bill gets the next number of the month's gapless series. */
async function numberBills(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  { plans, others, payers }: Pick<MonthPlan, 'plans' | 'others' | 'payers'>,
  lastSequence: number,
): Promise<NewBill[]> {
  const usual = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  // Bills on one consolidated bill have the same due date, whenever its parts were closed.
  const together = await consolidatingPayers(
    ctx,
    payers.all.map(({ id }) => id),
    month,
  );
  let sequence = lastSequence;
  const billsOf = (billFor: BillFor, planned: readonly BillPlan[]): NewBill[] =>
    planned.map((plan) =>
      newBill(ctx, billFor, month, ++sequence, together.get(billFor.payer.id) ?? usual, plan),
    );
  return organizations.flatMap((organization) => [
    ...billsOf(
      { organization, payer: payers.ofOrganization(organization) },
      plans.get(organization.id) ?? [],
    ),
    ...(others.get(organization.id) ?? []).flatMap((part) =>
      billsOf({ organization, payer: part.payer, bySubscription: true }, part.plans),
    ),
  ]);
}

/**
 * Store and publish: the bills, the reactions of features that depend on billing, and the live updates for
 * open pages.
 */
async function storeBills(
  ctx: Ctx,
  month: BillingMonth,
  organizationIds: readonly Id<'org'>[],
  bills: readonly NewBill[],
): Promise<void> {
  const last = bills.at(-1);
  if (last) await insertBills(ctx, billSeries(month), last.sequence, bills);
  // Also for organizations without a bill. Must run before ledger rows are locked, in the same order as the
  // revenue job.
  await releaseEnded(ctx, { organizationIds, month });
  if (!last) return;
  await consumeTerms(ctx, bills);
  await ctx.emit(billsIssued, bills.map(issuedOf));
  publishIssued(ctx, bills);
}

/** End: records the result of the run. */
async function endRun({
  app,
  actor,
  month,
  runId,
  issued,
  isStopped,
}: Close): Promise<Out<typeof billing.closeMonth>> {
  return unitOfWork(app, { actor }, async (ctx) => {
    const skipped = await finishRun(ctx, runId, { state: isStopped ? 'stopped' : 'done' });
    await askWaiting(ctx);
    ctx.publish('system/billing', { kind: 'closed' });
    return { runId, issued, skipped, parked: await countFailedOrganizations(ctx, month), stopped: isStopped };
  });
}
