// `npm run cli -- …`: what an operator needs without a browser. Every command does what the API does, and stands in the audit log.
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Answer } from './answer.ts';
import type { operatorCommands } from './operator-commands.ts';
import {
  defineBackup,
  defineRestore,
  defineVerify,
  type BackupOptions,
  type RestoreCommandOptions,
  type SealOptions,
  type VerifyOptions,
} from './options.ts';
import type { NewPerson, Openings } from './people.ts';
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

/** Carries out one command of `npm run cli` and answers the exit status: 0 done, 1 done with findings, 2 not done. */
export async function operator(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram('npm run cli --', words, terminal, (program, run) => {
    const answers = (answer: (app: App, commands: Commands) => Promise<Answer>): void =>
      run(() => printAnswer(program.opts<{ json?: true }>().json === true, terminal, answer));

    program
      .usage('COMMAND [--json]')
      .option('--json', 'the answer as JSON')
      .addHelpText(
        'after',
        `
The console may run or not. DATA_DIR and DATABASE_URL as for the console.
Exit status: 0 done, 1 done with findings, 2 not done.`,
      )
      .addHelpText('afterAll', '\nMore about a command: npm run cli -- COMMAND --help');

    const users = program.command('users').description('people: list, create, deactivate, activate');
    users
      .command('list')
      .description('people, with role and status')
      .argument('[SEARCH]', 'a part of the account or the name')
      .action((search: string | undefined) => answers((app, { listUsers }) => listUsers(app, search)));
    users
      .command('create')
      .description('makes a person; the password is said once')
      .requiredOption('--account <account>')
      .requiredOption('--name <name>')
      .addOption(new Option('--role <role>').choices(['Admin', 'User', 'ReadOnly']).makeOptionMandatory())
      .option('--organization-id <id>', 'needed for others than Admins')
      .action((person: NewPerson) => answers((app, { createUser }) => createUser(app, person)));
    users
      .command('deactivate')
      .description('nobody signs in with it any more, sessions end')
      .argument('<ACCOUNT>')
      .action((account: string) => answers((app, { switchUser }) => switchUser(app, account, false)));
    users
      .command('activate')
      .description('the person signs in again')
      .argument('<ACCOUNT>')
      .action((account: string) => answers((app, { switchUser }) => switchUser(app, account, true)));

    adminCommand(program, (account, openings) =>
      answers((app, { letAdminIn }) => letAdminIn(app, account, openings)),
    );
    program
      .command('approvals')
      .description('actions that need a second Admin')
      .command('off')
      .description('none needs one any more; for when nobody is left who could approve')
      .action(() => answers((app, { approvalsOff }) => approvalsOff(app)));
    program
      .command('close')
      .description('issues the bills of a month that is over')
      .addArgument(new Argument('<YYYY-MM>').argParser(monthOf))
      .option('--preview', 'issues nothing')
      .action((month: BillingMonth, { preview }: { preview?: true }) =>
        answers((app, { close }) => close(app, month, preview === true)),
      );
    program
      .command('replica-grants')
      .description('prints the SQL of a database role that reads everything but secrets')
      .requiredOption('--role <role>', 'the name of the role', roleName)
      .action(({ role }: { role: string }) =>
        answers((app, { printReplicaGrants }) => printReplicaGrants(app, role)),
      );
    program
      .command('import')
      .description('a FOCUS 1.0 file; the console must run, or takes it up at its next start')
      .argument('<FILE.csv>')
      .action((file: string) => answers((app, { importFile }) => importFile(app, file)));
    catalogueCommand(program, answers);
    metricsCommand(program, () => answers((app, { workOutMetrics }) => workOutMetrics(app)));
    const archive = program.command('usage-archive').description('past months of raw usage events: move');
    archive
      .command('move')
      .description(
        'moves them between files and the ClickHouse of EVENTS_URL, month by month; safe to repeat',
      )
      .addOption(
        new Option('--to <place>', 'where to').choices(['files', 'clickhouse']).makeOptionMandatory(),
      )
      .action(({ to }: { to: 'files' | 'clickhouse' }) =>
        answers((app, { moveUsageArchive }) => moveUsageArchive(app, to)),
      );
    program
      .command('files')
      .description('copy: takes the files of DATA_DIR into the bucket of FILES_URL')
      .command('copy')
      .description('what the bucket has already stays as it is; safe to repeat')
      .action(() => run(async () => (await import('./files.ts')).copyFiles(terminal)));
    const secrets = program
      .command('secrets')
      .description('seal: keeps them in the database; renew: new ones for lost ones');
    secrets
      .command('seal')
      .description('moves the secrets of DATA_DIR into the database, sealed with SECRET_KEY; safe to repeat')
      .option('--former-key-file <file>', 'holds the SECRET_KEY that they are sealed with, to change it')
      .action((options: SealOptions) =>
        run(async () => (await import('./secrets.ts')).seal(options, terminal)),
      );
    secrets
      .command('renew')
      .description('new secrets for lost ones: everybody must sign in again')
      .option('--yes', 'the former secrets are lost')
      .action((options: { yes?: true }) =>
        run(async () => (await import('./secrets.ts')).renew(options, terminal)),
      );
    program
      .command('status')
      .description('how backups stand')
      .action(() => answers((app, { status }) => status(app)));

    // Scripts of their own as well; `--json` is read by the program before its commands see it.
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

/** `catalogue`: prices that live in a file. */
function catalogueCommand(
  program: Command,
  answers: (answer: (app: App, commands: Commands) => Promise<Answer>) => void,
): void {
  const file = program
    .command('catalogue')
    .description('the catalogue as a file in version control: export, plan, apply');
  file
    .command('export')
    .description('writes all services with their prices; without a file, as YAML to the output')
    .argument('[FILE.yaml|FILE.json]')
    .action((path: string | undefined) => answers((app, { exportCatalogue }) => exportCatalogue(app, path)));
  file
    .command('plan')
    .description('says what applying a file would change, and changes nothing')
    .argument('<FILE.yaml|FILE.json>')
    .action((path: string) => answers((app, { planCatalogue }) => planCatalogue(app, path)));
  file
    .command('apply')
    .description('changes the catalogue as the plan said; what the file does not name stays')
    .argument('<FILE.yaml|FILE.json>')
    .option('--plan <id>', 'the plan that was looked at; without it nothing is changed')
    .action((path: string, { plan }: { plan?: string }) =>
      answers((app, { applyCatalogue }) => applyCatalogue(app, path, plan)),
    );
}

/** `admin reset`. */
function adminCommand(program: Command, reset: (account: string, openings: Openings) => void): void {
  program
    .command('admin')
    .description('reset: lets an Admin in again who cannot sign in')
    .command('reset')
    .description('for an Admin who cannot get in: ends sessions and password, answers a link')
    .argument('<ACCOUNT>')
    .option('--second-factor', 'removes authenticator, passkeys and recovery codes, too')
    .option('--any-network', 'lets Admins sign in from every network again')
    .action((account: string, { secondFactor, anyNetwork }: { secondFactor?: true; anyNetwork?: true }) =>
      reset(account, { withFactors: secondFactor === true, fromAnywhere: anyNetwork === true }),
    );
}

/** `metrics rebuild`. */
function metricsCommand(program: Command, rebuild: () => void): void {
  program
    .command('metrics')
    .description('rebuild: works business metrics out again from the bills')
    .command('rebuild')
    .description('all months; safe to repeat, and while the console runs')
    .action(rebuild);
}

/** Lets a command answer in the console's app, and says what it found. Loads the features only now, which help does not need. */
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
