// The commands of `npm run cli`, their effects and output: each does what the API does and is recorded in the
// audit log.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { administration, type FocusImport } from '#features/operations/administration/contract.ts';
import {
  ArchiveDamaged,
  EventStoreUnavailable,
  moveArchives,
  type ArchiveKind,
} from '#features/metering/usage/server/index.ts';
import { replicaGrants } from '#features/operations/data-exports/server/index.ts';
import { backupState } from '#features/operations/backups/server/index.ts';
import { rebuildMetrics, refreshMetrics } from '#features/reporting/metrics/server/index.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import type { Answer } from './answer.ts';
import { callVerb } from './call.ts';
import type { Call } from './caller.ts';
import { CommandRefused } from './command-refused.ts';
import {
  endApprovals,
  listPeople,
  makePerson,
  resetAdmin,
  setStatus,
  type NewPerson,
  type ResetOptions,
  type ShownUser,
} from './people.ts';
import { applyFile, exportFile, planFile } from './plan-file.ts';
import { cliActor } from './app.ts';

const personLine = ({ account, name, role, status, organization }: ShownUser): string =>
  [account.padEnd(32), role.padEnd(9), status.padEnd(9), name, organization ?? ''].join(' ').trimEnd();

/** Lists people with role and status; only those whose account or name contains `search`. */
async function listUsers(app: App, search: string | undefined): Promise<Answer> {
  const people = await listPeople(app, search);
  return { data: people, lines: people.map(personLine) };
}

/** Creates a user; the password is shown once. */
async function createUser(app: App, person: NewPerson): Promise<Answer> {
  const made = await makePerson(app, person);
  return { data: made, lines: [personLine(made), `Password, said once: ${made.password ?? ''}`] };
}

/** Deactivates a user, which ends their sessions, or reactivates them. */
async function switchUser(app: App, account: string, isOn: boolean): Promise<Answer> {
  const changed = await setStatus(app, account, isOn ? 'active' : 'inactive');
  return { data: changed, lines: [personLine(changed)] };
}

/** Ends an Admin's sessions and password, and shows a link for setting a new one. */
async function resetAdminAccess(app: App, account: string, options: ResetOptions): Promise<Answer> {
  const made = await resetAdmin(app, account, options);
  const stays = made.hasSecondFactor
    ? [
        'A second factor stays on: an authenticator code or a recovery code opens it, or add --second-factor to remove it.',
      ]
    : [];
  return {
    data: made,
    lines: [
      `${made.account}: sessions and password have ended. Choose a new password (once, until ${made.expiresAt.toISOString()}):`,
      made.link,
      ...stays,
      ...(made.networks.length > 0
        ? [
            `Admins sign in from ${made.networks.join(', ')} only. Add --any-network to let them in from everywhere.`,
          ]
        : []),
    ],
  };
}

/** Turns off approvals for all actions. */
async function approvalsOff(app: App): Promise<Answer> {
  const made = await endApprovals(app);
  const [first = 'No action needed approval.', ...rest] = made.ended.map(
    (name) => `${name}: no approval needed any more`,
  );
  return { data: made, lines: [first, ...rest] };
}

/** Issues the bills of a past month, or shows what would be issued. */
async function close(app: App, month: BillingMonth, isPreview: boolean): Promise<Answer> {
  if (!isPreview) {
    const closed = await callVerb(app, billing.closeMonth, { month });
    return {
      data: closed,
      lines: [
        `${month}: ${closed.issued} bills issued, ${closed.skipped} issued before, ${closed.parked} put aside.`,
      ],
      status: closed.parked === 0 ? 0 : 1,
    };
  }
  await callVerb(app, billing.previewClose, { month });
  const found = await callVerb(app, billing.getPreview, { month });
  const totals = found.preview?.totals ?? [];
  return {
    data: z.encode(billing.getPreview.output, found),
    lines: [
      `${month}: nothing was issued.`,
      ...totals.map((each) => `${each.bills} bills, ${moneyText(each.total)} ${each.total.currency}`),
    ],
    status: found.preview && found.preview.failing.length > 0 ? 1 : 0,
  };
}

const waitMs = 500;
const maxLooks = 40;

