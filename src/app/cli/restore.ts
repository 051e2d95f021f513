// `npm run restore -- FILE`: restores a backup here or into another database, and verifies the books.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { BackupManifest } from '#platform/server/backup/backup-manifest.ts';
import { systemClock } from '#platform/server/clock.ts';
import type { Config } from '#platform/server/config.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { createLog } from '#platform/server/log.ts';
import { readMigrations, migrationSources } from '#platform/server/database/migration-files.ts';
import {
  headOf,
  restoreEmbedded,
  restoreOutside,
  type BackupContent,
  type RestoreOptions,
} from '#platform/server/backup/restore.ts';
import { SealBroken } from '#platform/server/security/sealed-file.ts';
import { backupKeyFile, identityIn, secretsInFiles } from '#platform/server/security/secrets.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { recordRestored, totalQueries } from '#features/operations/backups/server/index.ts';
import { check } from './checker.ts';
import { CommandRefused } from './command-refused.ts';
import { defineRestore, type RestoreCommandOptions } from './options.ts';
import { runProgram } from './program.ts';
import { progressLine } from './progress.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { cliActor, inAppAt } from './app.ts';
import { featureOrder } from '../feature-order.ts';
import { jobs } from '../jobs.ts';

type Found = { readonly identity: string; readonly manifest: BackupManifest };

/** Prompts on the terminal without echoing the input. */
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

async function findKey(content: BackupContent, dataDir: string, keyFile: string | undefined): Promise<Found> {
  const openWith = async (identity: string): Promise<Found> => ({
    identity,
    manifest: await headOf(content, identity),
  });
  if (keyFile !== undefined) return openWith(identityIn(readFileSync(keyFile, 'utf8'), keyFile));
  const own = join(dataDir, backupKeyFile);
  try {
    if (existsSync(own)) return await openWith(identityIn(readFileSync(own, 'utf8'), own));
  } catch (error) {
    // The backup of another installation: an interactive terminal prompts for its key.
    if (!(error instanceof SealBroken) || !process.stdin.isTTY) throw error;
  }
  if (!process.stdin.isTTY)
    throw new CommandRefused('The recovery key is needed: name a file that holds it with --key-file.');
  return openWith(identityIn(await askHidden('Recovery key (AGE-SECRET-KEY-1…): '), 'The answer'));
}

/** A local file, or one of the console's backups by name. */
async function contentOf(file: string, { backupFiles }: Config): Promise<BackupContent> {
  const path = resolve(file);
  if (existsSync(path)) return async () => createReadStream(path, { highWaterMark: 256 * 1024 });
  const store = await openFiles(backupFiles);
  return async () => {
    const found = /^[\w.+-]+$/.test(file) ? await store.read(file) : undefined;
    if (found === undefined)
      throw new CommandRefused(`There is no file ${path}, and no backup of that name in ${store.place}.`);
    return found;
  };
}

/** Restores and reports the outcome; returns the exit status. */
export async function restore(
  file: string,
  { keyFile, intoUrl, replace = false, yes = false }: RestoreCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const config = terminal.config();
  const content = await contentOf(file, config);
  const { identity, manifest } = await findKey(content, config.dataDir, keyFile);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  terminal.err(
    `Backup of ${manifest.madeAt}, made by ${manifest.version}: ${manifest.tables.length} tables, ${rows} rows.\n`,
  );
  const url = intoUrl ?? config.databaseUrl;
  const target =
    url === undefined
      ? `the database in ${config.dataDir}`
      : `the database ${new URL(url).pathname.slice(1)} on ${new URL(url).host || 'this machine'}`;
  if (!yes) {
    if (!process.stdin.isTTY) throw new CommandRefused('Say --yes to restore without being asked.');
    if (!(await askYes(`Restore into ${target}?`))) throw new CommandRefused('Nothing was changed.');
  }
  let verdict = 0;
  const line = progressLine(false);
  const options: RestoreOptions = {
    content,
    identity,
    dataDir: config.dataDir,
    secretKey: config.secretKey,
    files: await openFiles(config.files),
    sources: migrationSources(featureOrder),
    totals: totalQueries,
    jobs,
    now: systemClock().now(),
    log: createLog({ level: 'warn', destination: process.stderr }),
    onProgress: line.onProgress,
    look: async (where, { files }) => {
      line.end();
      terminal.err('Restored; every row is as the backup says.\n');
      // The checker does not know older tables; the next start migrates them.
      const isOlder = (await readMigrations(options.sources)).length !== manifest.migrations.length;
      if (isOlder)
        terminal.err(
          'An older release made it: the next start upgrades it. Then check the books with: npm run verify\n',
        );
      else {
        await inAppAt(
          where,
          config,
          (app) => unitOfWork(app, { actor: cliActor }, (ctx) => recordRestored(ctx, manifest)),
          secretsInFiles(files, file),
        );
        verdict = await check([], where);
      }
    },
  };
  const before =
    url === undefined
      ? (await restoreEmbedded(options, replace)).before
      : await restoreOutside(url, options).then(() => undefined);
  terminal.out(
    `Done: ${target} is that of ${manifest.madeAt}. Start the console.\n${before === undefined ? '' : `What was there before is in ${before}; remove it when you no longer need it.\n`}`,
  );
  return verdict === 0 ? 0 : 1;
}

if (import.meta.main)
  process.exitCode = await runProgram(
    'npm run restore --',
    process.argv.slice(2),
    processTerminal,
    (program, run) =>
      defineRestore(program).action((file: string, options: RestoreCommandOptions) =>
        run(() => restore(file, options, processTerminal)),
      ),
  );
