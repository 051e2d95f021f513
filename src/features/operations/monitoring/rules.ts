// Rules for when a part is healthy, needs attention soon, or now.
import type { Verdict } from './contract.ts';

const minute = 60_000;
/** The worst of several verdicts. */
export const worst = (...all: readonly Verdict[]): Verdict =>
  all.includes('bad') ? 'bad' : all.includes('warning') ? 'warning' : all.includes('good') ? 'good' : 'off';

export const needsAttention = (verdict: Verdict): boolean => verdict === 'bad' || verdict === 'warning';

/** What needs attention first, otherwise in their order. */
export const mostUrgentFirst = <One extends { readonly verdict: Verdict }>(
  all: readonly One[],
): readonly One[] =>
  (['bad', 'warning', 'good', 'off'] as const).flatMap((verdict) =>
    all.filter((one) => one.verdict === verdict),
  );

const above = (value: number, warning: number, bad: number): Verdict =>
  value > bad ? 'bad' : value > warning ? 'warning' : 'good';

/** How many milliseconds the oldest item has waited; 0 when none waits. */
const waited = (since: Date | null, now: Date): number =>
  since ? Math.max(0, now.getTime() - since.getTime()) : 0;

/** The names of message kinds, used as the last part of their locale keys. */
export const queueNames = {
  mail: 'mail',
  live: 'live',
  push: 'push',
  sms: 'sms',
  webhook: 'webhook',
  announcement: 'announcement',
  'payments.close_checkout': 'close_checkout',
  'collection.detach_card': 'detach_card',
  'collection.release_verification': 'release_verification',
} as const;

/**
 * Messages are sent within seconds: a minute late means a slow channel, ten minutes a dead one. Failed
 * messages always need an Admin.
 */
export function queueVerdict(
  queue: { readonly oldestDueAt: Date | null; readonly parked: number; readonly isOn: boolean },
  now: Date,
): Verdict {
  if (!queue.isOn && queue.oldestDueAt === null && queue.parked === 0) return 'off';
  return worst(
    above(waited(queue.oldestDueAt, now), minute, 10 * minute),
    queue.parked > 0 ? 'warning' : 'good',
  );
}

/**
 * Workers poll every second: a job that could have started five minutes ago has no worker, unless another of
 * its kind is running.
 */
export function jobVerdict(job: {
  readonly waitedSeconds: number;
  readonly active: number;
  readonly failed: number;
}): Verdict {
  const late = job.active > 0 ? 'good' : above(job.waitedSeconds * 1000, minute, 5 * minute);
  return worst(late, job.failed > 0 ? 'warning' : 'good');
}

/**
 * `answerMs` is the duration of the simplest query. Also considers connections in use and available; a long
 * open transaction blocks PostgreSQL's vacuum.
 */
export function databaseVerdict(database: {
  readonly answerMs: number;
  readonly connections: number;
  readonly mostConnections: number;
  readonly longestSeconds: number;
}): Verdict {
  return worst(
    above(database.answerMs, 100, 1000),
    above(database.connections / Math.max(1, database.mostConnections), 0.8, 0.95),
    above(database.longestSeconds, 300, 3600),
  );
}

/**
 * A console reports every 10 seconds: three missed reports mean that it hangs or was killed. Clocks that
 * differ by seconds date events and bills inconsistently; by a minute, consoles reject each other's tokens.
 * Two releases run side by side only during an upgrade.
 */
export function consoleVerdict(
  one: { readonly heardSecondsAgo: number; readonly clockAheadMs: number; readonly version: string },
  newestVersion: string,
): Verdict {
  return worst(
    above(one.heardSecondsAgo, 30, 120),
    above(Math.abs(one.clockAheadMs), 2000, 30_000),
    one.version === newestVersion ? 'good' : 'warning',
  );
}

/**
 * Without its replica, the primary has a higher load but still serves everything. A replica of another
 * database serves nothing: the address is wrong.
 */
export function replicaVerdict(replica: {
  readonly problem: 'away' | 'late' | 'other_database' | null;
  readonly isPrimary: boolean;
}): Verdict {
  if (replica.problem === 'other_database') return 'bad';
  return replica.problem !== null || replica.isPrimary ? 'warning' : 'good';
}

/** In percent of the processor, the memory or the disk. */
export const machineLimits = { warning: 75, alarm: 90 } as const;

/** A machine that is nearly full or busy deserves a look; the console still works. */
export function machineVerdict(
  last: { readonly cpu: number; readonly memory: number; readonly disk: number } | undefined,
): Verdict {
  return last && Math.max(last.cpu, last.memory, last.disk) > machineLimits.alarm ? 'warning' : 'good';
}

/** Considers the event loop's 99th percentile and the failed requests of the last complete minute. */
export function processVerdict(
  last: { readonly lagMs: number; readonly failed: number } | undefined,
): Verdict {
  return last ? worst(above(last.lagMs, 100, 1000), last.failed > 0 ? 'warning' : 'good') : 'good';
}
