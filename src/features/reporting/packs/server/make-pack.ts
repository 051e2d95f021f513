// Month packs: requested by users, created one at a time by a job, removed when they expire.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { DomainError } from '#kernel/errors.ts';
import { monthPeriod } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Actor, Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { makePdfRenderer } from '#platform/server/pdf/pdf.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { zipOf } from '#platform/server/files/zip.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import type { PackTotals } from '../contract.ts';
import { packFiles } from './content.ts';
import { newFileName, packStore } from './files.ts';
import {
  beginPack,
  endPack,
  retainedFiles,
  markEnded,
  failSilentPacks,
  storePackProgress,
  type RequestedPack,
} from './store.ts';

/** How many days a pack is kept. */
export const retentionDays = setting('packs.keepDays', z.int().check(z.minimum(1), z.maximum(90)), 7);
const actor: Actor = { kind: 'system', name: 'month-pack' };
// Rendering a document takes hundredths of a second, so progress is stored about once a second.
const documentsAtOnce = 20;

// A separate rendering process, started while there are documents to render: users who open a bill do not
// wait behind thousands of pack documents.
const renderer = makePdfRenderer({ idleMs: 10_000 });

class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Refreshes open pages with the packs of all organizations (null) or of one. */
export const publishPacks = (ctx: Ctx, organizationId: string | null): void =>
  ctx.publish(organizationId === null ? 'system/billing' : `org/${organizationId}/bills`, { kind: 'pack' });

/**
 * Creates a waiting pack. A pack that has ended already, or that another run of this job has started, is
 * skipped.
 */
export const makePackJob = job({
  name: 'month-pack',
  retryLimit: 0,
  run: async (app: App, { packId }: { packId: Id<'pak'> }, signal) => {
    const fileName = newFileName();
    const pack = await unitOfWork(app, { actor }, (ctx) => beginPack(ctx, packId, fileName));
    if (!pack) return;
    try {
      await make(app, pack, fileName, signal);
    } catch (error) {
      const isStopped = error instanceof Stopped;
      if (!isStopped) app.log.error({ err: error, packId }, 'a month pack could not be made');
      // A bucket that denied the pack also denies this; the original failure must still be reported.
      await packStore
        .remove(app, fileName)
        .catch((again: unknown) => app.log.warn({ err: again, packId }, 'a part of a month pack was left'));
      await unitOfWork(app, { actor }, async (ctx) => {
        await markEnded(
          ctx,
          packId,
          isStopped ? 'stopped' : 'failed',
          isStopped ? null : problemOf(error, signal),
        );
        publishPacks(ctx, pack.organizationId);
      });
    }
  },
});

function problemOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'packs.problem_interrupted';
  if (hasCode(error, 'ENOSPC')) return 'packs.problem_no_space';
  if (hasCode(error, 'FILES')) return 'packs.problem_files';
  return error instanceof DomainError ? error.code : 'packs.problem_failed';
}

async function make(app: App, pack: RequestedPack, fileName: string, signal: AbortSignal): Promise<void> {
  let totals: readonly PackTotals[] = [];
  let publishedStep = -1;
  const onProgress = async (documents: number, documentsTotal: number): Promise<void> => {
    if (signal.aborted) throw new Error('the console ends', { cause: signal.reason });
    const step = documents === documentsTotal ? Infinity : Math.floor(documents / documentsAtOnce);
    if (step === publishedStep && step !== Infinity) return;
    publishedStep = step;
    const mayGoOn = await unitOfWork(app, { actor }, async (ctx) => {
      publishPacks(ctx, pack.organizationId);
      return storePackProgress(ctx, pack.id, { documents, documentsTotal });
    });
    if (!mayGoOn) throw new Stopped();
  };
  const sizeBytes = await unitOfWork(
    app,
    { actor, mode: 'snapshot', language: pack.language },
    async (ctx) => {
      const timeZone = pack.zone ?? (await ctx.setting(timeZoneSetting));
      const scope = {
        organizationId: pack.organizationId,
        month: pack.month,
        period: monthPeriod(pack.month, timeZone),
      };
      const files = packFiles(ctx, {
        pack,
        scope,
        timeZone,
        render: renderer.render,
        onProgress,
        onTotals: (found) => {
          totals = found;
        },
      });
      return packStore.write(app, fileName, zipOf(files), signal);
    },
  );
  const isThere = await unitOfWork(app, { actor }, async (ctx) => {
    ctx.audit('packs.made', pack.id, { month: pack.month, bytes: sizeBytes });
    publishPacks(ctx, pack.organizationId);
    return endPack(ctx, pack.id, {
      sizeBytes,
      totals,
      keptUntil: new Date(ctx.now.getTime() + (await ctx.setting(retentionDays)) * dayMs),
    });
  });
  if (!isThere) throw new Stopped();
}

/**
 * Removes the files to which no pack refers: those of expired packs, and partial files of interrupted ones.
 */
export async function tidyPacks(app: App): Promise<void> {
  // Rows are read after the files: a row is stored before its file is written, so no file of a running pack
  // can be missed.
  const existing = await packStore.names(app);
  const fileNames = await unitOfWork(app, { actor }, async (ctx) => {
    await failSilentPacks(ctx, 'packs.problem_interrupted');
    return retainedFiles(ctx);
  });
  await packStore.removeExcept(app, existing, fileNames);
}

export const tidyPacksJob = job({ name: 'tidy-packs', schedule: '35 * * * *', run: tidyPacks });
