// Attacks on sign-in, over HTTP against whole consoles (reliability.md, section 2.A): passwords, enumeration,
// guessing.
import { Worker } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';
import pg from 'pg';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { adminAccount, userPassword } from '../support/console.ts';
import {
  admin,
  console,
  enrol,
  fieldCodes,
  fresh,
  login,
  mailbox,
  organizationId,
  plain,
  register,
  send,
  setMinimum,
  someone,
  startSignInConsoles,
  tokenOf,
  type Came,
  type Sent,
} from '../support/sign-in.ts';

startSignInConsoles();

describe('passwords', () => {
  it('2.A-1 a password below the minimum length is rejected at its field; the minimum is a setting, and 8 is enough with a second factor', async () => {
    expect(fieldCodes(await register('short@new.example', 'elevenchars'))).toEqual([
      'password identity.password_too_short',
    ]);
    await setMinimum(console, 20);
    expect(fieldCodes(await register('short@new.example', 'nineteen characters'))).toEqual([
      'password identity.password_too_short',
    ]);
    expect((await console.ok(signin.passwordRules, {})).minimum).toBe(20);
    const { account } = await someone('a passphrase of more than twenty');
    const token = tokenOf(await login(account, 'a passphrase of more than twenty'));
    expect(
      fieldCodes(
        await send(
          console,
          '/user/password',
          { current: 'a passphrase of more than twenty', next: 'eightlong' },
          { token },
        ),
      ),
    ).toEqual(['next identity.password_too_short']);
    await enrol(token);
    expect(
      fieldCodes(
        await send(
          console,
          '/user/password',
          { current: 'a passphrase of more than twenty', next: 'xk7vqpz' },
          { token },
        ),
      ),
    ).toEqual(['next identity.password_too_short']);
    expect(
      (
        await send(
          console,
          '/user/password',
          { current: 'a passphrase of more than twenty', next: 'xk7vqpzw' },
          { token },
        )
      ).status,
    ).toBe(200);
    await setMinimum(console, 12);
  });

  it('2.A-2 64 and 128 characters, spaces and emoji are accepted; more than 1,024 bytes are not', async () => {
    const long = (length: number): string =>
      Array.from({ length }, (_, index) => 'a quick brown fox jumps 7 times over'[(index * 7) % 36]).join('');
    for (const password of [long(64), long(128), 'words with  spaces between', '🦊🐢 over the 🌉 at 🌃 go']) {
      const { account } = await someone(password);
      expect((await login(account, password)).status).toBe(200);
    }
    // Fewer than 1,024 characters, but more bytes.
    for (const password of [`${long(1023)}é`, '密碼字詞'.repeat(86), long(5000)]) {
      expect(await register('bytes@new.example', password)).toMatchObject({
        status: 400,
        code: 'platform.invalid',
      });
      expect((await login(adminAccount.account, password)).status).toBe(400);
    }
  });

  it('2.A-3 two passwords with the same first 72 bytes are different', async () => {
    const start = 'the first seventy-two bytes of this password are the same, whatever comes';
    expect(Buffer.byteLength(start)).toBeGreaterThan(72);
    const { account } = await someone(`${start} one`);
    expect((await login(account, `${start} two`)).status).toBe(401);
    expect((await login(account, `${start} one`)).status).toBe(200);
  });

  it('2.A-4 no character classes are required', async () => {
    for (const password of [
      'qmvxtrhwpkzndjgb',
      '73914682057139',
      '天地玄黃宇宙洪荒日月盈昃',
      'QMVXTRHWPKZN',
    ]) {
      const { account } = await someone(password);
      expect((await login(account, password)).status, password).toBe(200);
    }
  });

  it('2.A-5 common passwords of sufficient length are rejected, also with digits appended; so are the owner’s name and address', async () => {
    const create = async (password: string, name = 'Somebody', account = 'new.person@customer.example') =>
      console.call(
        identity.createUser,
        { account, name, role: 'User', organizationId: organizationId as never, password },
        { token: admin },
      );
    const long = dictionary['passwords-common'].filter((entry) => entry.length >= 12);
    expect(long.length).toBeGreaterThan(250);
    for (const entry of long) {
      for (const password of [entry, `${entry.toUpperCase()}1!`]) {
        expect((await create(password)).envelope.errors?.[0]?.code, password).toBe(
          'identity.password_common',
        );
      }
    }
    for (const password of [
      'password2024!',
      '!!!Dragon12345',
      'monkeymonkey',
      'aaaaaaaaaaaa',
      'abcabcabcabcabc',
      '            ',
      'abcdefghijklm',
      'zyxwvutsrqpo',
    ]) {
      expect((await create(password)).envelope.errors?.[0]?.code, password).toMatch(/common/);
    }
    for (const password of [
      'Skytally-2026!',
      'skytallyskytally',
      'new.person 1234',
      'newperson12345!',
      'Accountant 1999',
    ]) {
      expect((await create(password, 'Accountant Tester')).envelope.errors?.[0]?.code, password).toBe(
        'identity.password_guessable',
      );
    }
    expect(
      fieldCodes(await register('someone@new.example', 'Formosa-Textiles-1', 'Formosa Textiles')),
    ).toEqual(['password identity.password_guessable']);
    // A long phrase may contain any name.
    expect((await create('skytally counts my clouds nightly')).status).toBe(201);
  });

  it('2.A-6 the composed and the decomposed Unicode form of a password both sign in', async () => {
    const password = 'Zürich Fußweg 한국어 é';
    const { account } = await someone(password.normalize('NFC'));
    expect((await login(account, password.normalize('NFD'))).status).toBe(200);
    expect((await login(account, password.normalize('NFC'))).status).toBe(200);
  });
});

