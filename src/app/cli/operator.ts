// `npm run cli -- …`: what an operator needs without a browser. Every command does what the API does, and stands in the audit log.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { moneyText } from '#kernel/money.ts';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { readConfig } from '#platform/server/config.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { administration, type FocusImport } from '#features/operations/administration/contract.ts';
import { backupState } from '#features/operations/backups/server/index.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { backup } from './backup.ts';
import { callVerb } from './call.ts';
import { check } from './checker.ts';
import { atDatabase } from './database.ts';
import { ending, WrongWords } from './ending.ts';
import { listPeople, makePerson, resetAdmin, setStatus, type ShownUser } from './people.ts';
import { restore } from './restore.ts';
import { cliActor, withApp } from './app.ts';

const help = `npm run cli -- COMMAND [--json]

  users list [SEARCH]                      people, with role and status
  users create --account A --name N --role Admin|User|ReadOnly [--organization-id ORG]
                                           makes a person; the password is said once
  users deactivate ACCOUNT                 nobody signs in with it any more, sessions end
  users activate ACCOUNT
  admin reset ACCOUNT [--second-factor]    an Admin who cannot get in: ends sessions and password, answers a link;
                                           --second-factor removes authenticator, passkeys and recovery codes, too
  close YYYY-MM [--preview]                issues the bills of a month that is over; --preview issues nothing
  import FILE.csv                          a FOCUS 1.0 file; the console must run, or takes it up at its next start
  status                                   how backups stand
  verify [--organization ID]               checks the books
  backup                                   see npm run backup -- --help
  restore FILE                             see npm run restore -- --help

  The console may run or not. DATA_DIR and DATABASE_URL as for the console.
  Exit status: 0 done, 1 done with findings, 2 not done.
`;

type Answer = { readonly data: unknown; readonly lines: readonly string[]; readonly status?: number };

const personLine = ({ account, name, role, status, organization }: ShownUser): string =>
  [account.padEnd(32), role.padEnd(9), status.padEnd(9), name, organization ?? ''].join(' ').trimEnd();

async function users(
  app: App,
  [what, word, ...rest]: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  if (rest.length > 0) throw new WrongWords(help);
  if (what === 'list') {
    const people = await listPeople(app, word);
    return { data: people, lines: people.map(personLine) };
  }
  if (what === 'create' && word === undefined) {
    const { account, name, role, 'organization-id': organizationId } = options;
    if (account === undefined || name === undefined || role === undefined)
      throw new WrongWords('users create needs --account, --name and --role.');
    const made = await makePerson(app, { account, name, role, organizationId });
    return { data: made, lines: [personLine(made), `Password, said once: ${made.password ?? ''}`] };
  }
  if ((what === 'deactivate' || what === 'activate') && word !== undefined) {
    const changed = await setStatus(app, word, what === 'activate' ? 'active' : 'inactive');
    return { data: changed, lines: [personLine(changed)] };
  }
  throw new WrongWords(help);
}

async function close(app: App, month: BillingMonth, isPreview: boolean): Promise<Answer> {
  if (!isPreview) {
    const closed = await callVerb(app, billing.closeMonth, { month });
    return {
      data: closed,
      lines: [
        `${month}: ${closed.issued} bills issued, ${closed.skipped} there already, ${closed.parked} put aside.`,
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
const asks = 40;

async function importFile(app: App, path: string): Promise<Answer> {
  const { id } = await callVerb(
    app,
    administration.importFocus,
    { fileName: basename(path) },
    { bytes: readFileSync(path), mediaType: 'text/csv', headers: {} },
  );
  const look = (): Promise<FocusImport> => callVerb(app, administration.getImport, { importId: id });
  let found = await look();
  // A console that runs begins at once; the file is kept either way.
  for (let asked = 0; found.state === 'running' || (found.state === 'waiting' && asked < asks); asked++) {
    await pause(waitMs);
    found = await look();
  }
  const { events, refusedTotal } = found.report;
  const said =
    found.state === 'waiting'
      ? 'It waits for the console, which takes it up when it runs.'
      : `${found.state}: ${found.rowsDone} of ${found.rowsTotal ?? 0} rows, ${events.created} new events, ${refusedTotal} rows refused.`;
  return {
    data: z.encode(administration.getImport.output, found),
    lines: [said],
    status: found.state === 'failed' ? 2 : refusedTotal > 0 ? 1 : 0,
  };
}

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

async function answer(
  app: App,
  [command, ...words]: readonly string[],
  values: Readonly<Record<string, string | boolean | undefined>>,
): Promise<Answer> {
  const [word] = words;
  const options = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  if (command === 'users') return users(app, words, options);
  if (command === 'admin' && word === 'reset' && words[1] !== undefined) {
    const made = await resetAdmin(app, words[1], values['second-factor'] === true);
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
      ],
    };
  }
  if (command === 'close' && isMonth(word)) return close(app, word, values['preview'] === true);
  if (command === 'import' && word !== undefined) return importFile(app, word);
  if (command === 'status') return status(app);
  throw new WrongWords(help);
}

async function run(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === '--help' || command === 'help') {
    process.stdout.write(help);
    return command === undefined ? 2 : 0;
  }
  if (command === 'verify') return atDatabase(readConfig(), (where) => check(rest, where));
  if (command === 'backup') return backup(rest);
  if (command === 'restore') return restore(rest);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      preview: { type: 'boolean', default: false },
      'second-factor': { type: 'boolean', default: false },
      account: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      'organization-id': { type: 'string' },
    },
  });
  const found = await withApp((app) => answer(app, positionals, values));
  process.stdout.write(
    values.json ? `${JSON.stringify(found.data)}\n` : found.lines.map((line) => `${line}\n`).join(''),
  );
  return found.status ?? 0;
}

await ending(() => run(process.argv.slice(2)));
