// Backups: created by schedule or on request, each verified by a restore, kept for a limited time.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery } from '#kernel/shape.ts';

/** `interrupted`: the backup was running and has not reported progress for minutes. */
export const backupStates = ['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted'] as const;
export type BackupState = (typeof backupStates)[number];
export const backupCauses = ['schedule', 'person', 'command', 'upgrade'] as const;
export type BackupCause = (typeof backupCauses)[number];
export const backupPhases = ['counting', 'writing', 'restoring', 'comparing'] as const;
/**
 * proven: restored, with every row equal. not_allowed: the database user may not create the database to
 * restore into.
 */
export const backupProofs = ['proven', 'different', 'not_allowed'] as const;
export type BackupProof = (typeof backupProofs)[number];

export const backupTotals = [
  'organizations',
  'users',
  'events',
  'bills',
  'billed',
  'paid',
  'ledger_entries',
  'ledger_debits',
  'ledger_balance',
  'receivable',
  'audit_rows',
  'audit_chain',
] as const;
/**
 * A total of the books at the time of the backup. The restored value is equal unless it is among the
 * differences. Amounts are in minor units.
 */
const Total = z.strictObject({ name: z.enum(backupTotals), unit: z.string(), value: z.string() });
const Difference = z.strictObject({ what: z.string(), expected: z.string(), found: z.string() });
export const BackupContent = z.strictObject({
  version: z.string(),
  postgres: z.string(),
  tables: z.int(),
  rows: z.int(),
  totals: z.array(Total),
});
export type BackupContent = z.output<typeof BackupContent>;

export const Backup = z.strictObject({
  id: id('bak'),
  state: z.enum(backupStates),
  cause: z.enum(backupCauses),
  askedAt: instant,
  askedBy: z.string(),
  begunAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  phase: z.nullable(z.enum(backupPhases)),
  rowsDone: z.int(),
  rowsTotal: z.int(),
  fileName: z.nullable(z.string()),
  sizeBytes: z.nullable(z.int()),
  content: z.nullable(BackupContent),
  proof: z.nullable(z.enum(backupProofs)),
  differences: z.array(Difference),
  removedAt: z.nullable(instant),
  problem: z.nullable(z.string()),
});
export type Backup = z.output<typeof Backup>;

const count = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
export const BackupPlan = z.strictObject({
  isOn: z.boolean(),
  /** The hour of the day, in the platform's time zone. */
  hour: count(0, 23),
  /** For how many days, weeks and months the newest backup of each is kept. */
  keepDaily: count(1, 90),
  keepWeekly: count(0, 52),
  keepMonthly: count(0, 120),
});
export type BackupPlan = z.output<typeof BackupPlan>;

export const BackupOverview = z.strictObject({
  plan: BackupPlan,
  timeZone: z.string(),
  /** When the next scheduled backup is due; null when the schedule is disabled. */
  nextAt: z.nullable(instant),
  lastProven: z.nullable(Backup),
  lastFailed: z.nullable(Backup),
  running: z.nullable(Backup),
  kept: z.int(),
  keptBytes: z.int(),
  folder: z.string(),
  /** The only recipient who can decrypt new backups; null: the key in the data directory can. */
  recipient: z.nullable(z.string()),
  /** Whether the console uses the embedded database or an external one. */
  isEmbedded: z.boolean(),
});
export type BackupOverview = z.output<typeof BackupOverview>;

const access = { roles: ['Admin'] } as const;
const oneBackup = z.strictObject({ backupId: id('bak') });

export const backups = contract({
  backupOverview: route({
    method: 'GET',
    path: '/admin/backups/overview',
    access,
    summary: 'Get the backup status',
    description: 'The last verified backup, the last failed one, the next one, and the schedule.',
    input: noInput,
    output: BackupOverview,
  }),
  listBackups: route({
    method: 'GET',
    path: '/admin/backups',
    access,
    summary: 'List backups',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(backupStates)) }),
    output: pageOf(Backup),
  }),
  makeBackup: route({
    method: 'POST',
    path: '/admin/backups',
    access,
    status: 202,
    summary: 'Create a backup',
    description: 'If one is already being created, that one is returned.',
    input: noInput,
    output: Backup,
  }),
  getBackup: route({
    method: 'GET',
    path: '/admin/backups/:backupId',
    access,
    summary: 'Get a backup',
    description: 'Its progress, what it holds, and the result of its test restore.',
    input: oneBackup,
    output: Backup,
  }),
  stopBackup: route({
    method: 'POST',
    path: '/admin/backups/:backupId/stop',
    access,
    summary: 'Stop a backup',
    description: 'Nothing of it is kept.',
    input: oneBackup,
    output: nothing,
  }),
  downloadBackup: route({
    method: 'GET',
    path: '/admin/backups/:backupId/file',
    access,
    fresh: true,
    atOnce: 1,
    summary: 'Download a backup',
    description: 'The encrypted file.',
    input: oneBackup,
    output: file,
  }),
  deleteBackup: route({
    method: 'DELETE',
    path: '/admin/backups/:backupId',
    access,
    fresh: true,
    summary: 'Delete a backup',
    description: 'Removes its file. The newest verified backup can’t be deleted.',
    input: oneBackup,
    output: nothing,
  }),
  saveBackupPlan: route({
    method: 'PUT',
    path: '/admin/backups/plan',
    access,
    fresh: true,
    summary: 'Update the backup schedule',
    description: 'When backups are created and how long they’re kept.',
    input: BackupPlan,
    output: BackupPlan,
  }),
  revealRecoveryKey: route({
    method: 'POST',
    path: '/admin/backups/recovery-key',
    access,
    fresh: true,
    returnedOnce: ['recoveryKey'],
    summary: 'Reveal the recovery key',
    description: 'The key that opens backups. Keep it somewhere else.',
    input: noInput,
    output: z.strictObject({ recoveryKey: z.string() }),
  }),
});

export const backupsErrors = {
  'backups.not_found': 404,
  'backups.not_running': 409,
  'backups.not_there': 409,
  'backups.last_proven': 409,
  'backups.key_elsewhere': 409,
} as const satisfies ErrorTable;