/**
 * The statements of a call (without values) and the number of its hashes. All calls are passed on unchanged.
 */
async function stepsOf(call: () => Promise<unknown>): Promise<{ statements: string[]; hashes: number }> {
  const statements: string[] = [];
  const real = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const text =
      typeof args[0] === 'string' ? args[0] : ((args[0] as { text?: string } | undefined)?.text ?? '');
    // Background work (jobs, outbox, session reviews, the console’s sign of life) queries its tables
    // meanwhile, and settings are reloaded every few seconds.
    if (!/\bjob\.|outbox|pgboss|console_process|^--hot settings|^select asked\.id from/.test(text))
      statements.push(text.replace(/\s+/g, ' '));
    return real.apply(this, args);
  } as never);
  // Hashes are computed in worker threads, so the messages to them are counted.
  const threads = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    await call();
    return {
      statements,
      hashes: threads.mock.calls.filter(
        ([task]) => typeof task === 'object' && task !== null && 'text' in task,
      ).length,
    };
  } finally {
    spy.mockRestore();
    threads.mockRestore();
  }
}

describe('responses do not reveal whether an account exists', () => {
  it('2.A-7, 2.A-24 unknown account, wrong password and deactivated user: same status, body and header names', async () => {
    const known = await someone();
    const gone = await someone();
    await console.ok(
      identity.updateUser,
      { userId: gone.userId as never, status: 'inactive' },
      { token: admin },
    );
    const answers = [
      await login('nobody@nowhere.example', userPassword),
      await login(known.account, 'not the password'),
      await login(gone.account, userPassword),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, code: 'login.incorrect' });
      expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
      expect(answer.headers).toEqual(answers[0]?.headers);
      expect(answer.cookies).toEqual([]);
    }
  });

  it('2.A-8 and the same work: one hash and the same statements in the same order', async () => {
    const known = await someone();
    const gone = await someone();
    await console.ok(
      identity.updateUser,
      { userId: gone.userId as never, status: 'inactive' },
      { token: admin },
    );
    await login('warm@up.example', 'the password of nobody');
    const unknown = await stepsOf(() => login('nobody2@nowhere.example', userPassword));
    expect(unknown.hashes).toBe(1);
    expect(unknown.statements.length).toBeGreaterThanOrEqual(3);
    expect(await stepsOf(() => login(known.account, 'not the password'))).toEqual(unknown);
    expect(await stepsOf(() => login(gone.account, userPassword))).toEqual(unknown);
    expect(
      await stepsOf(() => login(known.account, 'not the password', { cookie: 'device=planted' })),
    ).toEqual(unknown);
  });

  it('2.A-9 registering with a known e-mail is answered like an unknown one, computes as many hashes, and its owner is e-mailed', async () => {
    const known = await someone();
    let first: Came | undefined;
    let second: Came | undefined;
    const unknownSteps = await stepsOf(async () => {
      first = await register('quite.new@new.example', 'a passphrase for the new one');
    });
    const knownSteps = await stepsOf(async () => {
      second = await register(known.account, 'a passphrase for the new one');
    });
    expect(first).toMatchObject({ status: 201 });
    expect(second).toMatchObject({ status: 201, headers: first?.headers });
    const shape = (came: Came | undefined) =>
      Object.entries((came?.body['data'] as { user: object } | undefined)?.user ?? {}).map(
        ([name, value]) => [
          name,
          typeof value,
          ['id', 'account', 'organizationId'].includes(name) ? '' : value,
        ],
      );
    expect(shape(second)).toEqual(shape(first));
    expect(JSON.stringify(second?.body)).not.toContain(known.userId);
    expect(knownSteps.hashes).toBe(2);
    expect(unknownSteps.hashes).toBe(2);
    expect(Math.abs(knownSteps.statements.length - unknownSteps.statements.length)).toBeLessThanOrEqual(2);
    await expect
      .poll(() =>
        mailbox.letters.some(
          (letter) => letter.to === known.account && letter.subject === '有人使用您的電子郵件註冊',
        ),
      )
      .toBe(true);
    // The owner can sign in as before.
    expect((await login(known.account, userPassword)).status).toBe(200);
    expect((await login(known.account, 'a passphrase for the new one')).status).toBe(401);
  });

  it('2.A-9 requesting a password reset is answered the same for everybody', async () => {
    const known = await someone();
    const answers = [
      await send(console, '/user/password-reset', { account: known.account }),
      await send(console, '/user/password-reset', { account: 'nobody@nowhere.example' }),
    ];
    expect(answers[0]).toMatchObject({ status: 202, body: { data: null } });
    expect(answers[1]).toEqual(answers[0]);
    await expect.poll(() => mailbox.linkFor(known.account)).toBeDefined();
    expect(mailbox.letters.some((letter) => letter.to === 'nobody@nowhere.example')).toBe(false);
    // Requests of several users at one moment all succeed; one user gets at most three e-mails an hour.
    const many = await Promise.all([someone(), someone(), someone(), someone()]);
    await Promise.all(many.map(({ account }) => send(console, '/user/password-reset', { account })));
    await expect.poll(() => many.filter(({ account }) => mailbox.linkFor(account) === undefined)).toEqual([]);
    const lettersOf = (account: string) => mailbox.letters.filter((letter) => letter.to === account).length;
    const [first] = many;
    for (const wanted of [2, 3, 3]) {
      await send(console, '/user/password-reset', { account: first?.account });
      const marker = await someone();
      await send(console, '/user/password-reset', { account: marker.account });
      await expect.poll(() => mailbox.linkFor(marker.account)).toBeDefined();
      await expect.poll(() => lettersOf(first?.account ?? '')).toBe(wanted);
    }
  });

  it('a registered account signs in only after using the mailed link; until then it is answered like a wrong password', async () => {
    const email = 'to.confirm@new.example';
    const wrong = await login('nobody@nowhere.example', userPassword);
    expect((await register(email, 'the passphrase of mine')).status).toBe(201);
    const before = await login(email, 'the passphrase of mine');
    expect({ ...before.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    await expect.poll(() => mailbox.linkFor(email)).toBeDefined();
    const [address, secret] = (mailbox.linkFor(email) ?? '').split('#token=');
    expect(address).toBe(`${console.app.address()}/verify-email`);
    expect((await send(console, '/user/verify-email', { token: secret })).status).toBe(200);
    expect(await send(console, '/user/verify-email', { token: secret })).toMatchObject({
      status: 422,
      code: 'signin.link_invalid',
    });
    expect((await login(email, 'the passphrase of mine')).status).toBe(200);
  });

  it("registering somebody else's e-mail first gains nothing (pre-hijacking)", async () => {
    const email = 'victim@new.example';
    await register(email, 'the attacker knows this', 'Attackers');
    await expect.poll(() => mailbox.linkFor(email)).toBeDefined();
    const firstLink = mailbox.linkFor(email);
    await register(email, 'the victim alone knows this', 'Victims', console, { from: fresh() });
    await expect.poll(() => mailbox.linkFor(email)).not.toBe(firstLink);
    expect(
      (await send(console, '/user/verify-email', { token: firstLink?.split('#token=')[1] })).status,
    ).toBe(422);
    const secret = mailbox.linkFor(email)?.split('#token=')[1];
    expect(
      (
        await send(console, '/user/password-reset/confirm', {
          token: secret,
          password: 'the victim alone knows this',
        })
      ).status,
    ).toBe(200);
    expect((await login(email, 'the attacker knows this')).status).toBe(401);
    expect((await login(email, 'the victim alone knows this')).status).toBe(200);
  });
});

