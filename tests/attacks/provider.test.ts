// Sign-in through a hostile provider: its access tokens, claims, keys and documents (reliability.md 2.I,
// F16).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { movableClock } from '#platform/server/clock.ts';
import { readConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { createTestDatabase } from '../support/database.ts';
import { identity } from '#features/access/identity/contract.ts';
import { allowAdminSetting, defaultRoleSetting } from '#features/access/federation/server/index.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { startOn } from '#app/server.ts';
import { cookieOf, encodePart, startFederationTrial, trialStart } from '../support/federation.ts';

const trial = await startFederationTrial();
const {
  console,
  idp,
  admin,
  send,
  newSubject,
  google,
  googleLogin,
  googleRegister,
  access,
  sso,
  seconds,
  pass,
  audit,
} = trial;
const requestsTo = (path: string): number => idp.asked.get(path) ?? 0;

describe('access tokens of the provider (R-AUTH-05)', () => {
  it('sign in a new member of a new organization, who is recognized the next time', async () => {
    const sub = newSubject();
    const first = await sso(await access({ sub }), '/usage/statistics?from=2026-01');
    expect([
      first.status,
      first.data.user.role,
      first.data.user.organization,
      first.data.redirectUrl,
    ]).toEqual([200, 'User', 'Harbour', '/usage/statistics?from=2026-01']);
    expect(cookieOf(first, 'session')).not.toBe('');
    const second = await sso(await access({ sub }));
    expect(second.data.user.id).toBe(first.data.user.id);
    const profile = await console.ok(identity.profile, {}, { token: second.data.token });
    expect(profile.account).toBe(`${sub}@harbour.example`);
    const colleague = await sso(await access());
    expect(colleague.data.user.organization).toBe('Harbour');
  });

  it('are also accepted by the form-post endpoint, without changing the browser’s session', async () => {
    const token = await access();
    const answer = await send(
      'GET',
      `/user/sso?${new URLSearchParams({ accessToken: token, redirectUrl: '//evil.example' }).toString()}`,
    );
    expect([answer.status, answer.data.redirectUrl, answer.cookies]).toEqual([200, '/', []]);
    expect((await console.call(identity.profile, {}, { token: answer.data.token })).status).toBe(200);
  });

  const now = () => seconds();
  test.each<[string, () => Record<string, unknown>, Record<string, unknown>]>([
    ['another issuer', () => ({ iss: 'https://accounts.google.com' }), {}],
    ['an extra slash in the issuer', () => ({ iss: `${idp.issuer}/` }), {}],
    ['another client’s token (2.I-139)', () => ({ client_id: 'other' }), {}],
    ['another client’s token for our audience (2.I-139)', () => ({ client_id: undefined, azp: 'other' }), {}],
    ['an unknown audience', () => ({ client_id: undefined, aud: 'urn:other' }), {}],
    [
      'several audiences without azp (2.I-147)',
      () => ({ client_id: undefined, aud: ['console', 'other'] }),
      {},
    ],
    ['an ID token (2.I-142)', () => ({ client_id: undefined, scope: undefined, nonce: 'x' }), { typ: 'JWT' }],
    [
      'an ID token without nonce (2.I-142)',
      () => ({ client_id: undefined, scope: undefined }),
      { typ: 'JWT' },
    ],
    ['a logout token', () => ({}), { typ: 'logout+jwt' }],
    ['no exp (2.I-146)', () => ({ exp: undefined }), {}],
    ['no iat (2.I-146)', () => ({ iat: undefined }), {}],
    ['exp past (2.I-146)', () => ({ iat: now() - 200, exp: now() - 61 }), {}],
    ['nbf in the future (2.I-146)', () => ({ nbf: now() + 120 }), {}],
    ['iat older than an hour (2.I-146)', () => ({ iat: now() - 3700, exp: now() + 600 }), {}],
    ['an unknown crit (2.I-147)', () => ({}), { crit: ['strange'], strange: 1 }],
    ['an unknown key (2.I-144)', () => ({}), { kid: 'nobody' }],
  ])('are rejected: %s', async (_name, claims, header) => {
    const answer = await sso(await access(claims(), header));
    expect([answer.status, answer.code, answer.data, answer.cookies]).toEqual([
      401,
      'federation.token_refused',
      null,
      [],
    ]);
    expect((await audit('federation.refused'))[0]?.detail['source']).toBe('oidc');
  });

  it('are rejected without subject (2.I-146)', async () => {
    const token = await idp.sign({ aud: 'console', client_id: 'console', scope: 'api' });
    expect((await sso(token)).status).toBe(401);
  });

  it('are rejected with alg none and HS256 with the public key (2.I-141)', async () => {
    const claims = {
      iss: idp.issuer,
      aud: 'console',
      client_id: 'console',
      sub: 'x',
      iat: seconds(),
      exp: seconds() + 600,
    };
    const none = `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${encodePart(claims)}.`;
    const hs = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from(await idp.publicPem()));
    for (const token of [none, hs]) expect((await sso(token)).status).toBe(401);
  });

  it('are rejected if user-info has another subject or rejects the token (2.I-140)', async () => {
    const token = await access();
    idp.answers.userInfo = () => ({
      body: { sub: 'somebody-else', email: 'x@harbour.example', email_verified: true },
    });
    expect(await sso(token)).toMatchObject({ status: 401, code: 'federation.token_refused' });
    idp.answers.userInfo = () => ({ body: { email: 'x@harbour.example' } });
    expect((await sso(token)).status).toBe(401);
    idp.answers.userInfo = () => ({ status: 401, body: {} });
    expect((await sso(token)).status).toBe(401);
  });

  it('if opaque are accepted only by introspection, for this audience and while active (2.I-139)', async () => {
    const sub = newSubject();
    idp.answers.userInfo = () => ({ body: { sub, email: `${sub}@harbour.example` } });
    const answer = {
      active: true,
      sub,
      client_id: 'console',
      exp: seconds() + 600,
      iss: idp.issuer,
      token_type: 'Bearer',
    };
    for (const wrong of [
      { active: false },
      { active: 'true' },
      { client_id: 'other' },
      { exp: seconds() - 61 },
      { exp: undefined },
      { iss: 'https://other.example' },
      { sub: '' },
      { token_type: 'refresh_token' },
      { client_id: undefined },
    ]) {
      idp.answers.introspection = () => ({ body: { ...answer, ...wrong } });
      expect((await sso('opaque-token')).status, JSON.stringify(wrong)).toBe(401);
    }
    idp.answers.introspection = () => ({ status: 401, body: { error: 'invalid_client' } });
    expect((await sso('opaque-token')).status).toBe(401);
    idp.answers.introspection = () => ({ body: answer });
    expect((await sso('opaque-token')).status).toBe(200);
  });

  it('if opaque are rejected where introspection is not for this audience, because user-info does not confirm it', async () => {
    idp.answers.discovery = (document) => ({
      body: { ...document, introspection_endpoint_auth_methods_supported: ['client_secret_basic'] },
    });
    idp.answers.userInfo = () => ({ body: { sub: 'x', email: 'x@harbour.example' } });
    pass(11 * 60);
    expect(await sso('opaque-token')).toMatchObject({ status: 401, code: 'federation.token_refused' });
  });
});

