// Real message brokers for tests: nats-server, Mosquitto, and librdkafka's built-in cluster, which kcat can
// start (Debian's packages).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Authority } from './certificates.ts';
import { atFileEnd } from './clean-up.ts';
import { freePort } from './ports.ts';

const programs = {
  nats: '/usr/sbin/nats-server',
  mosquitto: '/usr/sbin/mosquitto',
  mosquittoPasswords: '/usr/bin/mosquitto_passwd',
  kcat: '/usr/bin/kcat',
  rabbit: '/usr/lib/rabbitmq/bin/rabbitmq-server',
  epmd: '/usr/bin/epmd',
};
/** Whether the programs are installed; tests that need missing ones report it and are skipped. */
export const hasNats = existsSync(programs.nats);
export const hasMosquitto = existsSync(programs.mosquitto) && existsSync(programs.mosquittoPasswords);
export const hasKcat = existsSync(programs.kcat);
export const hasRabbit = existsSync(programs.rabbit) && existsSync(programs.epmd);

export type Broker = {
  readonly port: number;
  /** Kills it; its stored data remains. */
  readonly kill: () => Promise<void>;
  /** Restarts it on the same port with its stored data. */
  readonly restart: () => Promise<void>;
  /** Suspends or resumes it. */
  readonly hang: (on: boolean) => void;
};

async function broker(
  program: string,
  argumentsAt: (port: number, folder: string) => readonly string[],
  files: (folder: string, port: number) => void = () => undefined,
  environmentAt: (folder: string) => NodeJS.ProcessEnv = () => ({}),
): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-broker-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const last = child;
    child = undefined;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const ended = new Promise((resolve) => last.once('exit', resolve));
    // Including its child processes: RabbitMQ's program is a script that starts another one.
    if (last.pid !== undefined) process.kill(-last.pid, 'SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    files(folder, port);
    child = spawn(program, argumentsAt(port, folder), {
      stdio: 'ignore',
      detached: true,
      // Crash files end up there.
      cwd: folder,
      env: { ...process.env, ...environmentAt(folder) },
    });
    for (let tries = 0; tries < 400; tries++) {
      if (await listens(port)) return;
      await pause(100);
    }
    throw new Error(`${program} did not start`);
  };
  await start();
  atFileEnd(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const hang = (on: boolean): void => {
    child?.kill(on ? 'SIGSTOP' : 'SIGCONT');
  };
  return { port, kill, restart: start, hang };
}

/**
 * A NATS server with JetStream; with `password` only the user `meter` may connect, with `tls` only clients
 * with a certificate of its authority.
 */
export const startNats = (password?: string, tls?: Authority): Promise<Broker> =>
  broker(programs.nats, (port, folder) => [
    '-js',
    '-sd',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    ...(password === undefined ? [] : ['--user', 'meter', '--pass', password]),
    ...(tls
      ? [
          '--tlsverify',
          `--tlscert=${tls.server.certificateFile}`,
          `--tlskey=${tls.server.keyFile}`,
          `--tlscacert=${tls.file}`,
        ]
      : []),
  ]);

/**
 * Mosquitto that keeps sessions and messages when it is killed; only the user `meter` may connect. With `tls`
 * it accepts only TLS connections, with a client certificate of its authority or with the password.
 */
export const startMosquitto = (password: string, tls?: Authority): Promise<Broker> =>
  broker(
    programs.mosquitto,
    (_port, folder) => ['-c', join(folder, 'mosquitto.conf')],
    (folder, port) => {
      const passwords = join(folder, 'passwords');
      // In plain text, for mosquitto_passwd -U to hash: Mosquitto 2 accepts only $7$ hashes.
      writeFileSync(passwords, `meter:${password}\n`, { mode: 0o600 });
      spawnSyncQuietly(programs.mosquittoPasswords, ['-U', passwords]);
      const secured = tls
        ? `cafile ${tls.file}\ncertfile ${tls.server.certificateFile}\nkeyfile ${tls.server.keyFile}\nrequire_certificate true\nuse_identity_as_username true\n`
        : `password_file ${passwords}\n`;
      writeFileSync(
        join(folder, 'mosquitto.conf'),
        `listener ${port} 127.0.0.1\n${secured}persistence true\npersistence_location ${folder}/\nautosave_interval 1\nautosave_on_changes true\nmax_queued_messages 0\nuser root\n`,
      );
    },
  );

/**
 * RabbitMQ with its MQTT plugin, with unique node names and ports; only the user `meter` may connect. It
 * takes half a minute to start.
 */
export async function startRabbit(password: string): Promise<Broker> {
  const [epmdPort, distributionPort, amqpPort] = [await freePort(), await freePort(), await freePort()];
  const epmd = spawn(programs.epmd, ['-port', String(epmdPort), '-address', '127.0.0.1'], {
    stdio: 'ignore',
  });
  atFileEnd(() => void epmd.kill('SIGKILL'));
  return broker(
    programs.rabbit,
    () => [],
    (folder, port) => {
      writeFileSync(join(folder, 'plugins'), '[rabbitmq_mqtt].\n');
      writeFileSync(
        join(folder, 'rabbitmq.conf'),
        `listeners.tcp.1 = 127.0.0.1:${amqpPort}\nmqtt.listeners.tcp.1 = 127.0.0.1:${port}\nmqtt.allow_anonymous = false\ndefault_user = meter\ndefault_pass = ${password}\n`,
      );
    },
    (folder) => ({
      HOME: folder,
      ERL_EPMD_PORT: String(epmdPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: `test${amqpPort}@localhost`,
      RABBITMQ_NODE_PORT: String(amqpPort),
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
      RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
      RABBITMQ_LOG_BASE: join(folder, 'log'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      // Prevents a dump of its database in the working directory when it is killed.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-mnesia core_dir false',
    }),
  );
}

export type KafkaCluster = { readonly port: number; readonly stop: () => void };

/**
 * librdkafka's built-in test cluster: it has topics, groups and offsets, and loses everything when it ends.
 * It supports neither credentials nor TLS.
 */
export async function startKafka(topic: string): Promise<KafkaCluster> {
  const child = spawn(
    programs.kcat,
    ['-P', '-X', 'test.mock.num.brokers=1', '-d', 'mock', '-b', 'none', '-t', topic],
    {
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  atFileEnd(() => void child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (part: Buffer) => {
      output = (output + String(part)).slice(-20_000);
      const found = /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`kcat ended: ${output}`)));
  });
  return { port, stop: () => void child.kill('SIGKILL') };
}

/** Sends messages to a partition, one per line, and waits until the cluster has them. */
export function produce(
  port: number,
  topic: string,
  messages: readonly string[],
  partition = 0,
): Promise<void> {
  const child = spawn(
    programs.kcat,
    ['-P', '-b', `127.0.0.1:${port}`, '-t', topic, '-p', String(partition)],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.stdin.end(messages.map((each) => `${each}\n`).join(''));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`kcat ended with ${code}`))));
  });
}

function spawnSyncQuietly(program: string, given: readonly string[]): void {
  const child = spawnSync(program, given, { stdio: 'ignore' });
  if (child.status !== 0) throw new Error(`${program} ended with ${child.status}`);
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
