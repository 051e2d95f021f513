// `npm run cli -- …`: what an operator needs without a browser. Every command does what the API does and is
// recorded in the audit log.
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Answer } from './answer.ts';
import type { operatorCommands } from './operator-commands.ts';
import {
  defineBackup,
  defineFileCommands,
  defineRestore,
  defineVerify,
  type BackupOptions,
  type RestoreCommandOptions,
  type SealOptions,
  type VerifyOptions,
} from './options.ts';
import type { NewPerson, ResetOptions } from './people.ts';
import { runProgram } from './program.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const monthOf = (word: string): BillingMonth => {
  if (!isMonth(word)) throw new InvalidArgumentError('A month is written YYYY-MM.');
  return word;
};

const roleName = (word: string): string => {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(word))
    throw new InvalidArgumentError('A role is written in small letters, digits and underscores.');
  return word;
};

/** Runs one command of `npm run cli` and returns the exit status: 0 done, 1 done with findings, 2 not done. */
export async function operator(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram('npm run cli --', words, terminal, (program, run) => {
    const answers = (answer: (app: App, commands: Commands) => Promise<Answer>): void =>
      run(() => printAnswer(program.opts<{ json?: true }>().json === true, terminal, answer));

    program
      .usage('COMMAND [--json]')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Works whether or not the console is running. Set DATA_DIR and DATABASE_URL as for the console.
Exit status: 0 done, 1 done with findings, 2 not done.`,
      )
      .addHelpText('afterAll', '\nFor help with a command: npm run cli -- COMMAND --help');

    const users = program.command('users').description('list, create, deactivate, and activate users');
    users
      .command('list')
      .description('list users with their role and status')
      .argument('[SEARCH]', 'part of the account or name')
      .action((search: string | undefined) => answers((app, { listUsers }) => listUsers(app, search)));
    users
      .command('create')
      .description('create a user; the password is printed only once')
      .requiredOption('--account <account>')
      .requiredOption('--name <name>')
      .addOption(new Option('--role <role>').choices(['Admin', 'User', 'ReadOnly']).makeOptionMandatory())
      .option('--organization-id <id>', 'required unless the role is Admin')
      .action((person: NewPerson) => answers((app, { createUser }) => createUser(app, person)));
    users
      .command('deactivate')
      .description('deactivate a user and end their sessions')
      .argument('<ACCOUNT>')
      .action((account: string) => answers((app, { switchUser }) => switchUser(app, account, false)));
    users
      .command('activate')
      .description('let a deactivated user sign in again')
      .argument('<ACCOUNT>')
      .action((account: string) => answers((app, { switchUser }) => switchUser(app, account, true)));

    adminCommand(program, (account, options) =>
      answers((app, { letAdminIn }) => letAdminIn(app, account, options)),
    );
    program
      .command('approvals')
      .description('turn off approvals')
      .command('off')
      .description('stop requiring a second Admin’s approval, for when nobody is left to approve')
      .action(() => answers((app, { approvalsOff }) => approvalsOff(app)));
    program
      .command('close')
      .description('issue the bills of a past month')
      .addArgument(new Argument('<YYYY-MM>').argParser(monthOf))
      .option('--preview', 'only show what would be issued')
      .action((month: BillingMonth, { preview }: { preview?: true }) =>
        answers((app, { close }) => close(app, month, preview === true)),
      );
    program
      .command('replica-grants')
      .description('print the SQL for a database role that can read everything except secrets')
      .requiredOption('--role <role>', 'name of the role', roleName)
      .action(({ role }: { role: string }) =>
        answers((app, { printReplicaGrants }) => printReplicaGrants(app, role)),
      );
    program
      .command('import')
      .description('import a FOCUS 1.0 file; runs once the console is running')
      .argument('<FILE.csv>')
      .action((file: string) => answers((app, { importFile }) => importFile(app, file)));
    catalogueCommand(program, answers);
    metricsCommand(program, () => answers((app, { workOutMetrics }) => workOutMetrics(app)));
    const archive = program.command('usage-archive').description('move past months of raw usage events');
    archive
      .command('move')
      .description('move them to files or to the ClickHouse of EVENTS_URL, month by month; safe to repeat')
      .addOption(
        new Option('--to <place>', 'destination').choices(['files', 'clickhouse']).makeOptionMandatory(),
      )
      .action(({ to }: { to: 'files' | 'clickhouse' }) =>
        answers((app, { moveUsageArchive }) => moveUsageArchive(app, to)),
      );
    program
      .command('files')
      .description('copy files to a bucket')
      .command('copy')
      .description(
        'copy the files in DATA_DIR to the bucket of FILES_URL; existing objects are kept; safe to repeat',
      )
      .action(() => run(async () => (await import('./files.ts')).copyFiles(terminal)));
    const secrets = program.command('secrets').description('seal or renew the console’s secrets');
    secrets
      .command('seal')
      .description('move the secrets in DATA_DIR to the database, encrypted with SECRET_KEY; safe to repeat')
      .option('--former-key-file <file>', 'file with the previous SECRET_KEY, to change it')
      .action((options: SealOptions) =>
        run(async () => (await import('./secrets.ts')).seal(options, terminal)),
      );
    secrets
      .command('renew')
      .description('create new secrets if they were lost; everyone has to sign in again')
      .option('--yes', 'confirm that the previous secrets are lost')
      .action((options: { yes?: true }) =>
        run(async () => (await import('./secrets.ts')).renew(options, terminal)),
      );
    program
      .command('status')
      .description('show the state of backups')
      .action(() => answers((app, { status }) => status(app)));

    // Also scripts of their own; `--json` is parsed by the program before its commands see it.
    defineVerify(program.command('verify')).action((_: VerifyOptions, command: Command) =>
      run(async () =>
        (await import('./verify.ts')).verify(command.optsWithGlobals<VerifyOptions>(), terminal),
      ),
    );
    defineBackup(program.command('backup')).action((_: BackupOptions, command: Command) =>
      run(async () =>
        (await import('./backup.ts')).backup(command.optsWithGlobals<BackupOptions>(), terminal),
      ),
    );
    defineRestore(program.command('restore')).action((file: string, options: RestoreCommandOptions) =>
      run(async () => (await import('./restore.ts')).restore(file, options, terminal)),
    );
  });
}

type Commands = typeof operatorCommands;

/** `catalogue`: prices kept in a file. */
function catalogueCommand(
  program: Command,
  answers: (answer: (app: App, commands: Commands) => Promise<Answer>) => void,
): void {
  const file = program.command('catalogue').description('export, plan, and apply the catalog as a file');
  defineFileCommands(file, {
    export: (path) => answers((app, { exportCatalogue }) => exportCatalogue(app, path)),
    plan: (path) => answers((app, { planCatalogue }) => planCatalogue(app, path)),
    apply: (path, planId) => answers((app, { applyCatalogue }) => applyCatalogue(app, path, planId)),
  });
}

/** `admin reset`. */
function adminCommand(program: Command, reset: (account: string, options: ResetOptions) => void): void {
  program
    .command('admin')
    .description('reset an Admin who can’t sign in')
    .command('reset')
    .description('end the Admin’s sessions, remove the password, and print a link to set a new one')
    .argument('<ACCOUNT>')
    .option('--second-factor', 'also remove the authenticator, passkeys, and recovery codes')
    .option('--any-network', 'let Admins sign in from any network again')
    .action((account: string, { secondFactor, anyNetwork }: { secondFactor?: true; anyNetwork?: true }) =>
      reset(account, { withFactors: secondFactor === true, fromAnywhere: anyNetwork === true }),
    );
}

/** `metrics rebuild`. */
function metricsCommand(program: Command, rebuild: () => void): void {
  program
    .command('metrics')
    .description('rebuild business metrics')
    .command('rebuild')
    .description('recalculate all months from the bills; safe to repeat, and while the console is running')
    .action(rebuild);
}

/**
 * Runs a command with the console's app and prints its result. Loads the features only now, because help does
 * not need them.
 */
async function printAnswer(
  isJson: boolean,
  terminal: Terminal,
  answer: (app: App, commands: Commands) => Promise<Answer>,
): Promise<number> {
  const [{ withApp }, { operatorCommands: commands }] = await Promise.all([
    import('./app.ts'),
    import('./operator-commands.ts'),
  ]);
  const { data, lines, status = 0 } = await withApp(terminal.config(), (app) => answer(app, commands));
  terminal.out(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
  return status;
}

if (import.meta.main) process.exitCode = await operator(process.argv.slice(2), processTerminal);
