// Closing a month: bills for every organization, in resumable chunks; safe to kill, to repeat and to run twice at once.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import type { Actor, Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { ReadAgain, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { billingErrors, type billing, type CloseRun } from '../contract.ts';
import { billSeries, isMonthOver, monthsToClose } from '../rules.ts';
import { billsIssued, issuedOf, newBill } from './new-bill.ts';
import { planMonth, type MonthPlan } from './plan-month.ts';
import { dueDays, graceHours } from './settings.ts';
import { insertBills, lastNumber, lockSeries, type NewBill } from './store.ts';
import {
  closedFor,
  countUnclosed,
  holdLateMonths,
  keepClosed,
  lastClosedMonth,
  settleLateMonths,
  unclosedAfter,
} from './store-late.ts';
import {
  addToRun,
  askToStop,
  countParked,
  finishRun,
  insertRun,
  newestRuns,
  park,
  parkedOf,
  unpark,
} from './store-runs.ts';

// Large enough that what each chunk costs by itself does not count, small enough that a lost one is soon done again.
const chunkSize = 500;
// While others are there: nobody waits for the work on more than this. The close takes two to three times as long meanwhile.
const adaptiveChunkSize = 100;
// A probe and whoever watches the progress are no crowd.
const fewAnswers = 2;
const dayMs = 86_400_000;
type Counts = { issued: number; isStopped: boolean };

/** The button: closes a month that is over somewhere. Chunks commit one by one; what is done stays done. */
export async function closeMonth(
  ctx: Ctx,
  input: In<typeof billing.closeMonth>,
): Promise<Out<typeof billing.closeMonth>> {
  // The first zone in which a month ends is UTC+14; before that there is nothing to close anywhere.
  if (!isMonthOver(input.month, 'Pacific/Kiritimati', ctx.now))
    throw domainError(billingErrors, 'billing.month_not_over');
  return runClose(ctx.app, ctx.actor, input.month, 0);
}

/**
 * Issues what is missing of a month's bills for organizations in whose zone the month ended `graceMs` ago or longer. It visits only
 * those that were not closed yet, so a repeat costs what is new.
 */
export async function runClose(
  app: App,
  actor: Actor,
  month: BillingMonth,
  graceMs: number,
): Promise<Out<typeof billing.closeMonth>> {
  const total = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => countUnclosed(ctx, month));
  const runId = await unitOfWork(app, { actor }, async (ctx) => {
    const id = await insertRun(ctx, 'close', month, total);
    ctx.audit('billing.closeMonth', id, { month });
    return id;
  });
  const counts: Counts = { issued: 0, isStopped: false };
  let answered = app.vitals.answered();
  /** The next chunk's size, by whether others were answered since the last one was begun. */
  const sizeNow = (): number => {
    const before = answered;
    answered = app.vitals.answered();
    return answered - before > fewAnswers ? adaptiveChunkSize : chunkSize;
  };
  let page = await nextPage(app, actor, month, graceMs, null, adaptiveChunkSize);
  while (page.last !== null && !counts.isStopped) {
    const { last } = page;
    const size = sizeNow();
    const next = (): Promise<Page> => nextPage(app, actor, month, graceMs, last, size);
    // While the database stores one chunk, the next one is planned; where others wait for both, one after the other.
    const storing = closeChunk(app, actor, runId, month, page, counts);
    const [stored, following] = await Promise.allSettled([
      storing,
      size === adaptiveChunkSize ? storing.then(next) : next(),
    ]);
    if (stored.status === 'rejected') throw stored.reason;
    if (following.status === 'rejected') throw following.reason;
    page = following.value;
  }
  return unitOfWork(app, { actor }, async (ctx) => {
    // A series has no gaps, so its last number counts the month's bills.
    const skipped = (await lastNumber(ctx, billSeries(month))) - counts.issued;
    await finishRun(ctx, runId, { state: counts.isStopped ? 'stopped' : 'done', skipped });
    ctx.publish('system/billing', { kind: 'closed' });
    return {
      runId,
      issued: counts.issued,
      skipped,
      parked: await countParked(ctx, month),
      stopped: counts.isStopped,
    };
  });
}

/** `plan` is what the organizations that are due are billed; undefined when one of them cannot be planned. */
type Page = {
  readonly last: Id<'org'> | null;
  readonly seen: number;
  readonly due: readonly Organization[];
  readonly plan: MonthPlan | undefined;
};

