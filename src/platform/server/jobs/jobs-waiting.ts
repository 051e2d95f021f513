// Pending jobs, included in a backup and queued again when it is restored, so that promised work is done.
import type pg from 'pg';
import type { BackupManifest } from '../backup/backup-manifest.ts';
import { jobSchema, JobSender, type Job } from './jobs.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';

type Waiting = BackupManifest['jobs'];

/** Jobs that were requested and are not done. Scheduled jobs are left out, since their schedule starts them again. */
export async function waitingJobs(client: pg.ClientBase): Promise<Waiting> {
  const {
    rows: [there],
  } = await client.query<{ yes: boolean }>(`select to_regclass('${jobSchema}.job') is not null as yes`);
  if (!there?.yes) return [];
  const { rows } = await client.query<Waiting[number]>(
    `select name, data, singleton_key as key from ${jobSchema}.job where state in ('created', 'retry', 'active') and name not like '\\_\\_%' and coalesce(data, '{}') <> '{}' order by created_on, id`,
  );
  return rows;
}

/**
 * Queues jobs of `known` kinds in a database whose console is not running; its next start runs them. Other
 * kinds have no worker any more.
 */
export async function enqueueForNextStart(
  where: DatabaseConnection | string,
  jobs: Waiting,
  known: readonly Job[],
): Promise<void> {
  const queues = known.filter(({ name }) => jobs.some((each) => each.name === name));
  if (queues.length === 0) return;
  const sender = new JobSender(where);
  try {
    for (const queue of queues) await sender.prepare(queue);
    for (const { name, data, key } of jobs.filter((each) => queues.some((queue) => queue.name === each.name)))
      await sender.send(
        name,
        typeof data === 'object' && data !== null ? data : {},
        undefined,
        key ?? undefined,
      );
  } finally {
    await sender.stop();
  }
}
