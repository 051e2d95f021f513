// Sessions and cookies under attack (reliability.md, section 2.B): one test per requirement, against the
// running console.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { signin } from '#features/access/signin/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  await registerUser(console, 'owner@one.example', 'One');
});

const json = { 'content-type': 'application/json' };
const api = (path: string, init: RequestInit = {}) => fetch(`${console.address}/api${path}`, init);
const cookieOf = (answer: Response, name = 'session'): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0]
    ?.slice(name.length + 1);

async function signIn(
  account = 'owner@one.example',
  headers: Record<string, string> = {},
): Promise<{ cookie: string; token: string; answer: Response }> {
  const answer = await api('/user/login', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ account, password: userPassword }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return { cookie: cookieOf(answer) ?? '', token: data.token, answer };
}
const continueWith = (cookie: string) => api('/user/session', { headers: { cookie: `session=${cookie}` } });
const profileWith = async (token: string) =>
  (await api('/user/profile', { headers: { authorization: `Bearer ${token}` } })).status;

describe('the session cookie', () => {
  it('2.B-25 is HttpOnly, SameSite strict and expires after 3 days; over TLS it is a Secure __Host- cookie (R-AUTH-10)', async () => {
    const { answer } = await signIn();
    const lines = answer.headers.getSetCookie();
    const session = lines.find((line) => line.startsWith('session='));
    expect(session).toMatch(/HttpOnly/i);
    expect(session).toMatch(/SameSite=Strict/i);
    expect(session).toMatch(/Path=\//i);
    for (const line of lines) {
      const end = /Expires=([^;]+)/i.exec(line)?.[1];
      const age = /Max-Age=(\d+)/i.exec(line)?.[1];
      const seconds =
        age === undefined
          ? (new Date(end ?? 0).getTime() - console.clock.now().getTime()) / 1000
          : Number(age);
      expect(seconds, line).toBeGreaterThan(0);
      expect(seconds, line).toBeLessThanOrEqual(3 * 86_400);
    }
    const secure = await createTestConsoleOverTls();
    const made = await fetch(`${secure.address}/api/user/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ account: 'owner@tls.example', password: userPassword }),
    });
    for (const line of made.headers.getSetCookie()) expect(line).toMatch(/Secure/i);
    expect(made.headers.getSetCookie().some((line) => line.startsWith('__Host-session='))).toBe(true);
  });

  it('2.B-27 the access token lasts 15 minutes', async () => {
    const { token } = await signIn();
    expect(await profileWith(token)).toBe(200);
    console.clock.advance(15 * 60_000 - 1000);
    expect(await profileWith(token)).toBe(200);
    console.clock.advance(2000);
    expect(await profileWith(token)).toBe(401);
  });

  it('2.B-28 is replaced at sign-in, whatever cookie was sent', async () => {
    const first = await signIn();
    const second = await signIn('owner@one.example', { cookie: `session=${first.cookie}` });
    expect(second.cookie).not.toBe(first.cookie);
    const planted = await signIn('owner@one.example', { cookie: 'session=planted-by-somebody' });
    expect(planted.cookie).not.toBe('planted-by-somebody');
    expect((await continueWith('planted-by-somebody')).status).toBe(401);
  });
});

describe('rotation of the session cookie', () => {
  it('2.B-31 happens at every use; the old one is accepted for 10 s, after that the whole session ends and is logged', async () => {
    const { cookie, token } = await signIn();
    const turned = await continueWith(cookie);
    const next = cookieOf(turned) ?? '';
    expect(turned.status).toBe(200);
    expect(next).not.toBe('');
    expect(next).not.toBe(cookie);
    console.clock.advance(9000);
    const inGrace = await continueWith(cookie);
    expect([inGrace.status, cookieOf(inGrace)]).toEqual([200, undefined]);
    console.clock.advance(2000);
    expect((await continueWith(cookie)).status).toBe(401);
    expect((await continueWith(next)).status).toBe(401);
    expect(await profileWith(token)).toBe(401);
    const { rows } = await sql<{
      count: bigint;
    }>`select count(*) from audit_log where action = 'identity.session_copied'`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.count).toBe(1n);
  });

  it('2.B-31 detects a copy that is several rotations old', async () => {
    const { cookie } = await signIn();
    let current = cookie;
    for (let renewal = 0; renewal < 3; renewal++) current = cookieOf(await continueWith(current)) ?? '';
    console.clock.advance(60_000);
    expect((await continueWith(cookie)).status).toBe(401);
    expect((await continueWith(current)).status).toBe(401);
  });

  it('2.B-32 gives one of 50 concurrent requests a new cookie, and each of them a token', async () => {
    const { cookie } = await signIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => continueWith(cookie)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 50 }, () => 200));
    const fresh = answers.map((answer) => cookieOf(answer)).filter((value) => value !== undefined);
    expect(fresh).toHaveLength(1);
    expect((await continueWith(fresh[0] ?? '')).status).toBe(200);
  });

  it('2.B-33 never extends the session beyond 3 days after sign-in (R-AUTH-10)', async () => {
    let { cookie } = await signIn();
    for (let hours = 0; hours < 71; hours++) {
      console.clock.advance(3_600_000);
      cookie = cookieOf(await continueWith(cookie)) ?? '';
      expect(cookie, `after ${hours} hours`).not.toBe('');
    }
    console.clock.advance(3_600_000);
    expect((await continueWith(cookie)).status).toBe(401);
  });
});

describe('the end of a session', () => {
  it('2.B-29 after sign-out neither cookie nor token is accepted (R-AUTH-12)', async () => {
    const { cookie, token } = await signIn();
    const out = await api('/user/logout', {
      method: 'POST',
      headers: { ...json, cookie: `session=${cookie}` },
      body: '{}',
    });
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie().find((line) => line.startsWith('session='))).toMatch(/session=;/);
    expect([await profileWith(token), (await continueWith(cookie)).status]).toEqual([401, 401]);
  });

  it('R-AUTH-13 a tab that is told of it does not delete the cookie of a newer sign-in in another tab', async () => {
    const { cookie } = await signIn();
    console.clock.advance(3 * 86_400_000 + 1000);
    const refused = await continueWith(cookie);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
  });

  it('2.B-29 signing out with a cookie that was rotated meanwhile ends the session, too', async () => {
    const { cookie, token } = await signIn();
    await continueWith(cookie);
    await api('/user/logout', {
      method: 'POST',
      headers: { ...json, cookie: `session=${cookie}` },
      body: '{}',
    });
    expect(await profileWith(token)).toBe(401);
  });

  it.each([
    ['deactivated', { status: 'inactive' }],
    ['given another role', { role: 'ReadOnly' }],
  ] as const)('2.B-30 a user who was %s is rejected at the next call', async (_what, change) => {
    const fresh = await adminToken();
    const { user } = await console.ok(
      identity.createUser,
      {
        account: `${Object.values(change)[0]}@one.example`.toLowerCase(),
        name: 'x',
        role: 'User',
        organizationId: (await console.ok(identity.listOrganizations, {}, { token: fresh })).items[0]?.id,
        password: userPassword,
      },
      { token: fresh },
    );
    const { cookie, token } = await signIn(user.account);
    expect(await profileWith(token)).toBe(200);
    await console.ok(identity.updateUser, { userId: user.id, ...change }, { token: fresh });
    expect([await profileWith(token), (await continueWith(cookie)).status]).toEqual([401, 401]);
  });

  it('2.B-34 own sessions are listed with device, address and last use, and can be ended', async () => {
    const here = await signIn('owner@one.example', { 'user-agent': 'Here/1.0' });
    const otherDevice = await signIn('owner@one.example', { 'user-agent': 'There/2.0' });
    const { items } = await console.ok(identity.sessions, {}, { token: here.token });
    expect(items.find((one) => one.current)).toMatchObject({ device: 'Here/1.0', address: '127.0.0.1' });
    const other = items.find((one) => one.device === 'There/2.0');
    await console.ok(identity.endSession, { sessionId: other?.id ?? ('' as never) }, { token: here.token });
    expect([await profileWith(otherDevice.token), await profileWith(here.token)]).toEqual([401, 200]);
  });
});

describe('cross-site requests', () => {
  it('2.B-35 a foreign Origin is rejected on every change and on every call that uses the cookie', async () => {
    const { cookie, token } = await signIn();
    for (const origin of [
      'https://evil.example',
      'null',
      `${console.address}.evil.example`,
      `https://evil.example/${console.address}`,
      'http://127.0.0.1:1',
    ]) {
      const headers = { ...json, origin, cookie: `session=${cookie}`, authorization: `Bearer ${token}` };
      expect((await api('/user/logout', { method: 'POST', headers, body: '{}' })).status, origin).toBe(403);
      expect((await api('/user/session', { headers })).status, origin).toBe(403);
      expect(
        (
          await api('/user/login', {
            method: 'POST',
            headers,
            body: '{"account":"a@b.example","password":"x"}',
          })
        ).status,
        origin,
      ).toBe(403);
      expect(
        (await api('/user/profile', { method: 'PATCH', headers, body: '{"name":"stolen"}' })).status,
        origin,
      ).toBe(403);
    }
    expect((await continueWith(cookie)).status).toBe(200);
    expect(
      (
        await api('/user/profile', {
          method: 'PATCH',
          headers: { ...json, origin: console.address, authorization: `Bearer ${token}` },
          body: '{"name":"mine"}',
        })
      ).status,
    ).toBe(200);
  });

  it('2.B-36 only JSON bodies are accepted', async () => {
    const body = '{"account":"a@b.example","password":"x"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
    ]) {
      const answer = await api('/user/login', {
        method: 'POST',
        headers: type === '' ? {} : { 'content-type': type },
        body: new Blob([body], { type: '' }),
      });
      expect(answer.status, type).toBe(415);
    }
  });

  it('2.B-37 GET never changes anything: the data is the same after calling every GET route', async () => {
    const fresh = await adminToken();
    const paths = console.routes
      .filter((line) => line.startsWith('GET /api'))
      .map((line) => line.slice(8))
      .filter((path) => path !== '/user/session');
    // Messages of earlier tests may still be in delivery, which changes rows.
    await expect
      .poll(
        async () =>
          (
            await sql`select 1 from outbox where sent_at is null and parked_at is null`.execute(
              console.app.database.kysely,
            )
          ).rows,
      )
      .toEqual([]);
    const before = await dataHash();
    for (const path of paths)
      await (
        await api(path.replace(/:(\w+)/g, 'x').replace('*', ''), {
          headers: { authorization: `Bearer ${fresh}` },
        })
      ).arrayBuffer();
    expect(paths.length).toBeGreaterThan(30);
    expect(await dataHash()).toBe(before);
  });

  it('2.B-39 no other origin may read responses', async () => {
    for (const origin of ['null', 'https://evil.example', `${console.address}.evil.example`]) {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await api('/system/status', {
          method,
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  it('2.B-40 methods cannot be overridden, and unknown ones are answered with 405', async () => {
    const { token } = await signIn();
    const headers = { ...json, authorization: `Bearer ${token}`, 'x-http-method-override': 'PATCH' };
    expect((await api('/user/profile?_method=PATCH', { headers })).status).toBe(400);
    const posted = await api('/user/profile', { method: 'POST', headers, body: '{"name":"smuggled"}' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, PATCH']);
    expect(
      (await api('/user/profile', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(405);
    expect((await console.ok(identity.profile, {}, { token })).name).not.toBe('smuggled');
  });

  it('2.B-41 no API response may be cached by a browser', async () => {
    const { token } = await signIn();
    for (const path of ['/user/profile', '/user/session', '/nothing', '/system/status', '/bills']) {
      expect(
        (await api(path, { headers: { authorization: `Bearer ${token}` } })).headers.get('cache-control'),
        path,
      ).toBe('no-store');
    }
  });
});

async function adminToken(): Promise<string> {
  if ((await profileWith(admin)) !== 200)
    ({ token: admin } = await console.ok(signin.login, {
      account: 'admin@cloud.example',
      password: 'a long enough passphrase',
    }));
  return admin;
}

/**
 * A digest of all rows of all tables, except the log of rejected calls, call counters and the console’s sign
 * of life.
 */
async function dataHash(): Promise<string> {
  const database = console.app.database.kysely;
  const { rows: tables } = await sql<{
    name: string;
  }>`select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit_log', 'audit_head', 'rate_window', 'console_process', 'last_write') order by 1`.execute(
    database,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{
      hash: string | null;
    }>`select md5(string_agg(t::text, E'\n' order by t::text)) as hash from ${sql.raw(name)} t`.execute(
      database,
    );
    parts.push(`${name} ${rows[0]?.hash ?? ''}`);
  }
  return parts.join('\n');
}

async function createTestConsoleOverTls(): Promise<TestConsole> {
  const secure = await createTestConsole(undefined, { PUBLIC_URL: 'https://console.example' });
  await setUp(secure);
  await registerUser(secure, 'owner@tls.example', 'TLS');
  return secure;
}