/** The next organizations that were not closed yet, and what those of them are billed whose month is over for long enough: all of one moment. */
async function nextPage(
  app: App,
  actor: Actor,
  month: BillingMonth,
  graceMs: number,
  after: Id<'org'> | null,
  size: number,
): Promise<Page> {
  return unitOfWork(app, { actor, mode: 'snapshot' }, async (ctx) => {
    const ids = await unclosedAfter(ctx, month, after, size);
    const due = await dueOf(ctx, ids, month, graceMs);
    const plan = await planMonth(ctx, month, due).catch((error: unknown) => {
      app.log.warn(
        { err: error, month },
        'a chunk could not be planned; its organizations are tried one by one',
      );
      return undefined;
    });
    return { last: ids.at(-1) ?? null, seen: ids.length, due, plan };
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

/** What kept an organization from being billed: the sentence's key of a refusal, else what the fault says. */
export const reasonOf = (error: unknown): string =>
  error instanceof DomainError ? error.code : error instanceof Error ? error.message : String(error);

async function closeChunk(
  app: App,
  actor: Actor,
  runId: Id<'run'>,
  month: BillingMonth,
  { due, seen, plan }: Page,
  counts: Counts,
): Promise<void> {
  if (plan !== undefined) {
    try {
      await storeChunk(app, actor, runId, month, { due, seen, plan }, counts);
      return;
    } catch (error) {
      // One of them is at fault, or all of them: told apart below.
      app.log.warn(
        { err: error, month },
        'a chunk could not be billed; its organizations are tried one by one',
      );
    }
  }
  let left = seen - due.length;
  for (const organization of due) {
    if (counts.isStopped) return;
    try {
      await storeChunk(app, actor, runId, month, { due: [organization], seen: 1, plan: undefined }, counts);
    } catch (error) {
      app.log.error(
        { err: error, organizationId: organization.id, month },
        'an organization could not be billed and is parked',
      );
      await unitOfWork(app, { actor }, (ctx) => park(ctx, organization.id, month, reasonOf(error)));
      left += 1;
    }
  }
  counts.isStopped ||= await unitOfWork(app, { actor }, (ctx) =>
    addToRun(ctx, runId, { organizations: left, issued: 0 }),
  );
}

/** Issues a chunk's bills in one unit, by its plan; without one, or when that no longer holds, by a new plan. */
async function storeChunk(
  app: App,
  actor: Actor,
  runId: Id<'run'>,
  month: BillingMonth,
  { due, seen, plan: first }: Omit<Page, 'last'>,
  counts: Counts,
): Promise<void> {
  let plan = first;
  const done = await unitOfWork(app, { actor }, async (ctx) => {
    const used = plan ?? (await planMonth(ctx, month, due));
    plan = undefined;
    const issued = await issueBills(ctx, month, due, used);
    const isStopped = await addToRun(ctx, runId, { organizations: seen, issued });
    ctx.publish('system/billing', { kind: 'progress' });
    return { issued, isStopped };
  });
  counts.issued += done.issued;
  counts.isStopped ||= done.isStopped;
}

/** Issues planned bills in this unit of work. The series' lock makes two closes take turns. */
async function issueBills(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  { plans, late }: MonthPlan,
): Promise<number> {
  if (organizations.length === 0) return 0;
  const series = billSeries(month);
  let sequence = await lockSeries(ctx, series);
  // A month is closed once for an organization, with bills or without: what comes later is an adjustment of the next one.
  const closed = await closedFor(
    ctx,
    organizations.map((organization) => organization.id),
    month,
  );
  const open = organizations.filter((organization) => !closed.has(organization.id));
  const settled = late.months.filter((each) => !closed.has(each.organizationId));
  // The close of another month may have settled the same late usage since it was read.
  if (settled.length > 0 && !(await holdLateMonths(ctx, settled)))
    throw new ReadAgain('late usage that these bills were to settle is on other bills');
  const dueAt = new Date(ctx.now.getTime() + (await ctx.setting(dueDays)) * dayMs);
  const bills: NewBill[] = [];
  for (const organization of open) {
    for (const plan of plans.get(organization.id) ?? [])
      bills.push(newBill(ctx, organization, month, ++sequence, dueAt, plan));
  }
  if (bills.length > 0) {
    await insertBills(ctx, series, sequence, bills);
    await ctx.emit(billsIssued, bills.map(issuedOf));
    for (const bill of bills) ctx.publish(`org/${bill.organizationId}/bills`, { kind: 'issued' });
  }
  await keepClosed(
    ctx,
    open.map((organization) => organization.id),
    month,
  );
  if (settled.length > 0) await settleLateMonths(ctx, settled);
  await unpark(
    ctx,
    organizations.map((organization) => organization.id),
    month,
  );
  return bills.length;
}

export async function listCloseRuns(ctx: Ctx): Promise<{ items: CloseRun[] }> {
  return { items: await newestRuns(ctx) };
}

/** Asks a running close or preview to stop; it does after the chunk it is at. */
export async function stopCloseRun(ctx: Ctx, input: In<typeof billing.stopCloseRun>): Promise<null> {
  if (!(await askToStop(ctx, input.runId))) throw domainError(billingErrors, 'billing.run_not_running');
  ctx.audit('billing.stopCloseRun', input.runId);
  return null;
}

/**
 * Closes what is over by itself, every hour, once its grace time is over: last month, and whatever a console that was switched off
 * for long left open since the last close. An hour that finds nothing to do does nothing and leaves no record.
 */
export const closeMonthJob = job({
  name: 'close-month',
  schedule: '5 * * * *',
  run: async (app: App) => {
    const { months, graceMs } = await unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) => {
      const last = addMonths(monthOf(ctx.now, 'UTC'), -1);
      return {
        months: monthsToClose(await lastClosedMonth(ctx, last), last),
        graceMs: (await ctx.setting(graceHours)) * 3_600_000,
      };
    });
    for (const month of months)
      if (await isSomebodyDue(app, month, graceMs)) await runClose(app, scheduler, month, graceMs);
  },
});

const scheduler: Actor = { kind: 'system', name: 'close-month' };

/** Whether a close would bill somebody. Who is parked waits for a person: what kept them from being billed does not mend itself within the hour. */
async function isSomebodyDue(app: App, month: BillingMonth, graceMs: number): Promise<boolean> {
  const waiting = new Set(
    await unitOfWork(app, { actor: scheduler, mode: 'read' }, (ctx) => parkedOf(ctx, month)),
  );
  for (let after: Id<'org'> | null = null; ;) {
    const { last, due } = await unitOfWork(app, { actor: scheduler, mode: 'read' }, async (ctx) => {
      const ids = await unclosedAfter(ctx, month, after, chunkSize);
      return { last: ids.at(-1) ?? null, due: await dueOf(ctx, ids, month, graceMs) };
    });
    if (due.some((organization) => !waiting.has(organization.id))) return true;
    if (last === null) return false;
    after = last;
  }
}
