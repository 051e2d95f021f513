// Checks of the books that users start: one at a time, shown live and stored.
import type { Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { asError } from '#kernel/errors.ts';
import { person, tenant, type Actor, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { books, CheckRun } from '../contract.ts';
import { runChecker, type CheckerLine } from './run-checker.ts';
import {
  addResult,
  beginRun,
  checkById,
  endRun,
  failSilentChecks,
  insertCheck,
  newestChecks,
  runningCheck,
} from './store-checks.ts';

const actor: Actor = { kind: 'system', name: 'books-check' };
// The checker reports after each of its checks; after this much silence, the console that started it must
// have died.
const silentMs = 10 * 60_000;

const publishChecks = (ctx: Ctx, organizationId: string | null): void =>
  ctx.publish(organizationId === null ? 'system/billing' : `org/${organizationId}/bills`, { kind: 'check' });

async function start(ctx: Ctx, organizationId: Id<'org'> | null): Promise<CheckRun> {
  await failSilentChecks(ctx, organizationId, new Date(ctx.now.getTime() - silentMs), 'books.check_silent');
  const checkId = await insertCheck(ctx, organizationId, person(ctx).userId);
  if (checkId === undefined)
    return required(await runningCheck(ctx, organizationId), 'the check that runs already');
  await ctx.enqueue(booksCheckJob.name, { checkId }, checkId);
  ctx.audit('books.check', checkId);
  publishChecks(ctx, organizationId);
  return required(await checkById(ctx, checkId), 'the check that was just asked for').run;
}

/** Requests a check of all books. */
export async function runCheck(ctx: Ctx): Promise<CheckRun> {
  return start(ctx, null);
}

/** Requests a check of the caller's own organization's books. */
export async function runOwnCheck(ctx: Ctx): Promise<CheckRun> {
  return start(ctx, tenant(ctx));
}

export async function listChecks(ctx: Ctx): Promise<Out<typeof books.listChecks>> {
  return { items: await newestChecks(ctx, null) };
}

export async function listOwnChecks(ctx: Ctx): Promise<Out<typeof books.listOwnChecks>> {
  return { items: await newestChecks(ctx, tenant(ctx)) };
}

async function storeLine(
  ctx: Ctx,
  checkId: Id<'chk'>,
  organizationId: string | null,
  line: CheckerLine,
): Promise<void> {
  if (line.type === 'begin') await beginRun(ctx, checkId, line.checks);
  else if (line.type === 'end') await endRun(ctx, checkId, line.verdict, null);
  else {
    const { type: _type, ...result } = line;
    await addResult(ctx, checkId, result);
  }
  publishChecks(ctx, organizationId);
}

/**
 * Runs the checker for a requested run. A retried job starts the run again; a run that has ended is skipped.
 */
export const booksCheckJob = job({
  name: 'books-check',
  run: async (app: App, { checkId }: { checkId: Id<'chk'> }, signal) => {
    const requested = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => checkById(ctx, checkId));
    if (!requested || requested.run.finishedAt !== null) return;
    try {
      await runChecker(
        app,
        requested.organizationId,
        (line) =>
          unitOfWork(app, { actor }, (ctx) => storeLine(ctx, checkId, requested.organizationId, line)),
        signal,
      );
    } catch (error) {
      app.log.error({ err: error, checkId }, 'the books could not be looked at');
      await unitOfWork(app, { actor }, async (ctx) => {
        await endRun(ctx, checkId, 'broken', asError(error).message);
        publishChecks(ctx, requested.organizationId);
      });
    }
  },
});
