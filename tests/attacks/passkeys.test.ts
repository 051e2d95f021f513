// Attacks on passkeys, over HTTP against a whole console (reliability.md, section 2.A; R-AUTH-18).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { userPassword } from '../support/console.ts';
import { TestAuthenticator, type Forgery } from '../support/authenticator.ts';
import {
  admin,
  audit,
  console,
  fresh,
  login,
  send,
  someone,
  startSignInConsoles,
  tokenOf,
  type Came,
} from '../support/sign-in.ts';

startSignInConsoles();

const browserOf = (came: Came): string => came.cookies.find((cookie) => cookie.startsWith('passkey=')) ?? '';
const optionsOf = (came: Came) => came.body['data'] as Record<string, unknown>;

/** A user with a passkey. */
async function owner() {
  const person = await someone();
  const token = tokenOf(await login(person.account, userPassword));
  const device = new TestAuthenticator();
  const options = await send(console, '/user/passkeys/options', {}, { token });
  const made = await send(
    console,
    '/user/passkeys',
    { name: 'laptop', credential: device.make(optionsOf(options)) },
    { token, cookie: browserOf(options) },
  );
  return { ...person, token, device, made };
}
const loginOptions = () => send(console, '/user/passkey-login/options', {});
async function enter(device: TestAuthenticator, forged: Forgery = {}): Promise<Came> {
  const options = await loginOptions();
  return send(
    console,
    '/user/passkey-login',
    { credential: device.sign(optionsOf(options), forged) },
    { cookie: browserOf(options), from: fresh() },
  );
}

describe('passkeys', () => {
  it('are two factors by themselves; the first one adds recovery codes, and the password alone is no longer enough', async () => {
    const { account, userId, token, device, made } = await owner();
    expect(made.status).toBe(201);
    const { passkey, recoveryCodes } = made.body['data'] as {
      passkey: { id: string; name: string };
      recoveryCodes: string[];
    };
    expect(passkey.name).toBe('laptop');
    expect(recoveryCodes).toHaveLength(10);
    expect((await console.ok(identity.profile, {}, { token })).twoFactor).toBe(true);
    expect((await enter(device)).status).toBe(200);
    expect(
      (await audit('signin.login')).findLast((row) => row.subject === userId)?.detail['factors'],
    ).toEqual(['passkey']);
    expect((await login(account, userPassword)).code).toBe('login.otp_required');
    expect((await login(account, userPassword, { otp: recoveryCodes[0] ?? '' })).status).toBe(200);
    // Another user cannot delete it; when its owner does, the second factor and the codes are deleted, too.
    const other = await someone();
    const otherToken = tokenOf(await login(other.account, userPassword));
    expect(
      (await console.call(signin.removePasskey, { passkeyId: passkey.id as never }, { token: otherToken }))
        .status,
    ).toBe(404);
    expect(
      (
        await send(
          console,
          `/user/passkeys/${passkey.id}`,
          { name: 'mine now' },
          { token: otherToken, method: 'PATCH' },
        )
      ).status,
    ).toBe(404);
    await console.ok(signin.removePasskey, { passkeyId: passkey.id as never }, { token });
    expect((await enter(device)).status).toBe(401);
    expect((await login(account, userPassword)).status).toBe(200);
    expect(await console.ok(signin.twoFactor, {}, { token })).toEqual({
      authenticator: false,
      passkeys: 0,
      recoveryCodes: 0,
    });
  });

  it.each<[string, Forgery]>([
    ['made for another origin', { origin: 'https://evil.example' }],
    ['made for a look-alike origin', { origin: 'http://localhost.evil.example' }],
    ['of another site', { site: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['of another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['with a counter that went back', { counter: 1 }],
  ])('a signature %s is rejected', async (_what, forged) => {
    const { device } = await owner();
    for (let round = 0; round < 3; round++) expect((await enter(device)).status).toBe(200);
    expect(await enter(device, forged)).toMatchObject({
      status: 401,
      code: 'signin.passkey_refused',
      cookies: ['passkey='],
    });
    expect((await enter(device, { counter: 50 })).status, 'the honest one still opens').toBe(200);
  });

  it('a challenge is valid once, for five minutes, in the same browser and for the same purpose', async () => {
    const { device, token } = await owner();
    const signIn = (options: Came, cookie: string) =>
      send(
        console,
        '/user/passkey-login',
        { credential: device.sign(optionsOf(options)) },
        { cookie, from: fresh() },
      );
    const once = await loginOptions();
    const credential = device.sign(optionsOf(once));
    const twice = await Promise.all(
      Array.from({ length: 4 }, () =>
        send(console, '/user/passkey-login', { credential }, { cookie: browserOf(once), from: fresh() }),
      ),
    );
    expect(twice.map((came) => came.status).toSorted()).toEqual([200, 401, 401, 401]);
    const options = await loginOptions();
    expect((await signIn(options, browserOf(await loginOptions()))).status).toBe(401);
    expect((await signIn(options, '')).status).toBe(401);
    const late = await loginOptions();
    console.clock.advance(5 * 60_000 + 1000);
    expect((await signIn(late, browserOf(late))).status).toBe(401);
    const forMaking = await send(console, '/user/passkeys/options', {}, { token });
    expect((await signIn(forMaking, browserOf(forMaking))).status).toBe(401);
    // The database holds only digests.
    const last = await loginOptions();
    const { rows } = await sql<{
      hash: Buffer;
      browser_hash: Buffer;
    }>`select hash, browser_hash from passkey_challenge`.execute(console.app.database.kysely);
    const storedDigests = rows.flatMap((row) => [
      row.hash.toString('base64url'),
      row.browser_hash.toString('base64url'),
    ]);
    expect(storedDigests.length).toBeGreaterThan(0);
    expect(storedDigests).not.toContain(optionsOf(last)['challenge']);
    expect(storedDigests).not.toContain(browserOf(last).slice('passkey='.length));
  });

  it("a passkey cannot be registered with somebody else's challenge, twice, or unverified", async () => {
    const { device, token } = await owner();
    const other = await someone();
    const theirToken = tokenOf(await login(other.account, userPassword));
    const add = async (by: TestAuthenticator, requester: string, adder: string, forged: Forgery = {}) => {
      const options = await send(console, '/user/passkeys/options', {}, { token: requester });
      return send(
        console,
        '/user/passkeys',
        { name: 'x', credential: by.make(optionsOf(options), forged) },
        { token: adder, cookie: browserOf(options) },
      );
    };
    expect(await add(new TestAuthenticator(), token, theirToken)).toMatchObject({
      status: 422,
      code: 'signin.passkey_invalid',
    });
    expect(await add(new TestAuthenticator(), theirToken, theirToken, { isVerified: false })).toMatchObject({
      status: 422,
    });
    expect(
      await add(new TestAuthenticator(), theirToken, theirToken, { origin: 'https://evil.example' }),
    ).toMatchObject({ status: 422 });
    expect(await add(device, theirToken, theirToken)).toMatchObject({
      status: 409,
      code: 'signin.passkey_known',
    });
    expect((await console.ok(signin.listPasskeys, {}, { token: theirToken })).items).toEqual([]);
  });

  it("a deactivated user's passkey does not sign in", async () => {
    const { device, userId } = await owner();
    await console.ok(identity.updateUser, { userId: userId as never, status: 'inactive' }, { token: admin });
    expect((await enter(device)).status).toBe(401);
  });
});