describe('roles from claims', () => {
  const as = async (sub: string, claims: object) => {
    const token = await access({ sub });
    idp.answers.userInfo = () => ({
      body: {
        sub,
        email: `${sub}@harbour.example`,
        email_verified: true,
        organization: 'Harbour',
        ...claims,
      },
    });
    return sso(token);
  };
  const set = <T>(setting: Parameters<typeof storeSetting<T>>[1], value: T) =>
    storeSetting(console.app.database.kysely, setting, value, console.clock.now(), 'test');

  it('are mapped exactly, applied again at each sign-in, and end the sessions of users whose role changed', async () => {
    const sub = newSubject();
    const reader = await as(sub, { role: 'ReadOnly' });
    expect(reader.data.user.role).toBe('ReadOnly');
    const user = await as(sub, { role: 'User', organization: 'Dock' });
    expect([user.data.user.id, user.data.user.role, user.data.user.organization]).toEqual([
      reader.data.user.id,
      'User',
      'Dock',
    ]);
    expect((await console.call(identity.profile, {}, { token: reader.data.token })).status).toBe(401);
    expect((await as(newSubject(), { role: 'admin' })).data.user.role).toBe('User');
    expect((await as(newSubject(), {})).data.user.role).toBe('User');
    await set(defaultRoleSetting, 'refuse');
    expect(await as(newSubject(), { role: 'root' })).toMatchObject({
      status: 403,
      code: 'federation.role_refused',
    });
    await set(defaultRoleSetting, 'User');
  });

  it('include Admin only if the operator allows it, and never remove the last Admin', async () => {
    const sub = newSubject();
    expect(await as(sub, { role: 'Admin' })).toMatchObject({ status: 403, code: 'federation.role_refused' });
    await set(allowAdminSetting, true);
    const made = await as(sub, { role: 'Admin' });
    expect([made.data.user.role, made.data.user.organization]).toEqual(['Admin', null]);
    const first = await console.ok(identity.profile, {}, { token: await admin() });
    await sql`update app_user set status = 'inactive' where id = ${first.id}`.execute(
      console.app.database.kysely,
    );
    expect((await as(sub, { role: 'User' })).data.user.role).toBe('Admin');
    await sql`update app_user set status = 'active' where id = ${first.id}`.execute(
      console.app.database.kysely,
    );
    expect((await as(sub, { role: 'User' })).data.user.role).toBe('User');
    await set(allowAdminSetting, false);
  });

  it('do not change role and organization of a linked account', async () => {
    const sub = newSubject();
    const { userId } = await registerUser(console, `${sub}@harbour.example`, 'Own');
    const refused = await as(sub, { role: 'ReadOnly' });
    expect(refused.code).toBe('federation.link_required');
    await send(
      'POST',
      '/user/external-identities/confirm',
      { password: userPassword },
      { cookie: cookieOf(refused, 'link_ticket') },
    );
    const linked = await as(sub, { role: 'ReadOnly' });
    expect([linked.data.user.id, linked.data.user.role, linked.data.user.organization]).toEqual([
      userId,
      'User',
      'Own',
    ]);
  });

  it('need an address that the provider does not call unverified, and only a verified one is linked', async () => {
    expect((await as(newSubject(), { email_verified: false })).code).toBe('federation.email_unverified');
    expect((await as(newSubject(), { email: undefined })).code).toBe('federation.email_unverified');
    const sub = newSubject();
    await registerUser(console, `${sub}@harbour.example`, 'Own');
    expect(await as(sub, { email_verified: undefined })).toMatchObject({
      code: 'federation.account_known',
      cookies: [],
    });
  });
});

