// Changes many users: a batch is stored first and processed in chunks, so that it can show progress, be
// stopped, and continue after a restart.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { person, type Actor, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { countActiveAdmins, countUsers, endSessionsOfMany } from '#features/access/identity/server/index.ts';
import { identityErrors } from '#features/access/identity/contract.ts';
import { resetMany } from '#features/access/signin/server/index.ts';
import { usersErrors, type BatchAction, type UserBatch, type users } from '../contract.ts';
import {
  batchById,
  batchOfBatch,
  batchOfFilter,
  batchOfIds,
  processChunk,
  endBatch,
  markUndone,
  pageOfBatchRows,
  type BatchRow,
} from './store-batch.ts';

/** Batches up to this size are processed within the call; larger ones in the background. */
const maxAtOnce = 200;
const chunkSize = 500;
const actor: Actor = { kind: 'system', name: 'user-batch' };

type Links = Out<typeof users.startBatch>['links'];

/** The action that undoes each action; a password reset cannot be undone. */
const opposite: Record<BatchAction, BatchAction | undefined> = {
  activate: 'deactivate',
  deactivate: 'activate',
  delete: 'restore',
  restore: 'delete',
  resetPassword: undefined,
};

const viewOf = ({ createdBy: _createdBy, undoneBy, ...batch }: BatchRow): UserBatch => ({
  ...batch,
  canUndo:
    batch.state !== 'running' && batch.done > 0 && undoneBy === null && opposite[batch.action] !== undefined,
});

async function requireBatch(ctx: Ctx, batchId: string, lock = false): Promise<BatchRow> {
  const found = await batchById(ctx, batchId, lock);
  if (!found) throw domainError(usersErrors, 'users.batch_not_found');
  return found;
}

/** Starts a batch for the named users, or for all that match a filter. */
export async function startBatch(
  ctx: Ctx,
  { action, ids, filter, expected }: In<typeof users.startBatch>,
): Promise<Out<typeof users.startBatch>> {
  const { userId } = person(ctx);
  if ((ids === undefined) === (filter === undefined)) throw domainError(usersErrors, 'users.nobody_named');
  if (filter && expected !== undefined) {
    const total = await countUsers(ctx, filter);
    if (total !== expected) throw domainError(usersErrors, 'users.count_changed', { total, expected });
  }
  const batchId = ids
    ? await batchOfIds(ctx, action, userId, ids)
    : await batchOfFilter(ctx, action, userId, filter ?? {});
  return begin(ctx, batchId, ids ? { ids } : { filter });
}

/** Processes a small batch now and leaves a large one to the job. */
async function begin(ctx: Ctx, batchId: Id<'ubt'>, selection: object): Promise<Out<typeof users.startBatch>> {
  const batch = await requireBatch(ctx, batchId);
  const isSmall = batch.total <= maxAtOnce;
  // Without e-mail, the answer to the caller contains the password links; a job has no caller to answer.
  if (!isSmall && batch.action === 'resetPassword' && !hasMail(ctx.app.config))
    throw domainError(usersErrors, 'users.many_need_mail', { most: maxAtOnce });
  const links = isSmall ? await nextChunk(ctx, batch) : [];
  if (!isSmall) await ctx.enqueue(userBatchJob.name, { batchId }, batchId);
  const now = await requireBatch(ctx, batchId);
  ctx.audit('users.batch', batchId, {
    batchId,
    action: batch.action,
    total: batch.total,
    ...selection,
    ...(isSmall && { done: now.done, refused: now.refused }),
  });
  return { batch: viewOf(now), links };
}

/** Processes the next users; the batch is done when none are left. */
async function nextChunk(ctx: Ctx, batch: BatchRow): Promise<Links> {
  // Admins are always locked before the users to change, so that transactions do not deadlock and one Admin
  // remains.
  await countActiveAdmins(ctx);
  const { taken, changed } = await processChunk(ctx, batch, chunkSize);
  const links = batch.action === 'resetPassword' ? await resetMany(ctx, changed) : [];
  if (batch.action === 'deactivate' || batch.action === 'delete')
    await endSessionsOfMany(
      ctx,
      changed.map((user) => user.id),
    );
  if (taken < chunkSize) await endBatch(ctx, batch.id, 'done');
  return changed.flatMap((user, index) =>
    links[index] ? [{ userId: user.id, name: user.name, account: user.account, ...links[index] }] : [],
  );
}

