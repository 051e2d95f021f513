// Rules of backups: when one is due, and which are kept.
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf, momentAt, monthOf } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { BackupCause, BackupPlan, BackupProof } from './contract.ts';

export const initialPlan: BackupPlan = { isOn: true, hour: 3, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };

const clockTime = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The latest moment, not after `now`, at which a backup was due. */
export function lastDue(now: Date, hour: number, zone: string): Date {
  const today = dayOf(now, zone);
  const due = momentAt(today, clockTime(hour), zone);
  return due <= now ? due : momentAt(addDays(today, -1), clockTime(hour), zone);
}

/** The next moment, after `now`, at which a backup is due. */
export function nextDue(now: Date, hour: number, zone: string): Date {
  const today = dayOf(now, zone);
  const due = momentAt(today, clockTime(hour), zone);
  return due > now ? due : momentAt(addDays(today, 1), clockTime(hour), zone);
}

/**
 * Whether a scheduled backup is due: none was started since the last due time. A console that was down then
 * makes it up after its start.
 */
export function isDue(now: Date, plan: BackupPlan, zone: string, lastScheduledAt: Date | null): boolean {
  return plan.isOn && (lastScheduledAt === null || lastScheduledAt < lastDue(now, plan.hour, zone));
}

export type ExistingBackup = {
  readonly id: string;
  readonly at: Date;
  readonly cause: BackupCause;
  readonly proof: BackupProof;
};
/** The minimum number of days for which a backup made on request or before an upgrade is kept. */
export const unscheduledRetentionDays = 14;

/** The Monday of a day's week. */
function weekOf(day: LocalDay): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/**
 * The ids of expired backups. Of each of the last days, weeks and months with a backup, the newest is kept,
 * preferably a verified one. Also kept are the newest of all, the newest verified one, and for two weeks
 * those made on request or before an upgrade.
 */
export function overdue(
  backups: readonly ExistingBackup[],
  plan: BackupPlan,
  zone: string,
  now: Date,
): string[] {
  const newest = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const retained = new Set<string>();
  const keep = (one: ExistingBackup | undefined): void => void (one && retained.add(one.id));
  keep(newest[0]);
  keep(newest.find((one) => one.proof === 'proven'));
  const unscheduledSince = now.getTime() - unscheduledRetentionDays * dayMs;
  for (const one of newest) if (one.cause !== 'schedule' && one.at.getTime() >= unscheduledSince) keep(one);
  const spans: [number, (at: Date) => string][] = [
    [plan.keepDaily, (at) => dayOf(at, zone)],
    [plan.keepWeekly, (at) => weekOf(dayOf(at, zone))],
    [plan.keepMonthly, (at) => monthOf(at, zone)],
  ];
  for (const [most, spanOf] of spans) {
    const bySpan = [...Map.groupBy(newest, (one) => spanOf(one.at)).values()].slice(0, most);
    for (const ofSpan of bySpan) keep(ofSpan.find((one) => one.proof === 'proven') ?? ofSpan[0]);
  }
  return newest.filter((one) => !retained.has(one.id)).map((one) => one.id);
}

/** The name of a backup's file: its time and the release that made it. */
export const fileNameOf = (at: Date, version: string, mark: string): string =>
  `skytally-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z-${version}-${mark}.backup.age`;