describe('guessing passwords', () => {
  it('2.A-10 the wait grows after 5 failures from any address, and at most 100 in a row are possible per day', async () => {
    const { account } = await someone();
    const waits: number[] = [];
    let taken = 0;
    for (let round = 0; round < 400 && waits.at(-1) !== 86_400; round++) {
      const came = await login(account, 'not the password', { from: fresh() });
      if (came.status === 401) {
        taken++;
        continue;
      }
      expect(came).toMatchObject({ status: 429, code: 'signin.wait' });
      waits.push(came.retryAfter);
      console.clock.advance(Math.min(came.retryAfter, 86_000) * 1000);
    }
    expect(waits.slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(taken).toBe(100);
    expect((await login(account, userPassword, { from: fresh() })).status).toBe(429);
    // The block is never permanent.
    console.clock.advance(400_000);
    expect((await login(account, userPassword, { from: fresh() })).status).toBe(200);
  });

  it('2.A-11 during an attack on an account its owner can sign in with a known browser, even from a blocked address', async () => {
    const { account } = await someone();
    const device =
      (await login(account, userPassword, { from: fresh() })).cookies.find((cookie) =>
        cookie.startsWith('device='),
      ) ?? '';
    expect(device).toMatch(/^device=[\w-]{43}$/);
    for (let round = 0; round < 30; round++)
      await login(round % 2 ? account : `spray${round}@nowhere.example`, 'not the password');
    expect((await login(account, userPassword, { from: fresh() })).status, 'the account waits').toBe(429);
    expect((await login(adminAccount.account, adminAccount.password)).status, 'the address waits').toBe(429);
    expect((await login(account, userPassword, { cookie: device })).status).toBe(200);
    // The cookie grants no access, has its own counter, and is not valid for other accounts.
    const other = await someone();
    expect((await login(other.account, userPassword, { cookie: device })).status).toBe(429);
    const guesses = [];
    for (let round = 0; round < 8; round++)
      guesses.push((await login(account, 'not the password', { cookie: device })).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const { rows } = await sql<{ hash: Buffer }>`select hash from known_device`.execute(
      console.app.database.kysely,
    );
    expect(rows.some((row) => row.hash.toString('base64url') === device.slice(7))).toBe(false);
  });

  it('2.A-12 one limiter covers every way to sign in', async () => {
    const { account } = await someone();
    const token = tokenOf(await login(account, userPassword));
    for (let round = 0; round < 20; round++)
      await login(`everywhere${round}@nowhere.example`, 'not the password');
    const credential = {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
    };
    const ways: [string, unknown, Sent?][] = [
      ['/user/login', { account, password: userPassword }],
      [
        '/user/register',
        { email: 'x@new.example', name: 'X', password: userPassword, organization: 'X', agreeToTerms: true },
      ],
      ['/user/password-reset', { account }],
      ['/user/password-reset/confirm', { token: 'x'.repeat(43), password: userPassword }],
      ['/user/verify-email', { token: 'x'.repeat(43) }],
      ['/user/passkey-login', { credential }],
      ['/user/password', { current: userPassword, next: 'another passphrase still' }, { token }],
      ['/user/two-factor/confirm', { otp: '123456' }, { token }],
    ];
    for (const [path, body, sent] of ways)
      expect(await send(console, path, body, sent), path).toMatchObject({ status: 429, code: 'signin.wait' });
    expect(
      (await send(console, '/user/login', { account, password: userPassword })).retryAfter,
    ).toBeGreaterThan(0);
  });

  it.each([
    ['one after the other', 1],
    ['fifty at once', 50],
  ])(
    '2.A-13 one password tried on many accounts from one address is stopped after 20, %s',
    async (_how, width) => {
      const statuses: number[] = [];
      for (let round = 0; round < 500; round += width) {
        statuses.push(
          ...(
            await Promise.all(
              Array.from({ length: width }, (_, index) =>
                login(`sprayed${width}-${round + index}@nowhere.example`, 'Summer of 2026 !'),
              ),
            )
          ).map((came) => came.status),
        );
      }
      expect(statuses).toHaveLength(500);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
      expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
      // A successful sign-in does not reset the failures of the address; 15 minutes without failures halve
      // them.
      console.clock.advance(16 * 60_000);
      expect((await login(adminAccount.account, adminAccount.password)).status).toBe(200);
      const again: number[] = [];
      for (let round = 0; round < 15; round++)
        again.push((await login(`later${width}-${round}@nowhere.example`, 'Summer of 2026 !')).status);
      expect(again).toContain(429);
    },
  );

  it('2.A-14 X-Forwarded-For has no effect unless the peer is a configured proxy', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 25; round++)
      statuses.push(
        (await login(`forged${round}@nowhere.example`, 'not the password', { from: fresh() }, plain)).status,
      );
    expect(statuses).toEqual([
      ...Array.from({ length: 20 }, () => 401),
      ...Array.from({ length: 5 }, () => 429),
    ]);
    const trusted: number[] = [];
    for (let round = 0; round < 25; round++)
      trusted.push(
        (await login(`forged${round}@nowhere.example`, 'not the password', { from: fresh() })).status,
      );
    expect(new Set(trusted)).toEqual(new Set([401]));
    plain.clock.advance(24 * 3_600_000);
  });

  it('2.A-15 an account is the same in every spelling', async () => {
    const { account } = await someone();
    for (const written of [
      account.toUpperCase(),
      ` ${account} `,
      `${account}.`,
      account.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ]) {
      expect((await login(written, userPassword)).status, written).toBe(200);
      // Rejected, or answered like any known address; a second account is never created.
      expect([201, 400]).toContain((await register(written, 'a passphrase of a twin')).status);
      expect((await login(written, 'a passphrase of a twin')).status, written).toBe(401);
    }
    expect((await login(`${account}\u0000`, userPassword)).status).toBe(400);
    expect((await register(`${account}\u0000`, 'a passphrase of a twin')).status).toBe(400);
    const { items } = await console.ok(
      identity.listUsers,
      { q: account.split('@')[0] ?? '' },
      { token: admin },
    );
    expect(items.filter((user) => user.account.startsWith(account))).toHaveLength(1);
  });

  it('2.A-16 account and password of another type are rejected', async () => {
    for (const wrong of [['a'], { $ne: '' }, 7, true, null]) {
      expect((await login(wrong, userPassword)).status).toBe(400);
      expect((await login(adminAccount.account, wrong)).status).toBe(400);
    }
  });
});
