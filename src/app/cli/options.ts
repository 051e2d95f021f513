// The arguments of commands that exist both as scripts and as commands of `npm run cli`.
import type { Command } from 'commander';

export type BackupOptions = { readonly json?: boolean };

export const defineBackup = (command: Command): Command =>
  command
    .description(
      'create a backup in DATA_DIR/backups (or BACKUP_DIR) and verify it by restoring it into a scratch database',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 created and verified; 1 created, but not verified or not identical; 2 not created.',
    );

export type SealOptions = { readonly formerKeyFile?: string };

export type RestoreCommandOptions = {
  readonly keyFile?: string;
  readonly intoUrl?: string;
  readonly replace?: boolean;
  readonly yes?: boolean;
};

export const defineRestore = (command: Command): Command =>
  command
    .description('restore a backup, compare every row, and check the books')
    .argument('<FILE>', 'a path, or the name of a backup in BACKUP_DIR or the bucket of FILES_URL')
    .option(
      '--key-file <file>',
      'file with the recovery key, if DATA_DIR/backup.key doesn’t open the backup (otherwise you’re prompted)',
    )
    .option(
      '--replace',
      'replace the database in DATA_DIR; the old one is kept beside it as postgres.before-…',
    )
    .option('--into-url <url>', 'restore into this database, which must be empty (same as DATABASE_URL)')
    .option('--yes', 'don’t ask for confirmation')
    .addHelpText(
      'after',
      '\nExit status: 0 restored, books correct; 1 restored, books have findings; 2 not restored, nothing changed.',
    );

export type VerifyOptions = {
  readonly json?: boolean;
  readonly organization?: string;
  readonly pack?: string;
};

export const defineVerify = (command: Command): Command =>
  command
    .description('check the books, independently of the console')
    .option('--organization <id>', 'check one organization only')
    .option('--pack <file>', 'check a month pack, without a database')
    .option('--json', 'print each check as a line of JSON')
    .addHelpText('after', '\nExit status: 0 books correct; 1 books have findings; 2 not checked.');

/** The commands `export`, `plan` and `apply` of a kind of file; both command lines have them. */
export function defineFileCommands(
  under: Command,
  run: {
    readonly export: (path: string | undefined) => void;
    readonly plan: (path: string) => void;
    readonly apply: (path: string, planId: string | undefined) => void;
  },
): void {
  under
    .command('export')
    .description('write everything to a file, or as YAML to standard output')
    .argument('[FILE.yaml|FILE.json]')
    .action((path: string | undefined) => run.export(path));
  under
    .command('plan')
    .description('show what applying a file would change')
    .argument('<FILE.yaml|FILE.json>')
    .action((path: string) => run.plan(path));
  under
    .command('apply')
    .description('make the planned changes; what the file doesn’t name stays')
    .argument('<FILE.yaml|FILE.json>')
    .option('--plan <id>', 'ID of the plan you reviewed; without it, nothing is changed')
    .action((path: string, { plan }: { plan?: string }) => run.apply(path, plan));
}