/** Continues a batch until it is done or stopped; each chunk is its own transaction. */
export const userBatchJob = job({
  name: 'user-batch',
  run: async (app: App, { batchId }: { batchId: Id<'ubt'> }, signal) => {
    for (let isRunning = true; isRunning;) {
      // An aborted job is retried and continues with the rest.
      signal.throwIfAborted();
      isRunning = await unitOfWork(app, { actor }, async (ctx) => {
        const batch = await batchById(ctx, batchId, true);
        if (batch?.state !== 'running') return false;
        await nextChunk(ctx, batch);
        const after = required(await batchById(ctx, batchId), 'the batch that is held');
        if (after.state === 'running') return true;
        ctx.audit('users.batch_done', batchId, {
          action: after.action,
          by: after.createdBy,
          done: after.done,
          unchanged: after.unchanged,
          refused: after.refused,
        });
        return false;
      });
    }
  },
});

export async function getBatch(ctx: Ctx, { batchId }: In<typeof users.getBatch>): Promise<UserBatch> {
  return viewOf(await requireBatch(ctx, batchId));
}

export async function listBatchRows(
  ctx: Ctx,
  input: In<typeof users.listBatchRows>,
): Promise<Out<typeof users.listBatchRows>> {
  await requireBatch(ctx, input.batchId);
  const page = await pageOfBatchRows(ctx, input);
  return {
    ...page,
    items: page.items.map((row) => ({ ...row, message: row.code === null ? null : ctx.text(row.code) })),
  };
}

/** Stops a batch after its current chunk. */
export async function stopBatch(ctx: Ctx, { batchId }: In<typeof users.stopBatch>): Promise<UserBatch> {
  await requireBatch(ctx, batchId, true);
  await endBatch(ctx, batchId, 'stopped');
  return viewOf(await requireBatch(ctx, batchId));
}

/** Undoes a batch; users that have been changed since are skipped. */
export async function undoBatch(ctx: Ctx, { batchId }: In<typeof users.undoBatch>): Promise<UserBatch> {
  const batch = await requireBatch(ctx, batchId, true);
  const action = opposite[batch.action];
  if (!viewOf(batch).canUndo || !action)
    throw domainError(
      usersErrors,
      batch.state === 'running' ? 'users.batch_running' : 'users.nothing_to_undo',
    );
  const undo = await batchOfBatch(ctx, action, person(ctx).userId, batchId, 'done');
  await markUndone(ctx, batchId, undo);
  return (await begin(ctx, undo, { undoes: batchId })).batch;
}

/** Retries a batch for the users whose change was rejected. */
export async function retryBatch(ctx: Ctx, { batchId }: In<typeof users.retryBatch>): Promise<UserBatch> {
  const batch = await requireBatch(ctx, batchId, true);
  if (batch.state === 'running') throw domainError(usersErrors, 'users.batch_running');
  // Password links are only in the answer to the first call; a retry cannot return them.
  if (batch.refused === 0 || batch.action === 'resetPassword')
    throw domainError(usersErrors, 'users.nothing_to_retry');
  return (
    await begin(ctx, await batchOfBatch(ctx, batch.action, person(ctx).userId, batchId, 'refused'), {
      retries: batchId,
    })
  ).batch;
}

/** Deletes one user. */
export async function deleteUser(ctx: Ctx, input: In<typeof users.deleteUser>): Promise<null> {
  const { batch } = await startBatch(ctx, { action: 'delete', ids: [input.userId] });
  if (batch.done === 1) return null;
  const [row] = (await pageOfBatchRows(ctx, { batchId: batch.id })).items;
  throw row?.code === 'identity.own_account'
    ? domainError(identityErrors, 'identity.own_account')
    : row?.code === 'users.no_longer_admin'
      ? new DomainError('platform.forbidden', 403)
      : domainError(identityErrors, 'identity.user_not_found');
}