describe('signing out (2.I-158)', () => {
  it('cannot be triggered from another site', async () => {
    const signedIn = await sso(await access());
    const cookie = cookieOf(signedIn, 'session');
    const forged = await fetch(`${console.address}/api/user/logout`, {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example' },
    });
    const image = await fetch(`${console.address}/api/user/logout`, { headers: { cookie } });
    expect([forged.status, image.status]).toEqual([403, 405]);
    expect((await console.call(identity.profile, {}, { token: signedIn.data.token })).status).toBe(200);
  });
});

describe('the log (2.I-155)', () => {
  it('contains no token, whatever happens to it', async () => {
    const lines: string[] = [];
    const database = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'skytally-test-'));
    const config = readConfig({
      NODE_ENV: 'test',
      DATA_DIR: dataDir,
      PORT: '0',
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: 'console',
    });
    const running = await startOn(database.connection, config, {
      log: createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } }),
      clock: movableClock(console.clock.now()),
      webDirectory: Promise.resolve(undefined),
    });
    const good = await access();
    const foreign = await access({ client_id: 'other' });
    const ask = async (method: 'GET' | 'POST', accessToken: string) =>
      (
        await fetch(
          `${running.address}/api/user/sso${method === 'GET' ? `?accessToken=${accessToken}` : ''}`,
          {
            method,
            ...(method === 'POST'
              ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ accessToken }) }
              : {}),
          },
        )
      ).status;
    expect([await ask('GET', foreign), await ask('POST', foreign), await ask('POST', `${good}x`)]).toEqual([
      401, 401, 401,
    ]);
    idp.answers.userInfo = () => ({ status: 500 });
    expect([await ask('GET', good), await ask('POST', good)]).toEqual([503, 503]);
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
    expect(lines.join('')).toContain('a sign-in provider does not answer as it should');
    for (const token of [good, foreign])
      for (const part of token.split('.')) expect(lines.join('')).not.toContain(part);
  });
});

