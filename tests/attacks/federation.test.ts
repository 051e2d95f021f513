// Google's sign-in and linked accounts against a hostile provider: every wrong token and order of events
// (reliability.md 2.I).
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { readConfig } from '#platform/server/config.ts';
import { signInOrigins } from '#features/access/federation/server/index.ts';
import { federation } from '#features/access/federation/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { startHostileIdp } from '../support/hostile-idp.ts';
import { createTestConsole, registerUser, userPassword } from '../support/console.ts';
import { cookieOf, encodePart, startFederationTrial, type Answered } from '../support/federation.ts';

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
} = await startFederationTrial();

describe('Google: register first, then login (R-AUTH-04)', () => {
  it('registers with a new organization, then signs in, with the exact payloads', async () => {
    const sub = newSubject();
    const claims = { sub, email: `${sub}@gmail.com` };
    const registered = await googleRegister(await google(claims));
    expect([
      registered.status,
      registered.data.user.account,
      registered.data.user.role,
      registered.data.user.organization,
    ]).toEqual([201, `${sub}@gmail.com`, 'User', 'Google person']);
    expect(cookieOf(registered, 'session')).not.toBe('');
    const again = await google({ ...claims, jti: 'second' });
    expect(await googleRegister(again)).toMatchObject({ status: 409, code: 'federation.identity_known' });
    // The failed registration did not use up the token.
    const signedIn = await googleLogin(again);
    expect([signedIn.status, signedIn.data.user.id]).toEqual([200, registered.data.user.id]);
    expect((await audit('federation.login'))[0]?.subject).toBe(registered.data.user.id);
  });

  it('identifies accounts by issuer and subject, never by address (2.I-149)', async () => {
    const [one, other] = [newSubject(), newSubject()];
    const first = await googleRegister(await google({ sub: one, email: 'shared@gmail.com' }));
    const moved = await googleLogin(await google({ sub: one, email: 'renamed@gmail.com' }));
    expect(moved.data.user.id).toBe(first.data.user.id);
    expect(await googleLogin(await google({ sub: other, email: 'shared@gmail.com' }))).toMatchObject({
      status: 409,
      code: 'federation.link_required',
    });
    // The same subject of another issuer is another user.
    await expect(sso(await access({ sub: one }))).resolves.toMatchObject({
      status: 200,
      data: { user: { account: `${one}@harbour.example` } },
    });
  });

  it('rejects a registration without consent (2.I-153)', async () => {
    for (const agreeToTerms of [false, 'true', undefined, null])
      expect(
        (
          await send('POST', '/user/google-sso/register', {
            idToken: await google(),
            agreeToTerms,
            subscribeToNewsletter: false,
          })
        ).status,
      ).toBe(400);
  });

  it('rejects users who are not registered', async () =>
    expect(await googleLogin(await google())).toMatchObject({
      status: 404,
      code: 'federation.not_registered',
    }));

  it('accepts an ID token once, however its signature is encoded (2.I-148)', async () => {
    const sub = newSubject();
    const first = await google({ sub });
    expect((await googleRegister(first)).status).toBe(201);
    expect(await googleLogin(first)).toMatchObject({ status: 401, code: 'federation.token_used' });
    const last = first.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelt = first.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1];
    expect((await googleLogin(spelt)).status).toBe(401);
    const fresh = await google({ sub }, { kid: undefined });
    const both = await Promise.all(Array.from({ length: 6 }, () => googleLogin(fresh)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it('binds a nonce to the browser that requested it (2.I-137, 148)', async () => {
    const sub = newSubject();
    const nonceAnswer = await send('POST', '/user/google-sso/nonce', {});
    const cookie = cookieOf(nonceAnswer, 'google_nonce');
    expect(nonceAnswer.cookies.find((one) => one.startsWith('google_nonce='))).toMatch(
      /HttpOnly.*SameSite=Strict/i,
    );
    const { nonce } = nonceAnswer.data;
    expect(cookie).not.toContain(nonce);
    expect((await googleRegister(await google({ sub, nonce }))).status, 'nonce without cookie').toBe(401);
    expect((await googleRegister(await google({ sub }), cookie)).status, 'cookie without nonce').toBe(401);
    expect(
      (await googleRegister(await google({ sub, nonce: 'other' }), cookie)).status,
      'another nonce',
    ).toBe(401);
    const good = await googleRegister(await google({ sub, nonce }), cookie);
    expect(good.status).toBe(201);
    expect(good.cookies.some((one) => one.startsWith('google_nonce=;'))).toBe(true);
  });

  const now = () => seconds();
  test.each<[string, () => Record<string, unknown>, Record<string, unknown>]>([
    ['another issuer', () => ({ iss: 'https://accounts.google.com.evil.example' }), {}],
    ['the other provider as issuer', () => ({ iss: idp.issuer }), {}],
    ['another audience', () => ({ aud: 'someone-else' }), {}],
    ['several audiences without azp (2.I-147)', () => ({ aud: ['google-us', 'other'] }), {}],
    [
      'several audiences with another azp (2.I-147)',
      () => ({ aud: ['google-us', 'other'], azp: 'other' }),
      {},
    ],
    ['no exp (2.I-146)', () => ({ exp: undefined }), {}],
    ['no iat (2.I-146)', () => ({ iat: undefined }), {}],
    ['no sub (2.I-146)', () => ({ sub: undefined }), {}],
    ['exp past (2.I-146)', () => ({ iat: now() - 200, exp: now() - 61 }), {}],
    ['nbf in the future (2.I-146)', () => ({ nbf: now() + 120 }), {}],
    ['iat older than an hour (2.I-146)', () => ({ iat: now() - 3700, exp: now() + 600 }), {}],
    ['iat in the future', () => ({ iat: now() + 600, exp: now() + 1200 }), {}],
    ['older than five minutes without nonce', () => ({ iat: now() - 301 }), {}],
    ['an unverified address', () => ({ email_verified: false }), {}],
    ['an access token (2.I-142)', () => ({}), { typ: 'at+jwt' }],
    ['an unknown crit (2.I-147)', () => ({}), { crit: ['strange'], strange: 1 }],
    ['an unknown key (2.I-144)', () => ({}), { kid: 'nobody' }],
  ])('rejects %s', async (_name, claims, header) => {
    const answer = await googleRegister(await google(claims(), header));
    expect(answer.status).toBeOneOf([401, 403]);
    expect(answer.data).toBeNull();
    expect(answer.cookies).toEqual([]);
    expect((await audit('federation.refused'))[0]?.detail['source']).toBe('google');
  });

  it('rejects alg none, HS256 with the public key, and keys embedded in a token (2.I-141, 143)', async () => {
    const claims = {
      iss: 'https://accounts.google.com',
      aud: 'google-us',
      sub: newSubject(),
      email: 'x@gmail.com',
      email_verified: true,
      iat: seconds(),
      exp: seconds() + 600,
    };
    const none = `${encodePart({ alg: 'none', typ: 'JWT' })}.${encodePart(claims)}.`;
    const hs = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(await idp.publicPem()));
    const other = await startHostileIdp(() => console.clock.now());
    const { keys } = (await (await fetch(`${other.issuer}/jwks`)).json()) as { keys: { kid: string }[] };
    const brought = await other.sign(claims, {
      typ: 'JWT',
      jwk: keys[0],
      jku: `${other.issuer}/jwks`,
      x5u: `${other.issuer}/jwks`,
      kid: keys[0]?.kid,
    });
    for (const token of [none, hs, brought, `${none}x`])
      expect((await googleRegister(token)).status).toBe(401);
    expect(other.asked.get('/jwks')).toBe(1);
    await other.end();
  });

  it('never accepts its own tokens as Google’s, nor the reverse (2.I-142)', async () => {
    expect((await googleLogin(await admin())).status).toBe(401);
    expect((await sso(await admin())).status).toBe(401);
    expect((await console.call(identity.profile, {}, { token: await google() })).status).toBe(401);
    expect((await console.call(identity.profile, {}, { token: await access() })).status).toBe(401);
  });
});

describe('an existing account with the same address (2.I-150, 152)', () => {
  /** A user registers with a password; then Google reports the same address. */
  const meet = async (
    claims: Record<string, unknown> = {},
  ): Promise<{ email: string; sub: string; userId: string; refused: Answered; cookie: string }> => {
    const sub = newSubject();
    const email = `${sub}@gmail.com`;
    const { userId } = await registerUser(console, email, 'Met');
    expect(await googleRegister(await google({ sub, email, ...claims }))).toMatchObject({
      status: 409,
      code: 'federation.account_known',
    });
    const refused = await googleLogin(await google({ sub, email, ...claims }, { extra: 1 }));
    return { email, sub, userId, refused, cookie: cookieOf(refused, 'link_ticket') };
  };
  const confirm = (cookie: string, password = userPassword) =>
    send('POST', '/user/external-identities/confirm', { password }, { cookie });

  it('is linked once, after its owner entered the password, and signed in', async () => {
    const { sub, userId, refused, cookie } = await meet();
    expect(refused).toMatchObject({ status: 409, code: 'federation.link_required' });
    expect(refused.cookies.find((one) => one.startsWith('link_ticket='))).toMatch(
      /HttpOnly.*SameSite=Strict/i,
    );
    expect(await confirm(cookie, 'not the password')).toMatchObject({
      status: 422,
      code: 'federation.proof_wrong',
    });
    const linked = await confirm(cookie);
    expect([linked.status, linked.data.user.id]).toEqual([200, userId]);
    expect(await confirm(cookie)).toMatchObject({ status: 410, code: 'federation.ticket_gone' });
    expect((await googleLogin(await google({ sub }))).data.user.id).toBe(userId);
    expect((await audit('federation.link'))[0]).toMatchObject({
      subject: userId,
      detail: { source: 'google' },
    });
  });

  it('with a passkey needs a recovery code besides the password, like login', async () => {
    const { userId, cookie } = await meet();
    const code = '0123456789abcdef';
    await sql`insert into passkey (id, user_id, credential_id, public_key, counter, transports, name, created_at) values ('psk_01hzzzzzzzzzzzzzzzzzzzzzzz', ${userId}, 'linked', '\\x00', 0, '{}', 'Laptop', now())`.execute(
      console.app.database.kysely,
    );
    await sql`insert into recovery_code (user_id, hash) values (${userId}, sha256(${code}::text::bytea))`.execute(
      console.app.database.kysely,
    );
    const withCode = (otp: string) =>
      send('POST', '/user/external-identities/confirm', { password: userPassword, otp }, { cookie });
    expect(await confirm(cookie)).toMatchObject({ status: 422, code: 'signin.otp_required', cookies: [] });
    expect(await withCode('fedcba9876543210')).toMatchObject({
      status: 422,
      code: 'federation.proof_wrong',
    });
    expect((await withCode(code)).data.user.id).toBe(userId);
  });

  it('that an attacker registered first cannot capture the Google user (pre-hijacking), nor the reverse', async () => {
    // The attacker registers the victim's address with their own password; then the victim signs in with
    // Google.
    const { userId, refused, cookie, sub, email } = await meet();
    expect(refused.status).toBe(409);
    expect(refused.cookies.some((one) => one.startsWith('session='))).toBe(false);
    expect((await confirm(cookie, 'the victim does not know it')).status).toBe(422);
    expect(
      (await console.ok(identity.getUser, { userId: userId as never }, { token: await admin() })).account,
    ).toBe(email);
    expect((await googleLogin(await google({ sub, email }))).code).toBe('federation.link_required');
    // The other way round: the victim has a Google account here, and the attacker cannot register the
    // address.
    const second = newSubject();
    expect((await googleRegister(await google({ sub: second }))).status).toBe(201);
    const attempt = await send('POST', '/user/register', {
      email: `${second}@gmail.com`,
      name: 'Attacker',
      password: userPassword,
      organization: 'Evil',
      agreeToTerms: true,
    });
    expect(attempt.status).not.toBe(500);
    const login = await send('POST', '/user/login', {
      account: `${second}@gmail.com`,
      password: userPassword,
    });
    expect(login.status).toBe(401);
  });

  it('is not offered for linking where Google is not the authority for the address', async () => {
    const sub = newSubject();
    await registerUser(console, `${sub}@harbour.example`, 'Met');
    expect(await googleLogin(await google({ sub, email: `${sub}@harbour.example` }))).toMatchObject({
      status: 409,
      code: 'federation.account_known',
      cookies: [],
    });
    expect(
      await googleLogin(await google({ sub, email: `${sub}@harbour.example`, hd: 'harbour.example' })),
    ).toMatchObject({ code: 'federation.link_required' });
    expect(
      (
        await googleLogin(
          await google({
            sub,
            email: `${sub}@harbour.example`,
            hd: 'harbour.example',
            email_verified: false,
          }),
        )
      ).status,
    ).toBe(403);
  });

  it('is linked only by a proof for this account (2.I-152), within ten minutes and five attempts', async () => {
    const [first, other] = [await meet(), await meet()];
    expect((await confirm(first.cookie)).data.user.id).toBe(first.userId);
    expect((await googleLogin(await google({ sub: other.sub, email: other.email }))).code).toBe(
      'federation.link_required',
    );
    const late = await meet();
    pass(10 * 60 + 1);
    expect((await confirm(late.cookie)).status).toBe(410);
    const guessed = await meet();
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await confirm(guessed.cookie, 'guess')).status).toBe(422);
    expect((await confirm(guessed.cookie)).status).toBe(410);
    expect((await confirm('link_ticket=made-up-made-up-made-up')).status).toBe(410);
    expect((await confirm('')).status).toBe(410);
  });

  it('if deactivated, is only told that it cannot sign in', async () => {
    const sub = newSubject();
    const { data } = await googleRegister(await google({ sub }));
    await console.ok(
      identity.updateUser,
      { userId: data.user.id as never, status: 'inactive' },
      { token: await admin() },
    );
    const answer = await googleLogin(await google({ sub }, { extra: 2 }));
    expect([answer.status, answer.code, answer.cookies]).toEqual([401, 'federation.account_inactive', []]);
  });
});