/** Makes the console import a FOCUS file, and waits for the end if the console is running. */
async function importFile(app: App, path: string): Promise<Answer> {
  const { id } = await callVerb(
    app,
    administration.importFocus,
    { fileName: basename(path) },
    { bytes: readFileSync(path), mediaType: 'text/csv', headers: {} },
  );
  const look = (): Promise<FocusImport> => callVerb(app, administration.getImport, { importId: id });
  let found = await look();
  // A running console begins at once; the file is kept in any case.
  for (let looks = 0; found.state === 'running' || (found.state === 'waiting' && looks < maxLooks); looks++) {
    await pause(waitMs);
    found = await look();
  }
  const { events, refusedTotal } = found.report;
  const summary =
    found.state === 'waiting'
      ? 'It waits for the console, which takes it up when it runs.'
      : `${found.state}: ${found.rowsDone} of ${found.rowsTotal ?? 0} rows, ${events.created} new events, ${refusedTotal} rows refused.`;
  return {
    data: z.encode(administration.getImport.output, found),
    lines: [summary],
    status: found.state === 'failed' ? 2 : refusedTotal > 0 ? 1 : 0,
  };
}

/** Shows the status of backups. */
async function status(app: App): Promise<Answer> {
  const state = await unitOfWork(app, { actor: cliActor, mode: 'read', language: 'enUS' }, (ctx) =>
    backupState(ctx),
  );
  const moment = (at: Date | null): string => at?.toISOString() ?? 'never';
  return {
    data: state,
    lines: [
      `Last proven backup: ${moment(state.lastProvenAt)}`,
      `Next backup: ${moment(state.nextAt)}`,
      ...(state.lastFailure
        ? [`FAILED ${moment(state.lastFailure.at)}: ${state.lastFailure.problem ?? ''}`]
        : []),
    ],
    status: state.lastFailure ? 1 : 0,
  };
}

/** Moves past usage events to another archive. Events that were moved before an interruption stay moved. */
async function moveUsageArchive(app: App, to: ArchiveKind): Promise<Answer> {
  const moved: { month: string; events: string }[] = [];
  try {
    await moveArchives(app, to, new AbortController().signal, (month, events) =>
      moved.push({ month, events: String(events) }),
    );
  } catch (error) {
    if (error instanceof EventStoreUnavailable || error instanceof ArchiveDamaged)
      throw new CommandRefused(
        `${error.message}. ${moved.length} months were moved; repeat the command to go on.`,
      );
    throw error;
  }
  return {
    data: { moved },
    lines: [
      ...moved.map(({ month, events }) => `${month}: ${events} events`),
      moved.length === 0
        ? 'Nothing to move: all past events are there.'
        : `${moved.length} months were moved to ${to}.`,
    ],
  };
}

/** Recomputes business metrics for all months from the bills. */
async function workOutMetrics(app: App): Promise<Answer> {
  const unit = { actor: cliActor, language: 'enUS' } as const;
  await unitOfWork(app, unit, rebuildMetrics);
  await unitOfWork(app, unit, refreshMetrics);
  return { data: { rebuilt: true }, lines: ['All months were worked out again.'] };
}

/** Prints the SQL that lets a role read everything but secrets; changes nothing. */
async function printReplicaGrants(app: App, role: string): Promise<Answer> {
  const statements = await unitOfWork(app, { actor: cliActor, language: 'enUS', mode: 'read' }, (ctx) =>
    replicaGrants(ctx, role),
  );
  return { data: { statements }, lines: [...statements] };
}

/** Calls for the commands that both command lines share. */
const callOn =
  (app: App): Call =>
  (route, input) =>
    callVerb(app, route, input);
const operatorProgram = 'npm run cli --';

export const operatorCommands = {
  workOutMetrics,
  moveUsageArchive,
  printReplicaGrants,
  listUsers,
  createUser,
  switchUser,
  letAdminIn: resetAdminAccess,
  approvalsOff,
  close,
  importFile,
  exportCatalogue: (app: App, path: string | undefined) => exportFile(callOn(app), 'catalogue', path),
  planCatalogue: (app: App, path: string) => planFile(callOn(app), operatorProgram, 'catalogue', path),
  applyCatalogue: (app: App, path: string, planId: string | undefined) =>
    applyFile(callOn(app), operatorProgram, 'catalogue', path, planId),
  status,
};
