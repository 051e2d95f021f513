// Session policies on a real database: how long people stay signed in, and from which networks, for Admins and for an organization's people.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { identity } from '#features/access/identity/contract.ts';
import { sessionPolicies } from '#features/access/session-policies/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let organizationId: Id<'org'>;
const office = '203.0.113.7';
const home = '198.51.100.20';
const owner = 'owner@one.example';
const start = new Date('2024-10-05T03:00:00Z');

const minutes = (count: number): number => count * 60_000;
const api = (path: string, init: RequestInit, address = office) =>
  fetch(`${console.address}/api${path}`, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': address },
  });
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .find((line) => line.startsWith('session='))
    ?.split(';')[0] ?? '';
/** Signs in like a browser. */
async function open(account = owner, password = userPassword, address = office) {
  const answer = await api(
    '/user/login',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password }),
    },
    address,
  );
  const body = (await answer.json()) as {
    code?: string;
    data: { token: string; idleMinutes: number | null } | null;
  };
  return {
    status: answer.status,
    code: body.code,
    token: body.data?.token ?? '',
    idle: body.data?.idleMinutes,
    cookie: cookieOf(answer),
  };
}
async function renew(cookie: string, address = office) {
  const answer = await api('/user/session', { headers: { cookie } }, address);
  const body = (await answer.json()) as { code?: string };
  return { status: answer.status, code: body.code, cookie: cookieOf(answer) };
}
const profile = async (token: string, address = office): Promise<number> =>
  (await api('/user/profile', { headers: { authorization: `Bearer ${token}` } }, address)).status;

const none = { idleMinutes: null, sessionHours: null, networks: [] };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const asAdmin = async () => ({
  token: await signIn(console, adminAccount.account, adminAccount.password),
  ...from(office),
});
const asOwner = async () => ({ token: (await open()).token, ...from(office) });

beforeAll(async () => {
  console = await createTestConsole(start, { TRUST_PROXY: '127.0.0.1' });
  await setUp(console);
  organizationId = (await registerUser(console, owner, 'One')).organizationId as Id<'org'>;
});
beforeEach(async () => {
  await sql`delete from session_policy`.execute(console.app.database.kysely);
});

describe('T-SESSION-POLICY: lifetime of sessions', () => {
  it('a session ends after the idle time if it is not renewed, and at the latest after the maximum', async () => {
    await console.ok(
      sessionPolicies.setOwnPolicy,
      { idleMinutes: 30, sessionHours: 1, networks: [] },
      await asOwner(),
    );
    const used = await open();
    const idle = await open();
    expect(used.idle).toBe(30);
    console.clock.advance(minutes(20));
    let { cookie } = await renew(used.cookie);
    console.clock.advance(minutes(11));
    // 31 minutes after its sign-in, and 11 after the last renewal of the other session.
    expect(await renew(idle.cookie)).toMatchObject({ status: 401, code: 'identity.session_ended' });
    ({ cookie } = await renew(cookie));
    console.clock.advance(minutes(28));
    ({ cookie } = await renew(cookie));
    console.clock.advance(minutes(2));
    // 61 minutes: the maximum of an hour has passed, although it was used two minutes ago.
    expect(await renew(cookie)).toMatchObject({ status: 401 });
  });

  it('access tokens and live updates end with the session, not 15 minutes later', async () => {
    await console.ok(sessionPolicies.setOwnPolicy, { ...none, idleMinutes: 15 }, await asOwner());
    const session = await open();
    console.clock.advance(minutes(14.9));
    expect(await profile(session.token)).toBe(200);
    expect((await renew(session.cookie)).status).toBe(200);
    console.clock.advance(minutes(15.1));
    expect(await profile(session.token)).toBe(401);
  });

  it('a change applies to open sessions immediately, shorter and longer, up to three days', async () => {
    const before = await open();
    console.clock.advance(minutes(120));
    const admin = await asAdmin();
    await console.ok(sessionPolicies.setPolicyFor, { organizationId, ...none, sessionHours: 1 }, admin);
    expect((await renew(before.cookie)).status).toBe(401);
    const next = await open();
    await console.ok(sessionPolicies.setPolicyFor, { organizationId, ...none }, admin);
    console.clock.advance(minutes(71 * 60));
    const { cookie, status } = await renew(next.cookie);
    expect(status).toBe(200);
    console.clock.advance(minutes(61));
    expect((await renew(cookie)).status).toBe(401);
  });

  it('the platform’s policy applies to Admins, an organization’s to its members', async () => {
    await console.ok(sessionPolicies.setPlatformPolicy, { ...none, idleMinutes: 15 }, await asAdmin());
    const admin = await open(adminAccount.account, adminAccount.password);
    const member = await open();
    expect([admin.idle, member.idle]).toEqual([15, null]);
    console.clock.advance(minutes(20));
    expect([(await renew(admin.cookie)).status, (await renew(member.cookie)).status]).toEqual([401, 200]);
  });
});

