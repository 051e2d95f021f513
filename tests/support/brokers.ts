// Real message brokers for tests: nats-server, Mosquitto, and the cluster inside librdkafka that kcat can start (Debian's packages).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { required } from '#kernel/assert.ts';
import { atFileEnd } from './clean-up.ts';

const programs = {
  nats: '/usr/sbin/nats-server',
  mosquitto: '/usr/sbin/mosquitto',
  mosquittoPasswords: '/usr/bin/mosquitto_passwd',
  kcat: '/usr/bin/kcat',
};
/** Whether this machine has them; tests without them say so and are skipped. */
export const hasNats = existsSync(programs.nats);
export const hasMosquitto = existsSync(programs.mosquitto) && existsSync(programs.mosquittoPasswords);
export const hasKcat = existsSync(programs.kcat);

export type Broker = {
  readonly port: number;
  /** Kills it; what it stores stays. */
  readonly kill: () => Promise<void>;
  /** Starts it again at the same port with what it had stored. */
  readonly restart: () => Promise<void>;
};

async function broker(
  program: string,
  argumentsAt: (port: number, folder: string) => readonly string[],
  files: (folder: string, port: number) => void = () => undefined,
): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-broker-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const last = child;
    child = undefined;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const ended = new Promise((resolve) => last.once('exit', resolve));
    last.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    files(folder, port);
    child = spawn(program, argumentsAt(port, folder), { stdio: 'ignore' });
    for (let tries = 0; tries < 100; tries++) {
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
  return { port, kill, restart: start };
}

/** A NATS server with JetStream; with `password` only the user `meter` may connect. */
export const startNats = (password?: string): Promise<Broker> =>
  broker(programs.nats, (port, folder) => [
    '-js',
    '-sd',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    ...(password === undefined ? [] : ['--user', 'meter', '--pass', password]),
  ]);

/** Mosquitto that keeps sessions and messages when it is killed; only the user `meter` may connect. */
export const startMosquitto = (password: string): Promise<Broker> =>
  broker(
    programs.mosquitto,
    (_port, folder) => ['-c', join(folder, 'mosquitto.conf')],
    (folder, port) => {
      const passwords = join(folder, 'passwords');
      // Plain text, which mosquitto_passwd -U would hash: Mosquitto 2 reads $7$ hashes only, so they are made by its tool.
      writeFileSync(passwords, `meter:${password}\n`, { mode: 0o600 });
      spawnSyncQuietly(programs.mosquittoPasswords, ['-U', passwords]);
      writeFileSync(
        join(folder, 'mosquitto.conf'),
        `listener ${port} 127.0.0.1\npassword_file ${passwords}\npersistence true\npersistence_location ${folder}/\nautosave_interval 1\nautosave_on_changes true\nmax_queued_messages 0\nuser root\n`,
      );
    },
  );

export type KafkaCluster = { readonly port: number; readonly stop: () => void };

/** The cluster of librdkafka's own tests: it knows topics, groups and offsets, and forgets all when it ends. It takes no credentials and no TLS. */
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
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said = (said + String(part)).slice(-20_000);
      const found = /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`kcat ended: ${said}`)));
  });
  return { port, stop: () => void child.kill('SIGKILL') };
}

/** Sends messages to a partition, one a line, and waits until the cluster has them. */
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = required(server.address() as AddressInfo | null, 'an address');
  await new Promise((closed) => server.close(closed));
  return port;
}
