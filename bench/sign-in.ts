// Sign-in compared with the bare hash, a session check compared with a bare query, and lists during a flood
// of sign-ins.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import { sessionTable } from './bare.ts';
import { api, openDatabaseOf, startBareProcess, type BenchConsole } from './console.ts';
import { median, pairs, percentile, print } from './figures.ts';

const account = 'admin@bench.example';
const password = 'a long enough passphrase';
const rounds = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 300 });

type Response = { readonly status: number; readonly body: string; readonly retryAfter: number };

/** One call over a kept connection, without the overhead of fetch. */
function send(
  url: string,
  options: { method?: string; token?: string; body?: unknown } = {},
): Promise<Response> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((done, failed) => {
    const sent = request(
      url,
      {
        agent,
        method: options.method ?? 'GET',
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        },
      },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () =>
            done({
              status: answer.statusCode ?? 0,
              body: text,
              retryAfter: Number(answer.headers['retry-after'] ?? 1),
            }),
          );
      },
    );
    sent.on('error', failed).end(body);
  });
}

/** Calls per second that `callers` reach with `count` calls. */
async function rate(callers: number, count: number, call: () => Promise<unknown>): Promise<number> {
  let left = count;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) await call();
    }),
  );
  return count / ((performance.now() - began) / 1000);
}

/** Prints P4 of the goals: sign-in, session check, and lists while 200 users try to sign in at once. */
export async function benchSignIn(console: BenchConsole, admin: string): Promise<void> {
  const signIn = () =>
    send(`${console.address}/api/user/login`, { method: 'POST', body: { account, password } });
  const good = async (): Promise<void> => {
    const { status, body } = await signIn();
    if (status !== 200) throw new Error(`sign-in answered ${status}: ${body}`);
  };
  const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await rate(4, 40, good);
  const hashes = () => rate(4, 300, () => verify(stored, password));
  const signIns = await pairs(rounds, () => rate(4, 300, good), hashes);
  print('sign-ins, 4 callers', signIns.a, 'a second');
  print('bare argon2id, 4 callers', signIns.b, 'a second');
  print('ratio', signIns.ratios, '×', { atLeast: 0.9 });

  const bare = await startBareProcess(console.dataDir);
  const { pool, close } = await openDatabaseOf(console.dataDir, 1);
  await pool.query(sessionTable);
  // The lower limit for any sign-in on this machine: database and process share the cores with the hash.
  const least = () =>
    rate(4, 300, async () => {
      const { status } = await send(`${bare.address}/sign-in`, {
        method: 'POST',
        body: { account, password, stored },
      });
      if (status !== 200) throw new Error(`the bare sign-in answered ${status}`);
    });
  await least();
  print(
    'bare Fastify that reads a row, hashes, stores a row: ratio',
    (await pairs(rounds, least, hashes)).ratios,
    '×',
  );
  print('sign-ins against it', (await pairs(rounds, () => rate(4, 300, good), least)).ratios, '×');
  await pool.query('drop table bench_session');
  // Autovacuum would do this within a minute of so many new rows.
  await pool.query('analyze');
  await close();
  const query = () => rate(8, 15_000, () => send(`${bare.address}/one`));
  // A customer may not list all users, so the answer needs only the session's query.
  const customer =
    (await api(console.address, 'POST', '/user/register', {
      email: 'owner@bench.example',
      name: 'Owner',
      password,
      organization: 'Bench',
      agreeToTerms: true,
    })) &&
    (await api(console.address, 'POST', '/user/login', { account: 'owner@bench.example', password })).token;
  if (!customer) throw new Error('nobody to check');
  const check = () => rate(8, 15_000, () => send(`${console.address}/api/admin/users`, { token: customer }));
  const profile = () => rate(8, 15_000, () => send(`${console.address}/api/user/profile`, { token: admin }));
  for (const warm of [query, check, profile]) await warm();
  const checks = await pairs(rounds, check, query);
  print('session check alone (refused by role), 8 callers', checks.a, 'a second');
  print('bare Fastify with one query, in a process of its own', checks.b, 'a second');
  print('ratio', checks.ratios, '×', { atLeast: 0.7 });
  print(
    'session check and profile, two queries, against the same',
    (await pairs(rounds, profile, query)).ratios,
    '×',
  );

  const list = async (): Promise<number> => {
    const began = performance.now();
    await api(console.address, 'GET', '/admin/users?role=User&limit=25', undefined, admin);
    return performance.now() - began;
  };
  const listTimes = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let index = 0; index < count; index++) times.push(await list());
    return times;
  };
  await listTimes(50);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const quiet = percentile(await listTimes(500), 0.99);
    let flooding = true;
    const over = new AbortController();
    const answers = { good: 0, refused: 0 };
    // A refused client retries after the time that the server names, as browsers and programs do.
    const flood = Array.from({ length: 200 }, async () => {
      while (flooding) {
        const { status, retryAfter } = await signIn();
        if (status === 200) answers.good++;
        else {
          answers.refused++;
          await sleep(retryAfter * 1000, undefined, { signal: over.signal }).catch(() => undefined);
        }
      }
    });
    const during = await listTimes(500);
    flooding = false;
    over.abort();
    await Promise.all(flood);
    ratios.push(percentile(during, 0.99) / quiet);
    process.stdout.write(
      `    quiet p99 ${quiet.toFixed(1)} ms, during ${percentile(during, 0.99).toFixed(1)} ms (median ${median(during).toFixed(1)}); ${answers.good} signed in, ${answers.refused} told to come back\n`,
    );
  }
  print('list p99 during 200 sign-ins at once, against quiet', ratios, '×', { atMost: 3 });
  await bare.close();
}