describe('T-SESSION-POLICY: allowed networks', () => {
  it('sign-in, calls and renewals from other networks are rejected; a cookie used from another network ends its session', async () => {
    const networks = ['203.0.113.0/24', '2001:db8::/48'];
    await console.ok(sessionPolicies.setOwnPolicy, { ...none, networks }, await asOwner());
    expect(await open(owner, userPassword, home)).toMatchObject({
      status: 401,
      code: 'identity.network_refused',
      cookie: '',
    });
    expect((await open(owner, userPassword, '2001:db8::5')).status).toBe(200);
    const session = await open();
    expect(await profile(session.token, home)).toBe(403);
    expect(await profile(session.token)).toBe(200);
    expect(await renew(session.cookie, home)).toMatchObject({
      status: 401,
      code: 'identity.network_refused',
    });
    expect((await renew(session.cookie)).status).toBe(401);
    expect(await profile(session.token)).toBe(401);
    const { rows } = await sql`select from audit_log where action = 'identity.session_elsewhere'`.execute(
      console.app.database.kysely,
    );
    expect(rows).toHaveLength(1);
  });

  it('a wrong password from another network is answered as a wrong password, which reveals nothing about accounts', async () => {
    await console.ok(sessionPolicies.setOwnPolicy, { ...none, networks: [office] }, await asOwner());
    expect(await open(owner, 'not the password at all', home)).toMatchObject({
      status: 401,
      code: 'login.incorrect',
    });
  });

  it('an Admin who views as a customer needs the Admin’s network, not the customer’s', async () => {
    const admin = await asAdmin();
    const { items } = await console.ok(identity.listUsers, { role: 'User' }, admin);
    const { token } = await console.ok(
      identity.startView,
      { userId: items[0]!.id, reason: 'Help them' },
      admin,
    );
    await console.ok(sessionPolicies.setPolicyFor, { organizationId, ...none, networks: [home] }, admin);
    expect(await profile(token)).toBe(200);
    const set = await console.ok(
      sessionPolicies.setPlatformPolicy,
      { ...none, networks: [home, office] },
      admin,
    );
    expect(set.ownNetwork).toBe(`${office}/32`);
    await console.ok(sessionPolicies.setPlatformPolicy, { ...none, networks: [office] }, admin);
    expect([await profile(token), await profile(token, home)]).toEqual([200, 403]);
  });

  it('nobody can lock themselves out, an Admin can unlock an organization, and invalid networks are rejected', async () => {
    const mine = await asOwner();
    expect(
      (await console.call(sessionPolicies.setOwnPolicy, { ...none, networks: [home] }, mine)).envelope,
    ).toMatchObject({
      code: 'sessionpolicies.network_own',
      errors: [{ field: 'networks' }],
    });
    for (const wrong of ['10.1.2.3/16', 'office', '10.0.0.0/33', '::ffff:10.0.0.1'])
      expect(
        (await console.call(sessionPolicies.setOwnPolicy, { ...none, networks: [office, wrong] }, mine))
          .envelope,
      ).toMatchObject({
        errors: [{ field: 'networks', code: 'sessionpolicies.network_wrong' }],
      });
    for (const wrong of [
      { idleMinutes: 14 },
      { idleMinutes: 1441 },
      { sessionHours: 0 },
      { sessionHours: 73 },
    ])
      expect(
        await api('/organization/session-policy', {
          method: 'PUT',
          headers: { authorization: `Bearer ${mine.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...none, ...wrong }),
        }),
      ).toMatchObject({ status: 400 });
    expect(await console.ok(sessionPolicies.getOwnPolicy, {}, mine)).toMatchObject({
      ...none,
      ownAddress: office,
      ownNetwork: null,
      changedAt: null,
    });
    const admin = await asAdmin();
    await console.ok(sessionPolicies.setPolicyFor, { organizationId, ...none, networks: [home] }, admin);
    expect((await open()).status).toBe(401);
    await console.ok(sessionPolicies.setPolicyFor, { organizationId, ...none }, admin);
    expect((await open()).status).toBe(200);
    expect(await console.ok(sessionPolicies.getPolicyFor, { organizationId }, admin)).toMatchObject({
      ...none,
      changedBy: 'Operator',
    });
  });
});
