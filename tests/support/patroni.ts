// Two PostgreSQL servers under Patroni with a synchronous standby, and haproxy in front of them, with the
// configuration that operators get.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { hasCode } from '#platform/server/system-error.ts';
import { atFileEnd } from './clean-up.ts';
import { hasHaproxy } from './balancer.ts';
import { freePort } from './ports.ts';
import { serverPrograms, unprivileged } from './postgres-programs.ts';

const found = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** What this machine lacks for it; undefined when nothing is missing. */
export const lackedForFailover: string | undefined = (
  [
    ['patroni', found('patroni')],
    ['etcd-server', found('etcd')],
    ['haproxy', hasHaproxy],
    ['postgresql-15', found(join(serverPrograms, 'postgres'))],
  ] as const
).find(([, isThere]) => !isThere)?.[0];

/** The settings that operators get, with shorter timeouts, so that a round takes seconds. */
function settingsFile(folder: string): string {
  const changes = { ttl: 5, loop_wait: 1, retry_timeout: 2 };
  const text = Object.entries(changes).reduce(
    (all, [name, seconds]) => {
      const line = new RegExp(`^( +${name}): \\d+$`, 'm');
      if (!line.test(all)) throw new Error(`deploy/patroni.yml has no ${name}`);
      return all.replace(line, `$1: ${seconds}`);
    },
    readFileSync(configurationOf('patroni.yml'), 'utf8'),
  );
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, text);
  return file;
}

const configurationOf = (name: string): string => resolve(import.meta.dirname, '../../deploy', name);
const password = 'a password of the tests';

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The running child processes of `pid`. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'utf8')) ?? [];
        return Number(parent) === pid;
      } catch {
        // The process has just ended.
        return false;
      }
    });
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!hasCode(error, 'ESRCH')) throw error;
    }
  }
}

/** One server: Patroni and the PostgreSQL that it runs. */
export class PatroniServer {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #dataDir: string;
  readonly #settings: string;
  readonly #environment: Record<string, string>;
  #patroni: ChildProcess | undefined;

  constructor(options: {
    name: string;
    folder: string;
    settings: string;
    etcdPort: number;
    port: number;
    restPort: number;
  }) {
    this.#settings = options.settings;
    this.name = options.name;
    this.port = options.port;
    this.restPort = options.restPort;
    this.#dataDir = join(options.folder, options.name);
    // The environment that docs/operator/scale.md describes for the service.
    this.#environment = {
      PATRONI_NAME: options.name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${options.etcdPort}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${options.restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${options.restPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${options.port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${options.port}`,
      PATRONI_POSTGRESQL_DATA_DIR: this.#dataDir,
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
      PATRONI_REWIND_PASSWORD: password,
    };
  }

  start(): void {
    this.#patroni = spawn('patroni', [this.#settings], {
      cwd: tmpdir(),
      env: {
        PATH: process.env['PATH'] ?? '',
        LC_ALL: 'C.UTF-8',
        TMPDIR: tmpdir(),
        PGPASSFILE: `${this.#dataDir}.pgpass`,
        PATRONI_POSTGRESQL_PGPASS: `${this.#dataDir}.pgpass`,
        ...this.#environment,
      },
      stdio: process.env['PATRONI_LOG'] === undefined ? 'ignore' : 'inherit',
      ...unprivileged(),
    });
  }

  /** All its processes: Patroni, PostgreSQL and PostgreSQL's children. */
  #processes(): number[] {
    const postmaster = Number.parseInt(
      readFileSync(join(this.#dataDir, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '',
      10,
    );
    const { pid } = this.#patroni ?? {};
    return [...(pid === undefined ? [] : [pid]), postmaster, ...childrenOf(postmaster)];
  }

  /** Simulates a power failure of its machine. */
  async kill(): Promise<void> {
    signal(this.#processes(), 'SIGKILL');
    if (this.#patroni) await end(this.#patroni, 'SIGKILL');
  }

  /** Simulates a hang of its machine: connections stay open, but nothing answers. Only {@link kill} ends it then. */
  freeze(): void {
    signal(this.#processes(), 'SIGSTOP');
  }

  /** Also stops its PostgreSQL, through Patroni. */
  async stop(): Promise<void> {
    if (this.#patroni) await end(this.#patroni, 'SIGTERM');
  }

  /** Whether Patroni reports this state, such as `primary` or `sync`. */
  async is(state: 'primary' | 'sync'): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.restPort}/${state}`, {
        signal: AbortSignal.timeout(500),
      });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      // It is not running, or hangs.
      return false;
    }
  }
}

export type Cluster = {
  readonly servers: readonly [PatroniServer, PatroniServer];
  /** The value of `DATABASE_URL`, with an empty database for the calling test file. */
  readonly url: string;
  /** The primary and its synchronous standby, once there are both. */
  readonly roles: () => Promise<{ readonly primary: PatroniServer; readonly standby: PatroniServer }>;
};

/** Starts etcd, both servers and haproxy for the calling test file. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-patroni-'));
  chmodSync(folder, 0o755);
  const user = unprivileged();
  const own = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  const [etcdPort, etcdPeerPort] = [await freePort(), await freePort()];
  const etcd = spawn(
    'etcd',
    [
      ['--data-dir', own('etcd')],
      ['--listen-client-urls', `http://127.0.0.1:${etcdPort}`],
      ['--advertise-client-urls', `http://127.0.0.1:${etcdPort}`],
      ['--listen-peer-urls', `http://127.0.0.1:${etcdPeerPort}`],
      ['--initial-advertise-peer-urls', `http://127.0.0.1:${etcdPeerPort}`],
      ['--initial-cluster', `default=http://127.0.0.1:${etcdPeerPort}`],
      ['--logger', 'zap'],
    ].flat(),
    { stdio: 'ignore', ...user },
  );
  const home = own('servers');
  const settings = settingsFile(folder);
  const make = async (name: string): Promise<PatroniServer> =>
    new PatroniServer({
      name,
      folder: home,
      settings,
      etcdPort,
      port: await freePort(),
      restPort: await freePort(),
    });
  const servers = [await make('postgres1'), await make('postgres2')] as const;
  const [listen, listenRead] = [await freePort(), await freePort()];
  const haproxy = spawn('haproxy', ['-db', '-f', configurationOf('haproxy-postgres.cfg')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LISTEN: `127.0.0.1:${listen}`,
      LISTEN_READ: `127.0.0.1:${listenRead}`,
      POSTGRES_1: `127.0.0.1:${servers[0].port}`,
      POSTGRES_2: `127.0.0.1:${servers[1].port}`,
      PATRONI_1: String(servers[0].restPort),
      PATRONI_2: String(servers[1].restPort),
    },
    stdio: 'ignore',
  });
  atFileEnd(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await end(haproxy, 'SIGTERM');
    await end(etcd, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });
  const roles = (): ReturnType<Cluster['roles']> =>
    vi.waitFor(
      async () => {
        const [primary, standby] = (await servers[0].is('primary')) ? servers : [servers[1], servers[0]];
        if (!(await primary.is('primary')) || !(await standby.is('sync')))
          throw new Error('no primary with a synchronous standby');
        return { primary, standby };
      },
      { timeout: 60_000, interval: 100 },
    );
  for (const server of servers) server.start();
  await roles();
  const secret = encodeURIComponent(password);
  return { servers, roles, url: `postgres://postgres:${secret}@127.0.0.1:${listen}/postgres` };
}
