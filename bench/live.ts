// P16 and F18: live delivery to thousands of clients, compared with bare websockets in the same run.
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { signLiveTicket } from '../src/features/access/identity/server/live-tickets.ts';
import { api, openDatabaseOf, residentMb, type BenchConsole } from './console.ts';
import { percentile, print } from './figures.ts';
import type { Order, Target } from './live-clients.ts';

const size = Number(process.env['BENCH_LIVE_CLIENTS'] ?? 5000);
const storm = size;
const rounds = 3;
const messages = 20;
const calls = 400;
const password = 'a long enough passphrase';

type Measured = { perSecond: number; p50: number; p99: number; lastP99: number };
/** One measured server: how to reach it, how to make it publish, and its memory. */
type Side = {
  readonly target: Target;
  readonly passwords: () => Promise<string[]>;
  readonly publish: (text: string) => void;
  readonly pid: number;
};

/** The process with the clients: sends it orders, and publishes when it asks for that. */
class Clients {
  readonly #process: ChildProcess = fork(join(import.meta.dirname, 'live-clients.ts'), { stdio: 'inherit' });
  #publish: (text: string) => void = () => undefined;
  #answered: ((message: { result?: unknown; error?: string }) => void) | undefined;
  readonly up: Promise<unknown>;

  constructor() {
    this.#process.on('message', (message: { publish?: number; result?: unknown; error?: string }) => {
      // All messages have the same length, but no two are equal, so that the console does not merge them.
      if (message.publish !== undefined)
        this.#publish(
          JSON.stringify({
            kind: 'usage',
            number: String(message.publish).padStart(12, '0'),
            rest: 'x'.repeat(110),
          }),
        );
      else this.#answered?.(message);
    });
    this.up = this.#next();
  }

  #next(): Promise<unknown> {
    return new Promise((done, failed) => {
      this.#answered = ({ result, error }) => (error === undefined ? done(result) : failed(new Error(error)));
    });
  }

  publishesOn(side: Side): void {
    this.#publish = side.publish;
  }

  async order<T>(order: Order): Promise<T> {
    const answer = this.#next();
    this.#process.send(order);
    return (await answer) as T;
  }

  end(): void {
    this.#process.disconnect();
  }
}

/**
 * Prints deliveries per second compared with the yardstick, memory, latencies, reconnects of all clients, and
 * the time of a list meanwhile.
 */
export async function benchLive(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  const clients = new Clients();
  await clients.up;
  const own = await ownSide(console, pool);
  const figures = { own: [] as Measured[], bare: [] as Measured[] };
  const streams = { own: [] as number[], bare: [] as number[] };
  const bytes = { own: [] as number[], bare: [] as number[] };
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of ['own', 'bare'] as const) {
      const yardstick = name === 'own' ? undefined : await startYardstick();
      const side = yardstick ?? own.side;
      clients.publishesOn(side);
      const before = residentMb(side.pid);
      const passwords = await side.passwords();
      const ms = await clients.order<number>({ order: 'connect', target: side.target, passwords });
      if (name === 'own') took.push(ms / 1000);
      bytes[name].push(((residentMb(side.pid) - before) * 1024) / size);
      await clients.order({ order: 'calibrate' });
      await clients.order({ order: 'measure', messages: 4, inFlight: 1 });
      figures[name].push(await clients.order<Measured>({ order: 'measure', messages, inFlight: 1 }));
      streams[name].push(
        (await clients.order<Measured>({ order: 'measure', messages: messages * 2, inFlight: 4 })).perSecond,
      );
      await clients.order({ order: 'drop', count: size });
      yardstick?.end();
    }
  }
  print(`${size} clients connected and subscribed`, took, 's', { atMost: 15 });
  for (const name of ['own', 'bare'] as const)
    print(
      `deliveries/s, one publish after the other: ${name}`,
      figures[name].map((each) => each.perSecond),
      'a second',
      name === 'own' ? { atLeast: 10_000 } : undefined,
    );
  print(
    '  ratio to bare ws',
    figures.own.map((each, round) => each.perSecond / (figures.bare[round]?.perSecond ?? 1)),
    '×',
  );
  for (const name of ['own', 'bare'] as const)
    print(`deliveries/s, four on their way: ${name}`, streams[name], 'a second');
  print(
    '  ratio to bare ws',
    streams.own.map((each, round) => each / (streams.bare[round] ?? 1)),
    '×',
  );
  // The console runs through all rounds, so only its first one starts on fresh memory, as every yardstick
  // round does.
  print('resident memory a client: own', bytes.own.slice(0, 1), 'kB', { atMost: 80 });
  print('resident memory a client: bare', bytes.bare, 'kB');
  print(
    'a publish to all, p50 of the deliveries',
    figures.own.map((each) => each.p50),
    'ms',
  );
  print(
    'a publish to all, p99 of the deliveries',
    figures.own.map((each) => each.p99),
    'ms',
    { atMost: 500 },
  );
  print(
    'a publish to all, p99 of bare ws',
    figures.bare.map((each) => each.p99),
    'ms',
  );
  await benchListWhile(console, admin, clients, own.side);
  await benchStorm(console, clients, own);
  clients.end();
  await close();
}

