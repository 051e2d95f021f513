// Attacks on second factors, links and the audit log of sign-in, over HTTP against whole consoles
// (reliability.md, section 2.A).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { adminAccount, userPassword } from '../support/console.ts';
import {
  admin,
  audit,
  codeAt,
  console,
  enrol,
  fieldCodes,
  fresh,
  login,
  mailbox,
  send,
  someone,
  startSignInConsoles,
  tokenOf,
} from '../support/sign-in.ts';

startSignInConsoles();

describe('second factors', () => {
  it('2.A-17 a code is valid once, one step early or late, and five wrong ones start a wait (R-AUTH-18)', async () => {
    const { account, userId } = await someone();
    const token = tokenOf(await login(account, userPassword));
    const { secret } = await enrol(token);
    expect((await console.ok(identity.profile, {}, { token })).twoFactor).toBe(true);
    expect(await login(account, userPassword)).toMatchObject({
      status: 401,
      code: 'login.otp_required',
      cookies: [],
    });
    // The code that confirmed the setup is used up.
    expect(await login(account, userPassword, { otp: await codeAt(secret, -1) })).toMatchObject({
      status: 401,
      code: 'login.otp_wrong',
    });
    const now = await codeAt(secret);
    expect((await login(account, userPassword, { otp: now })).status).toBe(200);
    expect((await login(account, userPassword, { otp: now })).status).toBe(401);
    expect((await login(account, userPassword, { otp: await codeAt(secret, 1) })).status).toBe(200);
    expect((await login(account, userPassword, { otp: await codeAt(secret, 2) })).status).toBe(401);
    console.clock.advance(90_000);
    expect((await login(account, userPassword, { otp: await codeAt(secret, -1) })).status).toBe(200);
    expect((await login(account, 'not the password', { otp: await codeAt(secret) })).code).toBe(
      'login.incorrect',
    );
    const guesses: number[] = [];
    for (let round = 0; round < 7; round++)
      guesses.push((await login(account, userPassword, { otp: '000000', from: fresh() })).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    console.clock.advance(60_000);
    const otp = await codeAt(secret);
    const parallel = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await login(account, userPassword, { otp, from: fresh() })).status,
      ),
    );
    expect(parallel.filter((status) => status === 200)).toHaveLength(1);
    // The seed is in no response and not readable in the database.
    const { rows } = await sql<{
      seed: Buffer;
    }>`select seed from authenticator where user_id = ${userId}`.execute(console.app.database.kysely);
    expect(rows[0]?.seed.toString('latin1')).not.toContain(secret);
    expect(
      JSON.stringify([
        await console.ok(signin.twoFactor, {}, { token }),
        await console.ok(identity.getUser, { userId: userId as never }, { token: admin }),
      ]),
    ).not.toContain(secret);
    expect((await console.call(signin.startTwoFactor, {}, { token })).status).toBe(409);
  });

  it('2.A-18 recovery codes are stored hashed and work once; removing the last factor turns two-factor sign-in off', async () => {
    const { account, userId } = await someone();
    const token = tokenOf(await login(account, userPassword));
    const { secret, recoveryCodes } = await enrol(token);
    expect(new Set(recoveryCodes).size).toBe(10);
    const { rows } = await sql<{
      hash: Buffer;
    }>`select hash from recovery_code where user_id = ${userId}`.execute(console.app.database.kysely);
    expect(rows).toHaveLength(10);
    expect(
      rows.every(
        (row) =>
          row.hash.length === 32 &&
          !recoveryCodes.some((code) => row.hash.toString('latin1').includes(code.replaceAll('-', ''))),
      ),
    ).toBe(true);
    const [first = '', second = ''] = recoveryCodes;
    const uses = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await login(account, userPassword, { otp: first.toUpperCase() })).status,
      ),
    );
    expect(uses.filter((status) => status === 200)).toHaveLength(1);
    console.clock.advance(60_000);
    expect((await login(account, userPassword, { otp: first })).status).toBe(401);
    expect((await console.ok(signin.twoFactor, {}, { token })).recoveryCodes).toBe(9);
    console.clock.advance(60_000);
    // New codes replace the old ones; both this and removal need a proof of identity.
    expect((await console.call(signin.renewRecoveryCodes, { otp: '000000' }, { token })).status).toBe(422);
    console.clock.advance(60_000);
    const renewed = await console.ok(signin.renewRecoveryCodes, { otp: await codeAt(secret) }, { token });
    expect((await login(account, userPassword, { otp: second })).status).toBe(401);
    expect((await console.call(signin.removeTwoFactor, { otp: '000000' }, { token })).status).toBe(422);
    console.clock.advance(60_000);
    await console.ok(signin.removeTwoFactor, { otp: renewed.recoveryCodes[3] ?? '' }, { token });
    expect((await console.ok(identity.profile, {}, { token })).twoFactor).toBe(false);
    // Each change was e-mailed to the account's owner.
    await expect
      .poll(
        () =>
          new Set(
            mailbox.letters
              .filter((letter) => letter.to === account && letter.subject.startsWith('您的登入方式已變更'))
              .map((letter) => letter.messageId),
          ).size,
      )
      .toBe(3);
    expect(await console.ok(signin.twoFactor, {}, { token })).toEqual({
      authenticator: false,
      passkeys: 0,
      recoveryCodes: 0,
    });
    expect((await login(account, userPassword)).status).toBe(200);
  });

  it('an Admin removes those of a user who lost them: sessions end, the codes stop working, the user is notified; never their own (R-AUTH-18)', async () => {
    const { account, userId } = await someone();
    const token = tokenOf(await login(account, userPassword));
    const { recoveryCodes } = await enrol(token);
    const from = (as: string) =>
      console.call(signin.removeFactors, { userId: userId as never }, { token: as });
    const helper = tokenOf(await login(adminAccount.account, adminAccount.password));
    expect((await from(token)).status).toBe(403);
    expect((await from(helper)).status).toBe(200);
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    expect((await login(account, userPassword, { otp: recoveryCodes[0] ?? '', from: fresh() })).status).toBe(
      200,
    );
    expect(
      await console.ok(signin.twoFactor, {}, { token: tokenOf(await login(account, userPassword)) }),
    ).toEqual({ authenticator: false, passkeys: 0, recoveryCodes: 0 });
    expect(
      (await console.ok(identity.getUser, { userId: userId as never }, { token: helper })).twoFactor,
    ).toBe(false);
    const removalMails = () =>
      mailbox.letters.filter(
        (letter) => letter.to === account && letter.text.includes('管理員移除了您的驗證器'),
      );
    await expect.poll(() => removalMails()).toHaveLength(1);
    expect((await audit('signin.removeFactors')).filter((row) => row.subject === userId)).toMatchObject([
      { detail: { factors: 1 } },
    ]);
    // A repeat changes nothing and sends no e-mail.
    expect((await from(helper)).status).toBe(200);
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from outbox where payload::text like ${'%security_factors_removed%'}`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.count ?? 0).toBeLessThanOrEqual(1);
    const { id } = await console.ok(identity.profile, {}, { token: helper });
    expect((await console.call(signin.removeFactors, { userId: id }, { token: helper })).envelope.code).toBe(
      'signin.own_factors',
    );
  });

  it('cannot be managed by a user with read-only access', async () => {
    const { account } = await someone(userPassword, 'ReadOnly');
    const token = tokenOf(await login(account, userPassword));
    for (const path of ['/user/two-factor', '/user/passkeys/options'])
      expect((await send(console, path, {}, { token })).status).toBe(403);
  });
});

describe('password reset', () => {
  it("2.A-19 the mailed link has 256 random bits, lasts 15 minutes, works once, ends all sessions, and never uses the request's host", async () => {
    const { account, userId } = await someone();
    const token = tokenOf(await login(account, userPassword));
    const { secret } = await enrol(token);
    const ask = async () => {
      const before = mailbox.linkFor(account);
      await send(
        console,
        '/user/password-reset',
        { account },
        { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } },
      );
      await expect.poll(() => mailbox.linkFor(account)).not.toBe(before);
      return mailbox.linkFor(account) ?? '';
    };
    const late = await ask();
    expect(late).toMatch(/#token=[\w-]{43}$/);
    expect(late.startsWith(`${console.app.address()}/password-reset#`)).toBe(true);
    const storedTexts = await sql<{
      text: string;
    }>`select concat(encode(hash, 'escape'), user_id) as text from account_link union all select payload::text from outbox where sent_at is not null`.execute(
      console.app.database.kysely,
    );
    expect(storedTexts.rows.length).toBeGreaterThan(0);
    expect(storedTexts.rows.some((row) => row.text.includes(late.split('#token=')[1] ?? ''))).toBe(false);
    console.clock.advance(15 * 60_000 + 1000);
    const choose = (link: string, password = 'the newly chosen passphrase') =>
      send(console, '/user/password-reset/confirm', { token: link.split('#token=')[1], password });
    expect(await choose(late)).toMatchObject({ status: 422, code: 'signin.link_invalid' });

    const link = await ask();
    // A rejected password does not use up the link.
    expect(fieldCodes(await choose(link, 'password12345'))).toEqual(['password identity.password_common']);
    const uses = await Promise.all(Array.from({ length: 5 }, () => choose(link)));
    expect(uses.map((came) => came.status).toSorted()).toEqual([200, 422, 422, 422, 422]);
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    expect((await login(account, userPassword)).code).toBe('login.incorrect');
    // The second factor stays on.
    expect((await login(account, 'the newly chosen passphrase')).code).toBe('login.otp_required');
    expect((await login(account, 'the newly chosen passphrase', { otp: await codeAt(secret) })).status).toBe(
      200,
    );
    await expect
      .poll(() =>
        mailbox.letters.some(
          (letter) => letter.to === account && letter.subject.startsWith('您的密碼已變更'),
        ),
      )
      .toBe(true);
    expect((await audit('signin.resetPassword')).some((row) => row.subject === userId)).toBe(true);
  });

  it("an Admin's link is returned once, ends the user's sessions immediately and lasts a day", async () => {
    const { account, userId } = await someone();
    const token = tokenOf(await login(account, userPassword));
    const { link, expiresAt } = await console.ok(
      signin.resetForUser,
      { userId: userId as never },
      { token: admin },
    );
    expect(expiresAt.getTime() - console.clock.now().getTime()).toBe(24 * 3_600_000);
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    expect((await login(account, userPassword)).code).toBe('login.incorrect');
    expect(
      (
        await send(console, '/user/password-reset/confirm', {
          token: link.split('#token=')[1],
          password: 'chosen by the user alone',
        })
      ).status,
    ).toBe(200);
    expect((await login(account, 'chosen by the user alone')).status).toBe(200);
    expect(
      (
        await console.call(
          signin.resetForUser,
          { userId: 'usr_00000000000000000000000000' as never },
          { token: admin },
        )
      ).status,
    ).toBe(404);
  });

  it('2.A-20 users cannot change their account name themselves', async () => {
    const { account } = await someone();
    const token = tokenOf(await login(account, userPassword));
    expect(
      (
        await send(
          console,
          '/user/profile',
          { account: 'other@customer.example' },
          { token, method: 'PATCH' },
        )
      ).status,
    ).toBe(400);
  });

  it('2.A-21 changing the password needs the old one and ends the other sessions', async () => {
    const { account, userId } = await someone();
    const [mine, other] = [
      tokenOf(await login(account, userPassword)),
      tokenOf(await login(account, userPassword)),
    ];
    expect(
      await send(
        console,
        '/user/password',
        { current: 'not the old one', next: 'the passphrase after it' },
        { token: mine },
      ),
    ).toMatchObject({ status: 422, code: 'signin.password_wrong' });
    expect(
      (
        await send(
          console,
          '/user/password',
          { current: userPassword, next: 'the passphrase after it' },
          { token: mine },
        )
      ).status,
    ).toBe(200);
    expect((await console.call(identity.profile, {}, { token: other })).status).toBe(401);
    expect((await console.call(identity.profile, {}, { token: mine })).status).toBe(200);
    expect((await login(account, userPassword)).status).toBe(401);
    expect((await audit('signin.changePassword')).at(-1)?.subject).toBe(userId);
  });
});

describe('the audit log', () => {
  it('has a row for each sign-in and rejection, and never contains what was typed as an account', async () => {
    const { userId, account } = await someone();
    await login(account, userPassword);
    await login(account, 'not the password');
    await login('my-secret-password-by-mistake', 'x');
    expect(
      (await audit('signin.login')).findLast((row) => row.subject === userId)?.detail['factors'],
    ).toEqual(['password']);
    expect((await audit('signin.refused')).findLast((row) => row.subject === userId)?.detail).toEqual({
      way: 'password',
      reason: 'password',
      address: expect.any(String) as string,
    });
    const { rows } = await sql<{
      text: string;
    }>`select concat(subject, detail::text) as text from audit_log union all select key from attempt`.execute(
      console.app.database.kysely,
    );
    expect(rows.some((row) => row.text.includes('my-secret-password'))).toBe(false);
    expect(
      (await audit('signin.refused')).some((row) => typeof row.detail['waitUntil'] === 'string'),
      'the failure after which somebody waits says so',
    ).toBe(true);
  });
});
