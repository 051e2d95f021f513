// A whole console for tests: real HTTP on a free port, a real database, a clock that the test moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { file, pathNames, type Envelope, type Route } from '#kernel/contract.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import { movableClock, type MovableClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { connectionTo, withClient } from '#platform/server/database/other-database.ts';
import { JobSender } from '#platform/server/jobs/jobs.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { silentLog, type Log } from '#platform/server/log.ts';
import { atFileEnd } from './clean-up.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startPooler } from './pooler.ts';
import { withQueuesName } from './server.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { jobs } from '#app/jobs.ts';
import { startOn } from '#app/server.ts';

export const adminAccount = { account: 'admin@cloud.example', password: 'a long enough passphrase' };
const userPassword = 'another long passphrase';

export type CallOptions = {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly language?: 'zhTW' | 'enUS';
};
const sharedSecretKey = 'the-secret-key-of-all-consoles-on-one-test-database';

/** The result of a call: the decoded data of a success, or the envelope of a failure. */
export type Answer<R extends Route> = {
  readonly status: number;
  readonly envelope: Envelope;
  readonly data: z.output<R['output']>;
};

export type TestConsole = {
  readonly app: App;
  readonly clock: MovableClock;
  readonly address: string;
  readonly setupToken: string;
  /** Stops it before the end of the test file, for files that start many. */
  readonly end: () => Promise<void>;
  /** Every route of the server, `GET /api/bills/:billId`. */
  readonly routes: readonly string[];
  /** Calls a route as a client would, with the same contract on both sides. */
  readonly call: <R extends Route>(
    route: R,
    input: z.output<R['input']>,
    options?: CallOptions,
  ) => Promise<Answer<R>>;
  /** Like `call`, for a call that must succeed. */
  readonly ok: <R extends Route>(
    route: R,
    input: z.output<R['input']>,
    options?: CallOptions,
  ) => Promise<z.output<R['output']>>;
};

let madeTemplate: Promise<string> | undefined;
/**
 * A database to copy for new consoles, which already has pg-boss's tables and queues, as after a first start.
 * Creating them takes a quarter of a start, and a run starts hundreds. The first process to need it creates
 * it; the others wait.
 */
function templateWithQueues(): Promise<string> {
  madeTemplate ??= makeTemplateWithQueues();
  return madeTemplate;
}

async function makeTemplateWithQueues(): Promise<string> {
  const { server, template } = inject('testServer');
  const name = withQueuesName(template);
  const draft = `${name}_draft`;
  await withClient(server, async (client) => {
    // A session lock, held until the client disconnects: CREATE DATABASE cannot run in a transaction.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount !== 0) return;
    await client.query(`create database ${draft} template ${template}`);
    const sender = new JobSender(connectionTo(server, draft));
    for (const each of jobs) await sender.prepare(each);
    await sender.stop();
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

/**
 * Starts a console for the calling test file and stops it at the end. Nothing is set up yet. `environment`
 * adds settings; consoles that are given the same database share it, and leave it when they stop.
 */
export async function createTestConsole(
  now = new Date('2024-10-05T03:00:00Z'),
  environment: Readonly<Record<string, string>> = {},
  sharedDatabase?: TestDatabase,
  {
    followsDatabase = false,
    webDirectory,
    log = silentLog(),
  }: { followsDatabase?: boolean; webDirectory?: string; log?: Log } = {},
): Promise<TestConsole> {
  const database = sharedDatabase ?? (await createTestDatabase({ from: await templateWithQueues() }));
  const dataDir = mkdtempSync(join(tmpdir(), 'skytally-test-'));
  const clock = movableClock(now);
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // Consoles that share a database also share its secrets.
    ...(sharedDatabase && { SECRET_KEY: sharedSecretKey }),
    // `TEST_POOLER=1` runs any test through PgBouncer in transaction mode.
    ...(process.env['TEST_POOLER'] === undefined ? {} : await startPooler(database.connection)),
    ...environment,
  });
  const running = await startOn(database.connection, config, {
    log,
    clock,
    followsDatabase,
    webDirectory: Promise.resolve(webDirectory),
  });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopped ??= running.stop();
    await stopped;
    rmSync(dataDir, { recursive: true, force: true });
  };
  atFileEnd(stop);
  const call = caller(running.listening);
  return {
    routes: running.fastify.knownPaths.all(),
    app: running.app,
    clock,
    address: running.listening,
    setupToken: running.app.secrets.setupToken,
    call,
    end: async () => {
      await stop();
      if (!sharedDatabase) await database.drop();
    },
    ok: mustSucceed(call),
  };
}

