// The security page: failures, blocks, sessions, keys and second factors (R-ADM-01, reliability.md 2.B-34).
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { identity } from '#features/access/identity/contract.ts';
import { security } from '#features/operations/security/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
let user: Awaited<ReturnType<typeof registerUser>>;
const state = () => console.ok(security.securityState, {}, { token });
const fail = (account: string) => console.call(signin.login, { account, password: 'not the right one' });

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
  user = await registerUser(console, 'user@one.example', 'One');
});

describe('R-ADM-01 the security page', () => {
  it('counts rejected sign-ins by hour and lists them with person and address, never with what was typed', async () => {
    await fail('user@one.example');
    await fail('secret-typed-here@nowhere.example');
    const { refused } = await state();
    expect(refused).toHaveLength(24);
    expect(refused.at(-1)?.count).toBe(2);
    expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    const page = await console.ok(security.listRefused, {}, { token });
    expect(page.items).toMatchObject([
      { way: 'password', reason: 'unknown', user: null, address: '127.0.0.1' },
      {
        way: 'password',
        reason: 'password',
        user: { id: user.userId, account: 'user@one.example' },
        address: '127.0.0.1',
      },
    ]);
    expect(JSON.stringify(page)).not.toContain('secret-typed-here');
    expect((await console.ok(security.listRefused, { q: 'one.example' }, { token })).total).toBe(1);
    expect((await console.ok(security.listRefused, { q: '10.' }, { token })).total).toBe(0);
  });

  it('lists blocked accounts, and an Admin with a recent sign-in can unblock them immediately', async () => {
    for (let attempt = 0; attempt < 6; attempt++) await fail('user@one.example');
    const { waiting } = await state();
    const account = waiting.items.find(({ kind }) => kind === 'account');
    expect(account).toMatchObject({ name: 'user@one.example', failures: expect.any(Number) });
    const good = () =>
      console.call(signin.login, { account: 'user@one.example', password: 'another long passphrase' });
    expect((await good()).status).toBe(429);
    const proved = (ago: number) =>
      sql`update session set proved_at = ${new Date(console.clock.now().getTime() - ago)}`.execute(
        console.app.database.kysely,
      );
    await proved(3_600_000);
    const stale = await console.call(security.letTryAgain, { key: account?.key ?? '' }, { token });
    expect([stale.status, stale.envelope.code]).toEqual([403, 'platform.fresh_sign_in']);
    await proved(0);
    for (const { key } of waiting.items) await console.ok(security.letTryAgain, { key }, { token });
    expect((await state()).waiting.total).toBe(0);
    expect((await good()).status).toBe(200);
    // Nothing is left to unblock, so a second click changes nothing.
    expect((await console.call(security.letTryAgain, { key: account?.key ?? '' }, { token })).status).toBe(
      200,
    );
  });

  it('2.B-34 lists open sessions and ends one: its next call is rejected, the Admin’s own stays', async () => {
    const before = (await state()).sessions;
    const page = await console.ok(security.listOpenSessions, { role: 'User' }, { token });
    expect(page.total).toBe(before.open - before.admins);
    expect(
      (await console.ok(security.listOpenSessions, {}, { token })).items.filter(({ current }) => current),
    ).toHaveLength(1);
    expect((await console.ok(security.listOpenSessions, { q: 'USER@one' }, { token })).total).toBe(
      page.total,
    );
    expect((await console.call(identity.profile, {}, { token: user.token })).status).toBe(200);
    for (const { id } of page.items) await console.ok(security.endOpenSession, { sessionId: id }, { token });
    expect((await console.call(identity.profile, {}, { token: user.token })).status).toBe(401);
    expect((await state()).sessions).toEqual({ open: before.admins, admins: before.admins });
    expect(
      (
        await console.call(
          security.endOpenSession,
          { sessionId: page.items[0]?.id ?? ('' as never) },
          { token },
        )
      ).envelope.code,
    ).toBe('security.session_not_found');
  });

  it('shows keys that expire within 30 days, keys that never expire, and users without a second factor', async () => {
    const day = 86_400_000;
    const inDays = (days: number) => new Date(console.clock.now().getTime() + days * day);
    await console.ok(identity.createApiKey, { name: 'soon', expiresAt: inDays(29) }, { token });
    await console.ok(identity.createApiKey, { name: 'later', expiresAt: inDays(31) }, { token });
    await console.ok(identity.createApiKey, { name: 'endless' }, { token });
    const { keys, secondFactor, adminsWithout, adminsMustHaveOne } = await state();
    expect(keys).toMatchObject({
      expiring: [{ name: 'soon', organization: null, lastUsedAt: null }],
      endless: 1,
      total: 3,
    });
    expect(secondFactor).toEqual([
      { role: 'Admin', on: 0, total: 1 },
      { role: 'User', on: 0, total: 1 },
      { role: 'ReadOnly', on: 0, total: 0 },
    ]);
    expect(adminsWithout).toMatchObject([{ account: 'admin@cloud.example' }]);
    expect(adminsMustHaveOne).toBe(false);
    await sql`update app_user set two_factor = true where role = 'Admin'`.execute(
      console.app.database.kysely,
    );
    expect((await state()).adminsWithout).toEqual([]);
  });
});