describe('linked accounts in the profile', () => {
  it('can be added while signed in after entering the password, listed and removed, except the last way to sign in', async () => {
    const { token } = await registerUser(console, `${newSubject()}@own.example`, 'Own');
    const sub = newSubject();
    const idToken = await google({ sub });
    expect(
      await send('POST', '/user/external-identities', { source: 'google', token: idToken }, { token }),
    ).toMatchObject({ status: 422, code: 'federation.proof_wrong' });
    const linked = await send(
      'POST',
      '/user/external-identities',
      { source: 'google', token: idToken, password: userPassword },
      { token },
    );
    expect(linked.status).toBe(201);
    expect((await googleLogin(idToken)).code, 'a token that linked is used').toBe('federation.token_used');
    // A bad token must not be answered like an expired session.
    expect(
      await send(
        'POST',
        '/user/external-identities',
        { source: 'google', token: idToken, password: userPassword },
        { token },
      ),
    ).toMatchObject({ status: 422, code: 'federation.token_used' });
    const other = await registerUser(console, `${newSubject()}@own.example`, 'Other');
    expect(
      await send(
        'POST',
        '/user/external-identities',
        { source: 'google', token: await google({ sub, jti: 'other' }), password: userPassword },
        { token: other.token },
      ),
    ).toMatchObject({ status: 409, code: 'federation.identity_known' });
    expect(
      await send('DELETE', `/user/external-identities/${linked.data.id}`, undefined, { token: other.token }),
    ).toMatchObject({ status: 404, code: 'federation.identity_not_found' });
    expect((await send('GET', '/user/external-identities', undefined, { token })).data.items).toMatchObject([
      { id: linked.data.id, source: 'google' },
    ]);
    expect(
      (await send('DELETE', `/user/external-identities/${linked.data.id}`, undefined, { token })).status,
    ).toBe(200);
    const { data } = await googleRegister(await google());
    const { items } = (await send('GET', '/user/external-identities', undefined, { token: data.token })).data;
    expect(
      await send('DELETE', `/user/external-identities/${items[0]?.id}`, undefined, { token: data.token }),
    ).toMatchObject({ status: 409, code: 'federation.last_way_in' });
  });
});