/** Like `call`, for calls that must succeed. */
export function mustSucceed(call: TestConsole['call']): TestConsole['ok'] {
  return async (route, input, options) => {
    const answer = await call(route, input, options);
    expect(answer.envelope, `${route.method} ${route.path} ${answer.envelope.message}`).toMatchObject({
      isSuccess: true,
    });
    return answer.data;
  };
}

/** Calls routes at an address that is not a console's own, such as a balancer's. */
export function caller(address: string): TestConsole['call'] {
  return async (route, input, options = {}) => {
    const fields = z.encode(route.input, input as never) as Record<string, unknown>;
    const places = pathNames(route.path);
    const path = route.path.replace(/:(\w+)/g, (_place, name: string) =>
      encodeURIComponent(String(fields[name])),
    );
    const rest = Object.entries(fields).filter(
      ([name, value]) => !places.includes(name) && value !== undefined,
    );
    const inQuery = route.method === 'GET' || route.method === 'DELETE' || route.raw !== undefined;
    const query =
      inQuery && rest.length > 0
        ? `?${new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
        : '';
    const body = options.body ?? (!inQuery ? JSON.stringify(Object.fromEntries(rest)) : undefined);
    const response = await fetch(`${address}/api${path}${query}`, {
      method: route.method,
      headers: {
        'accept-language': options.language === 'zhTW' ? 'zh-TW' : 'en-US',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    if (route.output === file && response.ok) {
      const answer = {
        fileName: response.headers.get('content-disposition') ?? '',
        mediaType: response.headers.get('content-type') ?? '',
        body: new Uint8Array(await response.arrayBuffer()),
      };
      return {
        status: response.status,
        envelope: { data: null, isSuccess: true, message: 'Success' },
        data: answer as never,
      };
    }
    const envelope = (await response.json()) as Envelope;
    return {
      status: response.status,
      envelope,
      data: (response.ok ? z.decode(route.output, envelope.data as never) : null) as never,
    };
  };
}

/** Sets the console up and returns the Admin's token. */
export async function setUp(
  console: Pick<TestConsole, 'ok' | 'setupToken'>,
  basic: Partial<{
    currency: 'TWD' | 'USD';
    taxRate: string;
    timeZone: string;
    language: ContentLanguage;
  }> = {},
): Promise<string> {
  const { token } = await console.ok(administration.initialize, {
    setupToken: console.setupToken,
    basic: {
      name: 'Skytally',
      companyPrefix: 'Formosa Cloud',
      currency: basic.currency ?? 'TWD',
      timeZone: basic.timeZone ?? 'Asia/Taipei',
      language: basic.language ?? 'zhTW',
      taxRate: basic.taxRate ?? '5',
    },
    admin: { account: adminAccount.account, name: 'Operator', password: adminAccount.password },
  });
  return token;
}

/** Registers a user with their own organization and returns their token and ids. */
export async function registerUser(
  console: TestConsole,
  email: string,
  organization: string,
): Promise<{ token: string; userId: string; organizationId: string }> {
  const { user } = await console.ok(signin.register, {
    email,
    name: email.split('@')[0] ?? email,
    password: userPassword,
    organization,
    agreeToTerms: true,
  });
  // With an SMTP server an e-mail address must be confirmed first; end-to-end tests do that, other tests only
  // need the user.
  await sql`update account_email set verified_at = created.created_at from app_user created where created.id = account_email.user_id and created.account = ${email}`.execute(
    console.app.database.kysely,
  );
  const { token } = await console.ok(signin.login, { account: email, password: userPassword });
  return { token, userId: user.id, organizationId: user.organizationId ?? '' };
}

/** Signs in a user that an Admin created with the tests' password. */
export async function signIn(
  console: TestConsole,
  account: string,
  password = userPassword,
): Promise<string> {
  return (await console.ok(signin.login, { account, password })).token;
}
export { userPassword };