/** The time of a list while every half second a message goes to all clients, as on the busiest topic. */
async function benchListWhile(
  console: BenchConsole,
  admin: string,
  clients: Clients,
  own: Side,
): Promise<void> {
  const list = async (): Promise<number> => {
    const began = performance.now();
    await api(console.address, 'GET', '/admin/users?limit=25', undefined, admin);
    return performance.now() - began;
  };
  const p99 = async (): Promise<number> => {
    const times: number[] = [];
    for (let call = 0; call < calls; call++) times.push(await list());
    return percentile(times, 0.99);
  };
  clients.publishesOn(own);
  await clients.order({ order: 'connect', target: own.target, passwords: await own.passwords() });
  await p99();
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round++) {
    idle.push(await p99());
    let count = 0;
    const broadcast = setInterval(
      () => own.publish(JSON.stringify({ kind: 'usage', number: `${round} ${count++}` })),
      500,
    );
    busy.push(await p99());
    clearInterval(broadcast);
  }
  print('list p99, nothing on its way', idle, 'ms');
  print(`list p99, a message to ${size} clients twice a second`, busy, 'ms');
  print(
    '  ratio',
    busy.map((each, round) => each / (idle[round] ?? 1)),
    '×',
    { atMost: 2 },
  );
  print('console with all clients, resident', [residentMb(console.pid)], 'MB', { atMost: 450 });
  await clients.order({ order: 'drop', count: size });
}

/** All clients reconnect at once, repeatedly; no memory of them may remain. */
async function benchStorm(
  console: BenchConsole,
  clients: Clients,
  { side, ticketUrl, token }: Own,
): Promise<void> {
  const times: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < rounds * 3; round++) {
    times.push(
      (await clients.order<number>({ order: 'storm', target: side.target, count: storm, ticketUrl, token })) /
        1000,
    );
    await clients.order({ order: 'drop', count: storm });
    await new Promise((done) => setTimeout(done, 1000));
    resident.push(residentMb(console.pid));
  }
  print(`${storm} clients come back at once, each with a new ticket`, times, 's', { atMost: 10 });
  // The first rounds fill the heap up to the size at which it is collected.
  print(
    `resident after ${storm * rounds * 3} came and went, against after ${storm * rounds}`,
    [(resident.at(-1) ?? 0) / (resident[rounds - 1] ?? 1)],
    '×',
    { atMost: 1.1 },
  );
  const metrics = await (await fetch(`${console.address}/metrics`)).text();
  print('subscriptions that stayed', [Number(/^live_subscriptions (\d+)/m.exec(metrics)?.[1] ?? NaN)], '', {
    atMost: 0,
  });
}

type Own = { readonly side: Side; readonly ticketUrl: string; readonly token: string };

/** The console: one user with thousands of open pages, and messages through the database as in production. */
async function ownSide(console: BenchConsole, pool: pg.Pool): Promise<Own> {
  const { user } = (await api(console.address, 'POST', '/user/register', {
    email: 'owner@bench.example',
    name: 'Owner',
    password,
    organization: 'Bench',
    agreeToTerms: true,
  })) as unknown as { user: { id: string; organizationId: string } };
  const { token } = (await api(console.address, 'POST', '/user/login', {
    account: 'owner@bench.example',
    password,
  })) as unknown as { token: string };
  const secrets = JSON.parse(readFileSync(join(console.dataDir, 'secrets.json'), 'utf8')) as {
    accessTokenKey: string;
  };
  const { rows } = await pool.query<{ id: string }>('select id from session where user_id = $1', [user.id]);
  const topic = `org/${user.organizationId}/usage`;
  const side: Side = {
    pid: console.pid,
    target: { port: Number(new URL(console.address).port), topic, userName: user.id, isBare: false },
    passwords: () =>
      Promise.resolve(
        Array.from({ length: size }, () =>
          signLiveTicket(secrets, {
            userId: user.id,
            sessionId: rows[0]?.id ?? '',
            expiresAt: new Date(Date.now() + 600_000),
          }),
        ),
      ),
    publish: (text) =>
      void pool.query('select pg_notify($1, $2)', [
        'skytally_live',
        JSON.stringify({ topics: [topic], message: JSON.parse(text) as unknown }),
      ]),
  };
  return { side, ticketUrl: `${console.address}/api/live/tickets`, token };
}

async function startYardstick(): Promise<Side & { readonly end: () => void }> {
  const child = fork(join(import.meta.dirname, 'live-yardstick.ts'), {
    execArgv: ['--max-semi-space-size=16'],
  });
  const port = await new Promise<number>((done) => child.once('message', (message) => done(Number(message))));
  const topic = 'org/org_00000000000000000000000000/usage';
  return {
    pid: child.pid ?? 0,
    target: { port, topic, userName: 'user', isBare: true },
    passwords: () => Promise.resolve(Array.from({ length: size }, () => 'x')),
    publish: (text) => child.send({ topic, text }),
    end: () => child.disconnect(),
  };
}
