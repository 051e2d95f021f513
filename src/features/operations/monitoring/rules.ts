// When something is well, needs somebody soon, or now.
import type { Verdict } from './contract.ts';

const minute = 60_000;
/** The worse of several. */
export const worst = (...all: readonly Verdict[]): Verdict =>
  all.includes('bad') ? 'bad' : all.includes('warning') ? 'warning' : all.includes('good') ? 'good' : 'off';

const above = (value: number, warning: number, bad: number): Verdict =>
  value > bad ? 'bad' : value > warning ? 'warning' : 'good';

/** Milliseconds that something has waited; nothing waits: 0. */
const waited = (since: Date | null, now: Date): number =>
  since ? Math.max(0, now.getTime() - since.getTime()) : 0;

/** What the messages of a kind are called: the ends of the sentences' keys. */
export const laneNames = {
  mail: 'mail',
  live: 'live',
  push: 'push',
  sms: 'sms',
  webhook: 'webhook',
  announcement: 'announcement',
  'payments.close_checkout': 'close_checkout',
} as const;

/** A lane sends within seconds: a minute late is a slow channel, ten are a dead one. What was given up needs somebody anyhow. */
export function laneVerdict(
  lane: { readonly oldestDueAt: Date | null; readonly parked: number; readonly isOn: boolean },
  now: Date,
): Verdict {
  if (!lane.isOn && lane.oldestDueAt === null && lane.parked === 0) return 'off';
  return worst(
    above(waited(lane.oldestDueAt, now), minute, 10 * minute),
    lane.parked > 0 ? 'warning' : 'good',
  );
}

/** Workers look every second: a job that could begin and does not for five minutes has nobody who takes it, unless one of its kind runs. */
export function jobVerdict(job: {
  readonly waitedSeconds: number;
  readonly active: number;
  readonly failed: number;
}): Verdict {
  const late = job.active > 0 ? 'good' : above(job.waitedSeconds * 1000, minute, 5 * minute);
  return worst(late, job.failed > 0 ? 'warning' : 'good');
}

/** `answerMs` for the simplest question; connections in use of those there are; a transaction open for long holds back what cleans up. */
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

/** The event loop's 99th percentile and failed requests of the last minute that is over. */
export function processVerdict(
  last: { readonly lagMs: number; readonly failed: number } | undefined,
): Verdict {
  return last ? worst(above(last.lagMs, 100, 1000), last.failed > 0 ? 'warning' : 'good') : 'good';
}
