// Creates the database cluster atomically, and defines how it is protected.
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { waysOut, type PostgresProgram } from './postgres-program.ts';
import { StartRefused } from '../../start-refused.ts';
import { syncFolder } from './sync-folder.ts';
import { hasCode } from '../../system-error.ts';

/**
 * The console's role and database. The role is no superuser, so that none of our statements can read files or
 * start programs.
 */
export const consoleRole = 'skytally';
export const consoleDatabase = 'skytally';

/** The prefix of folders that hold what a restore replaced. */
export const replacedPrefix = 'postgres.before-';
const unfinishedPrefix = 'postgres.making-';
const passwordFile = 'console.password';

/**
 * Creates the cluster `<dataDir>/postgres` unless it exists. The caller holds the console lock. A kill at any
 * moment leaves either no cluster or a complete one: it is created under another name and renamed.
 * @throws StartRefused when the folder holds something else, or a cluster of another PostgreSQL version.
 */
export async function makeCluster(
  dataDir: string,
  program: PostgresProgram,
  options: { durable: boolean; log: Log },
): Promise<void> {
  await removeUnfinished(dataDir, options.log);
  const clusterDir = join(dataDir, 'postgres');
  const version = await clusterVersion(clusterDir);
  if (version === program.majorVersion) return;
  if (version !== undefined) {
    throw new StartRefused(
      `${clusterDir} was made by PostgreSQL ${version}, and this console brings PostgreSQL ${program.majorVersion}. ` +
        'Start the former release once more, make a backup, and restore it into a new data directory with this one.',
    );
  }
  // A restore moves the former database aside just before it moves the new one in; if it was killed in
  // between, an empty database must not take its place.
  const replaced = (await readdir(dataDir))
    .filter((name) => name.startsWith(replacedPrefix))
    .sort()
    .at(-1);
  if (replaced !== undefined)
    throw new StartRefused(
      `${clusterDir} is missing, and ${replaced} is beside it: a restore was cut off. Run the restore again, or rename ${replaced} to postgres.`,
    );
  const unfinished = join(dataDir, unfinishedPrefix + randomBytes(6).toString('hex'));
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await grantOwnerAccess(dataDir, unfinished, program);
    await fill(unfinished, program, options.durable);
    await rename(unfinished, clusterDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw explained(error, clusterDir, program);
  }
  if (options.durable) await syncFolder(dataDir);
}

/** The password of the console's role, needed when the server listens on TCP. */
export async function clusterPassword(clusterDir: string): Promise<string> {
  return readFile(join(clusterDir, passwordFile), 'utf8');
}

async function fill(folder: string, program: PostgresProgram, durable: boolean): Promise<void> {
  const password = randomBytes(24).toString('hex');
  const superuserPassword = `${folder}.superuser`;
  await writeFile(superuserPassword, randomBytes(24).toString('hex'), { mode: 0o600 });
  try {
    if (program.owner !== undefined) await chown(superuserPassword, program.owner.uid, program.owner.gid);
    // The socket is in a folder that only its owner may enter, so everyone who can reach it is trusted; TCP
    // always requires the password.
    await program.run('initdb', [
      '-D',
      folder,
      '-U',
      'postgres',
      `--pwfile=${superuserPassword}`,
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...libraryLocale(),
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    await rm(superuserPassword, { force: true });
  }
  // Renaming the empty database that initdb creates is far quicker than copying a template.
  await program.run(
    'postgres',
    ['--single', '-D', folder, ...(durable ? [] : ['-c', 'fsync=off']), 'template1'],
    [
      `create role ${consoleRole} login createdb password '${password}';`,
      `alter database postgres rename to ${consoleDatabase};`,
      `alter database ${consoleDatabase} owner to ${consoleRole};`,
      '',
    ].join('\n'),
  );
  await writeFile(join(folder, passwordFile), password, { mode: 0o600, flush: durable });
}

/**
 * The C library's locale, which applies beside PostgreSQL's own: pg_trgm above all must classify Chinese
 * characters as letters.
 */
function libraryLocale(): string[] {
  if (process.platform === 'linux') return ['--locale=C.UTF-8', '--lc-messages=C'];
  if (process.platform === 'darwin') return ['--locale=C', '--lc-ctype=en_US.UTF-8'];
  return ['--locale=C'];
}

async function clusterVersion(clusterDir: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  try {
    // An empty folder counts as missing.
    await rmdir(clusterDir);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) {
      throw new StartRefused(
        `${clusterDir} is no PostgreSQL cluster and is not empty. Move it away, or choose another data directory.`,
        { cause: error },
      );
    }
  }
  return undefined;
}

async function removeUnfinished(dataDir: string, log: Log): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    log.info({ folder: name }, 'removing a database that was never finished');
    // An initdb whose console was killed may still be writing; it fails once its files are gone.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function grantOwnerAccess(dataDir: string, folder: string, program: PostgresProgram): Promise<void> {
  if (program.owner === undefined) return;
  await chown(folder, program.owner.uid, program.owner.gid);
  // The other user must be able to traverse our folder; they still cannot list it.
  await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
}

function explained(error: unknown, clusterDir: string, program: PostgresProgram): unknown {
  if (!(error instanceof Error)) return error;
  // Another user may lack access to a parent folder, or to npm's files.
  const advice = program.owner === undefined ? '' : ` ${waysOut}`;
  return new StartRefused(`The database could not be made in ${clusterDir}. ${error.message}.${advice}`, {
    cause: error,
  });
}
