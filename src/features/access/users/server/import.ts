// Imports users from a file: uploaded and planned first, then written in chunks by a job that can be stopped
// and continues after a restart.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { figure } from '#platform/server/files/csv.ts';
import { person, type Actor, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { exportTable } from '#platform/server/files/export.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  countActiveAdmins,
  endSessionsOfMany,
  mailLanguage,
  userById,
} from '#features/access/identity/server/index.ts';
import { resetMany } from '#features/access/signin/server/index.ts';
import { usersErrors, type UserImport, type users } from '../contract.ts';
import { planImport } from './plan-import.ts';
import { readUsersFile } from './read-file.ts';
import {
  allImportRows,
  beginImport,
  endImport,
  importById,
  insertImport,
  pageOfImportRows,
  waitingRows,
  writeRows,
  type ImportRow,
  type StoredError,
  type StoredRow,
} from './store-import.ts';
import { columnName } from './export.ts';
import { importColumns } from '../rules.ts';

const chunkSize = 500;
const actor: Actor = { kind: 'system', name: 'user-import' };
const viewOf = ({ createdBy: _createdBy, sendLinks: _sendLinks, ...shown }: ImportRow): UserImport => shown;

async function requireImport(ctx: Ctx, importId: string, lock = false): Promise<ImportRow> {
  const found = await importById(ctx, importId, lock);
  if (!found) throw domainError(usersErrors, 'users.import_not_found');
  return found;
}

/** Reads a file and plans the change of each row. */
export async function uploadUsers(
  ctx: Ctx,
  input: In<typeof users.uploadUsers>,
  reply: Reply,
): Promise<UserImport> {
  if (!reply.raw || reply.raw.bytes.length === 0) throw domainError(usersErrors, 'users.import_empty');
  const rows = await planImport(ctx, await readUsersFile(ctx, reply.raw));
  const importId = await insertImport(ctx, input.fileName || 'users', person(ctx).userId, rows);
  const made = await requireImport(ctx, importId);
  ctx.audit('users.uploadUsers', importId, {
    fileName: made.fileName,
    total: made.total,
    create: made.create,
    update: made.update,
    refused: made.refused,
  });
  return viewOf(made);
}

export async function getUserImport(
  ctx: Ctx,
  { importId }: In<typeof users.getUserImport>,
): Promise<UserImport> {
  return viewOf(await requireImport(ctx, importId));
}

const errorView = (ctx: Ctx, { column, code, params }: StoredError): { column: string; message: string } => {
  const known = importColumns.find((one) => one === column);
  return { column: known ? columnName(ctx, known, ctx.language) : '', message: ctx.text(code, params) };
};

export async function listImportRows(
  ctx: Ctx,
  input: In<typeof users.listImportRows>,
): Promise<Out<typeof users.listImportRows>> {
  await requireImport(ctx, input.importId);
  const page = await pageOfImportRows(ctx, input);
  return {
    ...page,
    items: page.items.map(({ state, errors, ...row }) => ({
      ...row,
      isWritten: state === 'written',
      errors: errors.map((error) => errorView(ctx, error)),
    })),
  };
}

/**
 * Starts writing an import's rows. If some have errors, the others are written only if the caller asks for
 * that.
 */
export async function startImport(
  ctx: Ctx,
  { importId, leaveOutBadRows = false, sendLinks = false }: In<typeof users.startImport>,
): Promise<UserImport> {
  const found = await requireImport(ctx, importId, true);
  if (found.state !== 'ready') throw domainError(usersErrors, 'users.import_started');
  if (found.refused > 0 && !leaveOutBadRows)
    throw domainError(usersErrors, 'users.import_bad_rows', { refused: found.refused });
  if (sendLinks && !hasMail(ctx.app.config)) throw domainError(usersErrors, 'users.links_need_mail');
  await beginImport(ctx, importId, sendLinks);
  await ctx.enqueue(userImportJob.name, { importId }, importId);
  ctx.audit('users.startImport', importId, {
    fileName: found.fileName,
    create: found.create,
    update: found.update,
    leftOut: found.refused,
    sendLinks,
  });
  return viewOf(await requireImport(ctx, importId));
}

/** Stops an import after its current chunk. */
export async function cancelUserImport(
  ctx: Ctx,
  { importId }: In<typeof users.cancelUserImport>,
): Promise<UserImport> {
  await requireImport(ctx, importId, true);
  await endImport(ctx, importId, 'stopped');
  return viewOf(await requireImport(ctx, importId));
}

/** Continues an import until it is done or stopped; each chunk is its own transaction. */
export const userImportJob = job({
  name: 'user-import',
  run: async (app: App, { importId }: { importId: Id<'uim'> }, signal) => {
    for (let isRunning = true; isRunning;) {
      signal.throwIfAborted();
      isRunning = await unitOfWork(app, { actor }, (ctx) => nextRows(ctx, importId));
    }
  },
});

/** Writes the next rows; false when none are left. */
async function nextRows(ctx: Ctx, importId: Id<'uim'>): Promise<boolean> {
  const found = await importById(ctx, importId, true);
  if (found?.state !== 'running') return false;
  await countActiveAdmins(ctx);
  const by = await userById(ctx.db, found.createdBy);
  const rows =
    by?.role === 'Admin' && by.status === 'active' ? await waitingRows(ctx, importId, chunkSize) : undefined;
  if (rows && rows.length > 0) {
    const { created, signedOut } = await writeRows(ctx, found, rows, await ctx.setting(mailLanguage));
    await endSessionsOfMany(ctx, signedOut);
    if (found.sendLinks) await resetMany(ctx, created);
  }
  if (rows?.length === chunkSize) return true;
  await endImport(ctx, importId, rows ? 'done' : 'stopped');
  const after = required(await importById(ctx, importId), 'the import that is held');
  ctx.audit('users.import_done', importId, {
    by: found.createdBy,
    written: after.written,
    failed: after.failed,
    state: after.state,
  });
  return false;
}

const resultColumns = ['row', 'name', 'account', 'outcome', 'reason'] as const;

/** Exports every row with its result and reason. */
export async function importResult(
  ctx: Ctx,
  { importId, format, onlyBad = false }: In<typeof users.importResult>,
): Promise<FileAnswer> {
  const found = await requireImport(ctx, importId);
  // used as: 'users.result_*', 'users.outcome_*'
  const outcome = ({ action, state }: StoredRow): string =>
    ctx.text(
      `users.outcome_${state === 'failed' ? 'failed' : action === 'refused' || action === 'unchanged' ? action : state === 'written' ? `${action}d` : 'waiting'}`,
    );
  return exportTable<StoredRow>(ctx, {
    format,
    action: 'users.importResult',
    filter: { importId, onlyBad },
    title: `${ctx.text('users.result_title')}-${found.createdAt.toISOString().slice(0, 10)}`,
    total: onlyBad ? found.refused + found.failed : found.total,
    header: resultColumns.map((column) => ctx.text(`users.result_${column}`)),
    query: allImportRows(importId, onlyBad),
    cells: (row) => [
      figure(BigInt(row.row)),
      row.name,
      row.account,
      outcome(row),
      row.errors
        .map((error) => errorView(ctx, error))
        .map(({ column, message }) =>
          column === '' ? message : ctx.text('users.at_column', { column, message }),
        )
        .join(' '),
    ],
  });
}