describe('keys and discovery documents (F16)', () => {
  it('an unknown key is looked up once, not once per token (2.I-144)', async () => {
    await sso(await access());
    const before = requestsTo('/jwks');
    pass(61);
    const token = await access({}, { kid: 'nobody' });
    const tokens = await Promise.all(
      Array.from({ length: 40 }, (_, index) => access({}, { kid: `nobody-${index}` })),
    );
    const answers = await Promise.all([token, ...tokens].map((one) => sso(one)));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(requestsTo('/jwks') - before).toBeLessThanOrEqual(1);
  });

  it('a new key is accepted within a minute, and a removed one rejected (2.I-145)', async () => {
    const old = await access();
    expect((await sso(old)).status).toBe(200);
    await idp.rotate();
    pass(61);
    expect((await sso(await access())).status).toBe(200);
    expect((await sso(old)).status).toBe(401);
  });

  it('known keys stay in use for a day while the provider is down, with at most one request every 5 s', async () => {
    const sub = newSubject();
    expect((await googleRegister(await google({ sub }))).status).toBe(201);
    idp.answers.jwks = () => ({ status: 500 });
    pass(23 * 3600);
    const before = requestsTo('/jwks');
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await googleLogin(await google({ sub, jti: attempt }))).status).toBe(200);
    expect(requestsTo('/jwks') - before).toBe(1);
    pass(2 * 3600);
    expect(await googleLogin(await google({ sub }))).toMatchObject({
      status: 503,
      code: 'federation.google_unavailable',
    });
    // Password sign-in is not affected.
    expect(await signIn(console, adminAccount.account, adminAccount.password)).not.toBe('');
    idp.answers.jwks = trial.honest.jwks;
    pass(6);
    expect((await googleLogin(await google({ sub }))).status).toBe(200);
  });

  test.each<
    [
      string,
      (document: Record<string, unknown>) => {
        status?: number;
        body?: unknown;
        headers?: Record<string, string>;
      },
    ]
  >([
    ['names another issuer', (document) => ({ body: { ...document, issuer: 'https://evil.example' } })],
    [
      'names its issuer with an extra slash',
      (document) => ({ body: { ...document, issuer: `${String(document['issuer'])}/` } }),
    ],
    [
      'has its token endpoint on another host',
      (document) => ({ body: { ...document, token_endpoint: 'https://evil.example/token' } }),
    ],
    [
      'has its keys on another host',
      (document) => ({ body: { ...document, jwks_uri: 'https://evil.example/jwks' } }),
    ],
    [
      'has its user-info on another host',
      (document) => ({ body: { ...document, userinfo_endpoint: 'http://127.0.0.1:1/me' } }),
    ],
    ['has no keys', (document) => ({ body: { ...document, jwks_uri: undefined } })],
    ['answers 500', () => ({ status: 500 })],
    ['answers 404', () => ({ status: 404 })],
    ['answers 203', (document) => ({ status: 203, body: document })],
    ['redirects elsewhere', () => ({ status: 302, headers: { location: 'https://evil.example/' } })],
    ['is not JSON', () => ({ body: '<html>' })],
    ['is a list', () => ({ body: [] })],
    ['is too large', (document) => ({ body: { ...document, padding: 'x'.repeat(300_000) } })],
  ])('a discovery document that %s is an error (2.I-138)', async (_name, answer) => {
    const fresh = await freshConsole();
    idp.answers.discovery = answer;
    const response = await fetch(`${fresh.address}/api/user/sso`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessToken: await access() }),
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      503,
      'federation.provider_unavailable',
    ]);
  });

  it('a provider that never responds times out after five seconds, and password sign-in does not wait for it', async () => {
    const fresh = await freshConsole();
    idp.answers.discovery = () => new Promise(() => undefined);
    const signingIn = fetch(`${fresh.address}/api/user/sso`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessToken: await access() }),
    });
    const password = fetch(`${fresh.address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'nobody@own.example', password: userPassword }),
    });
    const first = await Promise.race([signingIn.then(() => 'provider'), password.then(() => 'password')]);
    expect([first, (await password).status, (await signingIn).status]).toEqual(['password', 401, 503]);
  });

  let oneFresh: TestConsole | undefined;
  /** A console that has requested no document yet, or whose failed request was long ago. */
  async function freshConsole(): Promise<TestConsole> {
    oneFresh ??= await createTestConsole(trialStart, { OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: 'console' });
    oneFresh.clock.set(new Date(console.clock.now()));
    return oneFresh;
  }
});
