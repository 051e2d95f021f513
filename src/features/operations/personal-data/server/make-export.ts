// Creates exports of organizations' data: requested by people, created one at a time by a job, removed when
// they expire.
import type { Id } from '#kernel/ids.ts';
import { DomainError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { makePdfRenderer } from '#platform/server/pdf/pdf.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { zipOf } from '#platform/server/files/zip.ts';
import { retentionDays } from '#features/reporting/packs/server/index.ts';
import { exportFiles, type ExportProgress } from './content.ts';
import { archiveStore, newFile, writeExport } from './files.ts';
import {
  beginExport,
  endExport,
  failSilentExports,
  markEnded,
  retainedFiles,
  storeProgress,
  type RequestedExport,
} from './store.ts';

const actor: Actor = { kind: 'system', name: 'personal-data' };
// A separate rendering process, so that people who open a bill do not wait behind an export's documents.
const renderer = makePdfRenderer({ idleMs: 10_000 });

class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Creates a waiting export. An export that has ended already, or that another run of this job has started, is
 * skipped.
 */
export const makeExportJob = job({
  name: 'personal-data-export',
  retryLimit: 0,
  run: async (app: App, { exportId }: { exportId: Id<'pex'> }, signal) => {
    const file = await newFile(app, exportId);
    const asked = await unitOfWork(app, { actor }, (ctx) => beginExport(ctx, exportId, file));
    if (!asked) return;
    try {
      await make(app, asked, file, signal);
    } catch (error) {
      const isStopped = error instanceof Stopped;
      if (!isStopped) app.log.error({ err: error, exportId }, 'an export of personal data could not be made');
      // A bucket that denied the export also denies this; the original failure must still be reported.
      await archiveStore
        .remove(app, file.name)
        .catch((again: unknown) =>
          app.log.warn({ err: again, exportId }, 'a part of an export of personal data was left'),
        );
      await unitOfWork(app, { actor }, (ctx) =>
        markEnded(
          ctx,
          exportId,
          isStopped ? 'stopped' : 'failed',
          isStopped ? null : problemOf(error, signal),
        ),
      );
    }
  },
});

function problemOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'personaldata.problem_interrupted';
  if (hasCode(error, 'ENOSPC')) return 'personaldata.problem_no_space';
  if (hasCode(error, 'FILES')) return 'personaldata.problem_files';
  return error instanceof DomainError ? error.code : 'personaldata.problem_failed';
}

async function make(
  app: App,
  asked: RequestedExport,
  file: { readonly name: string; readonly identity: string },
  signal: AbortSignal,
): Promise<void> {
  const onProgress = async (progress: ExportProgress): Promise<void> => {
    if (signal.aborted) throw new Error('the console ends', { cause: signal.reason });
    const mayGoOn = await unitOfWork(app, { actor }, (ctx) => storeProgress(ctx, asked.id, progress));
    if (!mayGoOn) throw new Stopped();
  };
  const sizeBytes = await unitOfWork(
    app,
    { actor, mode: 'snapshot', language: asked.language },
    async (ctx) =>
      writeExport(app, file, zipOf(exportFiles(ctx, { asked, render: renderer.render, onProgress })), signal),
  );
  const isThere = await unitOfWork(app, { actor }, async (ctx) => {
    ctx.audit('personaldata.made', asked.id, { organizationId: asked.organizationId, bytes: sizeBytes });
    return endExport(ctx, asked.id, {
      sizeBytes,
      keptUntil: new Date(ctx.now.getTime() + (await ctx.setting(retentionDays)) * dayMs),
    });
  });
  if (!isThere) throw new Stopped();
}

/**
 * Removes the files to which no export refers: those of expired exports, and partial files of interrupted
 * ones.
 */
export async function tidyExports(app: App): Promise<void> {
  // Rows are read after the files: a row is stored before its file is written, so no file of a running export
  // can be missed.
  const existing = await archiveStore.names(app);
  const fileNames = await unitOfWork(app, { actor }, async (ctx) => {
    await failSilentExports(ctx, 'personaldata.problem_interrupted');
    return retainedFiles(ctx);
  });
  await archiveStore.removeExcept(app, existing, fileNames);
}

export const tidyExportsJob = job({ name: 'tidy-personal-data', schedule: '40 * * * *', run: tidyExports });
