// Two consoles for attacks on sign-in, and the actions of attackers and users.
import { generate } from 'otplib';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect } from 'vitest';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { identity } from '#features/access/identity/contract.ts';
import { minimumPasswordLength } from '#features/access/identity/server/index.ts';
import { signin } from '#features/access/signin/contract.ts';
import { atFileEnd } from './clean-up.ts';
import { adminAccount, createTestConsole, setUp, userPassword, type TestConsole } from './console.ts';
import { stopRepeating } from './jobs.ts';
import { openMailbox, type Mailbox } from './mail.ts';

export type Sent = {
  from?: string;
  cookie?: string;
  token?: string;
  method?: string;
  headers?: Record<string, string>;
};
export type Came = {
  status: number;
  code: string | undefined;
  body: Record<string, unknown>;
  text: string;
  headers: string[];
  retryAfter: number;
  cookies: string[];
};

export let mailbox: Mailbox;
/** Behind a proxy that reports each caller's address, with e-mail. */
export let console: TestConsole;
/** With default settings: no proxy, no e-mail. */
export let plain: TestConsole;
export let admin: string;
export let organizationId: string;

let lastHost = 0;
/** An address that has made no calls yet. */
export const fresh = (): string => `198.51.${Math.floor(++lastHost / 250)}.${(lastHost % 250) + 1}`;
let from: string;

export async function send(to: TestConsole, path: string, body: unknown, sent: Sent = {}): Promise<Came> {
  const response = await fetch(`${to.address}/api${path}`, {
    method: sent.method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': 'en-US',
      'x-forwarded-for': sent.from ?? from,
      ...(sent.cookie ? { cookie: sent.cookie } : {}),
      ...(sent.token ? { authorization: `Bearer ${sent.token}` } : {}),
      ...sent.headers,
    },
    ...(sent.method === 'GET' || sent.method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { code?: string } & Record<string, unknown>;
  return {
    status: response.status,
    code: answer.code,
    body: answer,
    text,
    headers: [...response.headers.keys()].toSorted(),
    retryAfter: Number(response.headers.get('retry-after') ?? 0),
    cookies: response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? ''),
  };
}
export const login = (
  account: unknown,
  password: unknown,
  sent: Sent & { otp?: string } = {},
  to = console,
) => send(to, '/user/login', { account, password, ...(sent.otp !== undefined && { otp: sent.otp }) }, sent);
export const register = (
  email: string,
  password: string,
  organization = 'Elsewhere',
  to = console,
  sent: Sent = {},
) =>
  send(to, '/user/register', { email, name: 'Somebody', password, organization, agreeToTerms: true }, sent);

let people = 0;
/** A user created by the Admin, so that no address must be confirmed. */
export async function someone(
  password = userPassword,
  role: 'User' | 'Admin' | 'ReadOnly' = 'User',
): Promise<{ account: string; userId: string }> {
  const account = `person${++people}@customer.example`;
  const { user } = await console.ok(
    identity.createUser,
    {
      account,
      name: 'Somebody',
      role,
      ...(role !== 'Admin' && { organizationId: organizationId as never }),
      password,
    },
    { token: admin },
  );
  return { account, userId: user.id };
}
export const tokenOf = (came: Came): string => (came.body['data'] as { token: string }).token;
export const fieldCodes = (came: Came): unknown =>
  (came.body['errors'] as { field: string; code: string }[] | undefined)?.map(
    (error) => `${error.field} ${error.code}`,
  );
export const setMinimum = (to: TestConsole, length: number) =>
  storeSetting(to.app.database.kysely, minimumPasswordLength, length, to.clock.now(), 'test');
export const audit = async (
  action: string,
): Promise<{ subject: string | null; detail: Record<string, unknown> }[]> =>
  (
    await sql<{
      subject: string | null;
      detail: Record<string, unknown>;
    }>`select subject, detail from audit_log where action = ${action} order by id`.execute(
      console.app.database.kysely,
    )
  ).rows;

/** Starts both for the calling test file, with an Admin signed in and an unused address before each test. */
export function startSignInConsoles(): void {
  beforeAll(async () => {
    mailbox = await openMailbox();
    [console, plain] = await Promise.all([
      createTestConsole(undefined, { TRUST_PROXY: '127.0.0.1', SMTP_URL: mailbox.url }),
      createTestConsole(),
    ]);
    // Tests count the statements of single calls.
    await Promise.all([console, plain].map(({ app }) => stopRepeating(app)));
    admin = await setUp(console);
    await setUp(plain);
    await plain.ok(signin.register, {
      email: 'first@plain.example',
      name: 'First',
      password: userPassword,
      organization: 'Plain',
      agreeToTerms: true,
    });
    const made = await console.ok(signin.register, {
      email: 'founder@customer.example',
      name: 'Founder',
      password: userPassword,
      organization: 'Customer',
      agreeToTerms: true,
    });
    organizationId = made.user.organizationId ?? '';
  });
  atFileEnd(() => mailbox.close());
  beforeEach(async () => {
    from = fresh();
    // Tests move the clock, and an access token lasts 15 minutes.
    if (admin) admin = tokenOf(await login(adminAccount.account, adminAccount.password, { from: fresh() }));
  });
}

/** Sets up the second factor of a token's user. */
export async function enrol(token: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, uri } = await console.ok(signin.startTwoFactor, {}, { token });
  expect(uri).toMatch(/^otpauth:\/\/totp\/.*secret=/);
  const { recoveryCodes } = await console.ok(
    signin.confirmTwoFactor,
    { otp: await codeAt(secret, -1) },
    { token },
  );
  return { secret, recoveryCodes };
}
export const codeAt = (secret: string, steps = 0): Promise<string> =>
  generate({ secret, epoch: Math.floor(console.clock.now().getTime() / 1000) + steps * 30 });