describe('notifications to owners', () => {
  it('are e-mailed at each link and unlink', async () => {
    const mailing = await createTestConsole(console.clock.now(), {
      GOOGLE_CLIENT_ID: 'google-us',
      GOOGLE_JWKS_URL: `${idp.issuer}/jwks`,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    const made = await mailing.ok(federation.googleRegister, {
      idToken: await google({ email: 'first@gmail.com' }),
      agreeToTerms: true,
      subscribeToNewsletter: false,
    });
    const linked = await mailing.ok(
      federation.linkIdentity,
      { source: 'google', token: await google({ email: 'second@gmail.com' }) },
      { token: made.token },
    );
    await mailing.ok(federation.unlinkIdentity, { identityId: linked.id }, { token: made.token });
    const { rows } = await sql<{
      payload: { to: string; subject: string; text: string };
    }>`select payload from outbox where kind = 'mail' order by id`.execute(mailing.app.database.kysely);
    expect(
      rows.map(({ payload }) => [payload.to, payload.subject.startsWith('Your sign-in changed')]),
    ).toEqual(Array.from({ length: 2 }, () => ['first@gmail.com', true]));
    expect(rows.map(({ payload }) => payload.text.includes('second@gmail.com'))).toEqual([true, true]);
    expect(rows.map(({ payload }) => payload.text.includes('unlinked'))).toEqual([false, true]);
  });
});

describe('secrets and settings', () => {
  it('no token is written into the audit log (2.I-155)', async () => {
    const token = await access();
    await sso(token);
    await sso(`${token}x`);
    const { rows } = await sql<{
      found: bigint;
    }>`select count(*) as found from audit_log where detail::text like '%eyJ%' or subject like '%eyJ%'`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.found).toBe(0n);
  });

  it('providers that are not configured are not offered, and their pages not served', async () => {
    const plain = await createTestConsole();
    const json = { 'content-type': 'application/json' };
    const ask = async (path: string, body?: object) => {
      const response = await fetch(
        `${plain.address}/api${path}`,
        body ? { method: 'POST', headers: json, body: JSON.stringify(body) } : {},
      );
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    const absent = [404, 'federation.not_configured'];
    expect(await ask('/user/sso', { accessToken: 'x' })).toEqual(absent);
    expect(await ask('/user/sso?accessToken=x')).toEqual(absent);
    expect(await ask('/user/google-sso/login', { idToken: 'x' })).toEqual(absent);
    expect(
      await ask('/user/google-sso/register', {
        idToken: 'x',
        agreeToTerms: true,
        subscribeToNewsletter: false,
      }),
    ).toEqual(absent);
    expect(await ask('/user/google-sso/nonce', {})).toEqual(absent);
    expect(signInOrigins(plain.app.config)).toEqual({
      script: [],
      style: [],
      connect: [],
      frame: [],
      framed: [],
      popups: false,
    });
  });

  it.each([
    ['http://id.example', 'OIDC_ISSUER'],
    ['https://user:secret@id.example', 'OIDC_ISSUER'],
    ['https://id.example/#x', 'OIDC_ISSUER'],
  ])('the console does not start with the issuer %s', (issuer, name) => {
    expect(() => readConfig({ DATA_DIR: '/tmp', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'console' })).toThrow(
      name,
    );
  });

  it('browsers get the list of providers without secrets', async () => {
    const { data } = await send('GET', '/user/federation');
    expect(data).toEqual({
      google: { clientId: 'google-us', scriptUrl: 'https://accounts.google.com/gsi/client' },
      oidc: {
        issuer: idp.issuer,
        clientId: 'console',
        scope: 'openid profile email api offline_access',
        hosts: [],
      },
    });
  });
});

describe('2.A-12 the shared rate limiter', () => {
  it('slows down an address that keeps sending invalid tokens', async () => {
    const answers: number[] = [];
    for (let attempt = 0; attempt < 30; attempt++) {
      const answer = await fetch(`${console.address}/api/user/google-sso/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ idToken: `e30.e30.${attempt}` }),
      });
      answers.push(answer.status);
    }
    expect(answers.slice(0, 5)).not.toContain(429);
    expect(answers.at(-1)).toBe(429);
  });
});
