// The jobs of cost imports: reading waiting files, looking for new ones in folders and buckets, and deleting
// uploads.
import { hourMs } from '#kernel/durations.ts';
import { OutsideUnavailable } from '#platform/server/files/outside/outside-files.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { groupMark } from '../rules-files.ts';
import { readWaiting, uploadFolder, uploadName } from './import-files.ts';
import { openPlace } from './place.ts';
import { groupsIn } from './read-manifests.ts';
import { claimPulls, endPull, lockSource, type SourceRow } from './store.ts';
import { importOfDigest, insertImport, keptUploads } from './store-imports.ts';

const by = { actor: { kind: 'system', name: 'cost-imports' }, keepsCachedReads: true } as const;
const claimMs = 10 * 60_000;
/** A file changed more recently may belong to an export that is still being written. */
const settledMs = 2 * 60_000;
const keptDays = 7;

/**
 * Looks for new files in sources that are due. A failure is stored on its source and retried within the hour.
 */
export async function pullDue(app: App, signal: AbortSignal): Promise<void> {
  const due = await unitOfWork(app, by, (ctx) => claimPulls(ctx, new Date(ctx.now.getTime() + claimMs)));
  for (const source of due) {
    if (signal.aborted) return;
    await pull(app, source, signal);
  }
}

async function pull(app: App, source: SourceRow, signal: AbortSignal): Promise<void> {
  try {
    const place = openPlace(app, source);
    const before = new Date(app.clock.now().getTime() - settledMs);
    const groups = await groupsIn(place, before, signal).finally(() => place.close());
    await unitOfWork(app, by, async (ctx) => {
      const now = await lockSource(ctx, source.id);
      // The source was changed in the meantime: the listing may be of another location.
      if (!now || now.version !== source.version) return;
      for (const group of groups) {
        const digest = sha256(groupMark(group));
        if ((await importOfDigest(ctx, source.id, digest, now.assumedCurrency, true)) !== undefined) continue;
        await insertImport(ctx, {
          id: ctx.newId('cim'),
          sourceId: source.id,
          name: group.name,
          files: group.files.map(({ name }) => name),
          digest,
          bytes: group.files.reduce((sum, { bytes }) => sum + bytes, 0),
        });
      }
      await endPull(ctx, source.id, new Date(ctx.now.getTime() + hourMs), null);
      ctx.publish('system/cost-imports', { kind: 'sources' });
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof OutsideUnavailable)) throw error;
    await unitOfWork(app, by, async (ctx) => {
      await endPull(ctx, source.id, new Date(ctx.now.getTime() + hourMs / 4), {
        code: error.failure,
        detail: error.detail.slice(0, 300),
      });
      ctx.publish('system/cost-imports', { kind: 'sources' });
    });
  }
}

/** Deletes the files of uploads that ended a week ago, and of uploads that no import references. */
async function forgetUploads(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptDays * 24 * hourMs);
  const kept = await unitOfWork(app, { ...by, mode: 'read' }, (ctx) => keptUploads(ctx, before));
  const keptNames = new Set([...kept].map(uploadName));
  const files = await app.files.list(uploadFolder);
  await app.files.remove(files.map(({ name }) => name).filter((name) => !keptNames.has(name)));
}

export const costImportsJobs: readonly Job[] = [
  job({
    name: 'cost-imports',
    everySeconds: 2,
    retryLimit: 0,
    run: (app, _payload, signal) => readWaiting(app, signal),
  }),
  job({
    name: 'cost-pulls',
    everySeconds: 15,
    retryLimit: 0,
    run: (app, _payload, signal) => pullDue(app, signal),
  }),
  job({ name: 'cost-imports-tidy', schedule: '45 3 * * *', run: (app) => forgetUploads(app) }),
];
