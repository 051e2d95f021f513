// The jobs of sandboxes: moving a clock, resuming unfinished work, and deleting unused sandboxes.
import type { Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { SandboxHost } from '#platform/server/sandbox-host.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToAdmins } from '#features/messaging/notifications/server/index.ts';
import { noticeDays } from '../contract.ts';
import { makeMove } from './move-clock.ts';
import { deletedAtOf, dropSandbox, moveJobName } from './sandboxes.ts';
import {
  abandonedMoves,
  abandonedSandboxes,
  allSandboxes,
  deleteSandboxRow,
  forgetReset,
  setDeleting,
  setNoticed,
  type SandboxRow,
} from './store.ts';

const actor = { kind: 'system', name: 'sandboxes' } as const;

/** Resumes moves whose console died, and drops what a dead console was creating, resetting or deleting. */
async function mendAbandoned(app: App): Promise<void> {
  const host = app.sandboxes;
  if (!host) return;
  const abandoned = await unitOfWork(app, { actor }, async (ctx) => {
    for (const sandboxId of await abandonedMoves(ctx))
      await ctx.enqueue(moveJobName, { sandboxId }, sandboxId);
    return abandonedSandboxes(ctx);
  });
  for (const row of abandoned) {
    const { id, nextDatabase } = row;
    if (row.state !== 'ready') await dropSandbox(app, host, row);
    else if (nextDatabase !== null) {
      await host.dropDatabase(nextDatabase);
      await unitOfWork(app, { actor }, (ctx) => forgetReset(ctx, id, nextDatabase));
    }
  }
}

/**
 * Deletes unused sandboxes, databases without a sandbox, and sandboxes without a database, as after a
 * restore.
 */
async function tidySandboxes(app: App): Promise<void> {
  const host = app.sandboxes;
  if (!host) return;
  // The databases are listed first: one created meanwhile is not in the list, but its row exists.
  const databases = await host.databases();
  const rows = await unitOfWork(app, { actor, mode: 'read' }, allSandboxes);
  const known = new Set(rows.flatMap((row) => [row.database, row.nextDatabase]));
  for (const database of databases) if (!known.has(database)) await host.dropDatabase(database);
  const existing = new Set(await host.databases());
  for (const row of rows) await tidyOne(app, host, row, existing.has(row.database));
}

async function tidyOne(app: App, host: SandboxHost<App>, row: SandboxRow, isThere: boolean): Promise<void> {
  if (row.state !== 'ready') return;
  const now = app.clock.now().getTime();
  const endsMs = deletedAtOf(row).getTime();
  if (!isThere) {
    app.log.warn({ sandbox: row.id }, 'the database of a sandbox is not there; the sandbox is deleted');
    await unitOfWork(app, { actor }, async (ctx) => {
      await deleteSandboxRow(ctx, row.id);
      ctx.audit('sandboxes.lost', row.id, { name: row.name });
    });
  } else if (now >= endsMs && row.noticedAt !== null) {
    await unitOfWork(app, { actor }, async (ctx) => {
      await setDeleting(ctx, row.id);
      ctx.audit('sandboxes.deleteUnused', row.id, { name: row.name });
    });
    await dropSandbox(app, host, row);
  } else if (now >= endsMs - noticeDays * dayMs && row.noticedAt === null)
    await unitOfWork(app, { actor }, (ctx) => notice(ctx, row));
}

async function notice(ctx: Ctx, row: SandboxRow): Promise<void> {
  await setNoticed(ctx, row.id);
  await postToAdmins(ctx, {
    kind: 'system.sandbox_unused',
    type: 'info',
    category: 'system',
    subject: row.id,
    period: row.lastUsedAt.toISOString(),
    textKey: 'sandboxes.notice_unused',
    params: { name: row.name, days: noticeDays },
    link: `/admin/sandboxes?sandbox=${row.id}`,
  });
}

export const sandboxesJobs: readonly Job[] = [
  job({
    name: moveJobName,
    run: (app: App, { sandboxId }: { sandboxId: Id<'sbx'> }, signal) => makeMove(app, sandboxId, signal),
  }),
  job({ name: 'sandboxes-mend', everySeconds: 15, retryLimit: 0, run: (app) => mendAbandoned(app) }),
  job({ name: 'sandboxes-tidy', schedule: '52 * * * *', run: (app) => tidySandboxes(app) }),
];
