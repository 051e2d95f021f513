// The words of the commands that have a script of their own and are commands of `npm run cli`, too.
import type { Command } from 'commander';

export type BackupOptions = { readonly json?: boolean };

export const defineBackup = (command: Command): Command =>
  command
    .description(
      'makes a backup in DATA_DIR/backups (or BACKUP_DIR), restores it into a scratch database and compares the two',
    )
    .option('--json', 'what was made, as JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 made and proven; 1 made, but not proven or not the same; 2 not made.',
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
    .description('restores a backup, compares every row with what the backup says, and checks the books')
    .argument('<FILE>', 'a path, or the name of a backup in BACKUP_DIR or the bucket of FILES_URL')
    .option(
      '--key-file <file>',
      'holds the recovery key, if DATA_DIR/backup.key does not open the file; else it is asked for',
    )
    .option(
      '--replace',
      'the database in DATA_DIR is replaced; what was there is kept beside it as postgres.before-…',
    )
    .option(
      '--into-url <url>',
      'restores into that database, which must be empty; DATABASE_URL does the same',
    )
    .option('--yes', 'asks nothing')
    .addHelpText(
      'after',
      '\nExit status: 0 restored and the books are right; 1 restored, and the books have findings; 2 not restored, nothing was changed.',
    );

export type VerifyOptions = {
  readonly json?: boolean;
  readonly organization?: string;
  readonly pack?: string;
};

export const defineVerify = (command: Command): Command =>
  command
    .description('checks the books, independently of the console')
    .option('--organization <id>', 'only those of one organization')
    .option('--pack <file>', 'those of a month pack, without a database')
    .option('--json', 'each check as a line of JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 the books are right; 1 they are not; 2 they could not be checked.',
    );
