// `npm run restore -- FILE`: restores a backup here or into another database, and has the books checked.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { BackupManifest } from '#platform/server/backup/backup-manifest.ts';
import { systemClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { readMigrations, migrationSources } from '#platform/server/database/migration-files.ts';
import {
  headOf,
  restoreEmbedded,
  restoreOutside,
  type RestoreOptions,
} from '#platform/server/backup/restore.ts';
import { SealBroken } from '#platform/server/security/sealed-file.ts';
import { backupKeyFile, identityIn, secretsFile, secretsIn } from '#platform/server/security/secrets.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { noteRestored, totalQueries } from '#features/operations/backups/server/index.ts';
import { check } from './checker.ts';
import { ending, WrongWords } from './ending.ts';
import { progressLine } from './progress.ts';
import { cliActor, inAppAt } from './app.ts';
import { featureOrder } from '../feature-order.ts';
import { jobs } from '../jobs.ts';

const help = `npm run restore -- FILE [--key-file FILE] [--replace] [--into-url postgres://…] [--yes]

  Restores a backup, compares every row with what the backup says, and checks the books.
  The key is the one in DATA_DIR/backup.key if it opens the file, else --key-file, else it is asked for.

  --replace     the database in DATA_DIR is replaced; what was there is kept beside it as postgres.before-…
  --into-url    restores into that database, which must be empty; DATABASE_URL does the same
  --yes         asks nothing

  Exit status: 0 restored and the books are right; 1 restored, and the books have findings; 2 not restored, nothing was changed.
`;

type Found = { readonly identity: string; readonly manifest: BackupManifest };

/** Asks on the terminal without showing the answer. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const reader = createInterface({
    input: process.stdin,
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: true,
  });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

async function askYes(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}

async function findKey(path: string, dataDir: string, keyFile: string | undefined): Promise<Found> {
  const openWith = async (identity: string): Promise<Found> => ({
    identity,
    manifest: await headOf(path, identity),
  });
  if (keyFile !== undefined) return openWith(identityIn(readFileSync(keyFile, 'utf8'), keyFile));
  const own = join(dataDir, backupKeyFile);
  try {
    if (existsSync(own)) return await openWith(identityIn(readFileSync(own, 'utf8'), own));
  } catch (error) {
    // Another installation's backup: its key is asked for, where somebody can answer.
    if (!(error instanceof SealBroken) || !process.stdin.isTTY) throw error;
  }
  if (!process.stdin.isTTY)
    throw new WrongWords('The recovery key is needed: name a file that holds it with --key-file.');
  return openWith(identityIn(await askHidden('Recovery key (AGE-SECRET-KEY-1…): '), 'The answer'));
}

/** Restores and says how it went; answers the exit status. */
export async function restore(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      'key-file': { type: 'string' },
      'into-url': { type: 'string' },
      replace: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new WrongWords(`Name one backup file.\n\n${help}`);
  const path = resolve(file);
  if (!existsSync(path)) throw new WrongWords(`There is no file ${path}.`);
  const config = readConfig();
  const { identity, manifest } = await findKey(path, config.dataDir, values['key-file']);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  process.stderr.write(
    `Backup of ${manifest.madeAt}, made by ${manifest.version}: ${manifest.tables.length} tables, ${rows} rows.\n`,
  );
  const url = values['into-url'] ?? config.databaseUrl;
  const target =
    url === undefined
      ? `the database in ${config.dataDir}`
      : `the database ${new URL(url).pathname.slice(1)} on ${new URL(url).host || 'this machine'}`;
  if (!values.yes) {
    if (!process.stdin.isTTY) throw new WrongWords('Say --yes to restore without being asked.');
    if (!(await askYes(`Restore into ${target}?`))) throw new WrongWords('Nothing was changed.');
  }
  let verdict = 0;
  const line = progressLine(false);
  const options: RestoreOptions = {
    path,
    identity,
    dataDir: config.dataDir,
    sources: migrationSources(featureOrder),
    totals: totalQueries,
    jobs,
    now: systemClock().now(),
    log: createLog({ level: 'warn', destination: process.stderr }),
    onProgress: line.tell,
    look: async (where, { files }) => {
      line.end();
      process.stderr.write('Restored; every row is as the backup says.\n');
      // Older tables are not those that the checker knows; the next start changes them.
      const isOlder = (await readMigrations(options.sources)).length !== manifest.migrations.length;
      if (isOlder)
        process.stderr.write(
          'An older release made it: the next start upgrades it. Then check the books with: npm run verify\n',
        );
      else {
        await inAppAt(
          where,
          config,
          (app) => unitOfWork(app, { actor: cliActor }, (ctx) => noteRestored(ctx, manifest)),
          secretsIn(files[secretsFile] ?? ''),
        );
        verdict = await check([], where);
      }
    },
  };
  const before =
    url === undefined
      ? (await restoreEmbedded(options, values.replace)).before
      : await restoreOutside(url, options).then(() => undefined);
  process.stdout.write(
    `Done: ${target} is that of ${manifest.madeAt}. Start the console.\n${before === undefined ? '' : `What was there before is in ${before}; remove it when you no longer need it.\n`}`,
  );
  return verdict === 0 ? 0 : 1;
}

if (import.meta.main) await ending(() => restore(process.argv.slice(2)));
