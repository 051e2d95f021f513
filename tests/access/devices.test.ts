// Signing machines in (RFC 8628): codes are good once and for ten minutes, a person confirms with a proof, and what the machine gets is a key of
// theirs that is narrowed to what it asked for.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '#kernel/permissions.ts';
import { devices } from '#features/access/devices/contract.ts';
import { maxWaiting } from '#features/access/devices/rules.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  type TestConsole,
} from '../support/console.ts';
import { runFeatureJob } from '../support/jobs.ts';

let console: TestConsole;
let admin: string;
let owner: string;
let readOnly: string;
let organizationId: string;
const password = 'another long passphrase';
const reading: Permission[] = ['billing:read', 'catalogue:read'];

const signInAs = async (account: string, secret: string): Promise<string> =>
  (await console.ok(signin.login, { account, password: secret })).token;
const prove = (token: string, secret = adminAccount.password) =>
  console.ok(signin.reauthenticate, { password: secret }, { token });
const ask = (permissions: Permission[] = reading, irreversible = false) =>
  console.ok(devices.askDevice, { name: 'laptop-7', permissions, irreversible });
const poll = (deviceCode: string) => console.call(devices.pollDevice, { deviceCode });
const codeOf = async (answer: Promise<{ envelope: { code?: string } }>) => (await answer).envelope.code;
const pass = (seconds: number): void => console.clock.advance(seconds * 1000);

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-10-02T00:00:00Z'));
  admin = await setUp(console);
  const registered = await registerUser(console, 'owner@one.example', 'One');
  owner = registered.token;
  organizationId = registered.organizationId;
  await console.ok(
    identity.createUser,
    {
      account: 'reader@one.example',
      name: 'Reader',
      password,
      role: 'ReadOnly',
      organizationId: organizationId as never,
    },
    { token: admin },
  );
  readOnly = await signInAs('reader@one.example', password);
});
// Each test begins with people who have just proved who they are.
beforeEach(async () => {
  await sql`delete from device_login`.execute(console.app.database.kysely);
  await prove(admin);
});

describe('T-DEVICE: signing in a device', () => {
  it('shows a code and an address, polls, and receives the key of the person who confirms', async () => {
    const request = await ask([...reading, 'catalogue:write']);
    expect(request).toMatchObject({
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verificationUri: `${console.address}/device`,
      verificationUriComplete: `${console.address}/device?code=${request.userCode}`,
      expiresIn: 600,
      interval: 5,
    });
    expect(await codeOf(poll(request.deviceCode))).toBe('devices.authorization_pending');
    const typed = request.userCode.toLowerCase().replace('-', ' ');
    expect(await console.ok(devices.findDevice, { userCode: typed }, { token: admin })).toMatchObject({
      name: 'laptop-7',
      address: '127.0.0.1',
      asked: [...reading, 'catalogue:write'],
      possible: [...reading, 'catalogue:write'],
      irreversible: false,
    });
    const confirmed = await console.ok(
      devices.confirmDevice,
      { userCode: typed, permissions: reading, days: 7 },
      { token: admin },
    );
    const { secret, key } = await console.ok(devices.pollDevice, { deviceCode: request.deviceCode });
    expect(key).toMatchObject({
      keyId: confirmed.keyId,
      name: 'laptop-7',
      account: adminAccount.account,
      role: 'Admin',
      permissions: ['catalogue:read', 'billing:read'],
      irreversible: false,
      expiresAt: new Date(console.clock.now().getTime() + 7 * 86_400_000),
    });
    expect((await console.call(catalogue.adminListServices, {}, { token: secret })).status).toBe(200);
    // The device requested this permission, but the person did not grant it.
    const writing = {
      name: 'x',
      type: 'y',
      category: 'z',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
    } as const;
    expect(await codeOf(console.call(catalogue.createService, writing, { token: secret }))).toBe(
      'platform.key_permission',
    );
    const listed = await console.ok(identity.listApiKeys, {}, { token: admin });
    expect(listed.items[0]).toMatchObject({
      id: key.keyId,
      name: 'laptop-7',
      scope: 'permissions',
      hint: `skytally_…${secret.slice(-4)}`,
    });
    await console.ok(identity.revokeApiKey, { keyId: key.keyId }, { token: admin });
    expect((await console.call(catalogue.adminListServices, {}, { token: secret })).status).toBe(401);
  });

  it('returns the key once: the code is used up, even by two concurrent polls', async () => {
    const { deviceCode, userCode } = await ask();
    await console.ok(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin });
    const answers = await Promise.all([poll(deviceCode), poll(deviceCode), poll(deviceCode)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await codeOf(poll(deviceCode))).toBe('devices.expired_token');
    expect(
      await codeOf(
        console.call(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin }),
      ),
    ).toBe('devices.code_unknown');
  });

  it('accepts one of two concurrent confirmations, and creates one key', async () => {
    const { userCode } = await ask();
    const before = (await console.ok(identity.listApiKeys, {}, { token: admin })).total;
    const answers = await Promise.all(
      [0, 1, 2].map(() =>
        console.call(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    expect((await console.ok(identity.listApiKeys, {}, { token: admin })).total).toBe(before + 1);
  });

  it('stores only hashes of both codes and the key, and keeps the key’s secret only until it is fetched', async () => {
    const { deviceCode, userCode } = await ask();
    await console.ok(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin });
    const { rows } = await sql<{
      text: string;
    }>`select d::text || k::text as text from device_login d join api_key k on k.id = d.key_id`.execute(
      console.app.database.kysely,
    );
    expect(rows).toHaveLength(1);
    for (const secret of [deviceCode, userCode, userCode.replace('-', '')])
      expect(rows[0]?.text).not.toContain(secret);
  });
});

describe('T-DEVICE: a device without a key is told that', () => {
  it('polling was too fast, and it has to wait 5 seconds longer each time', async () => {
    const { deviceCode } = await ask();
    expect(await codeOf(poll(deviceCode))).toBe('devices.authorization_pending');
    pass(4);
    expect(await codeOf(poll(deviceCode))).toBe('devices.slow_down');
    pass(5);
    expect(await codeOf(poll(deviceCode))).toBe('devices.slow_down');
    pass(15);
    expect(await codeOf(poll(deviceCode))).toBe('devices.authorization_pending');
  });

  it('the request was denied', async () => {
    const { deviceCode, userCode } = await ask();
    await console.ok(devices.refuseDevice, { userCode }, { token: owner });
    expect(await codeOf(poll(deviceCode))).toBe('devices.access_denied');
  });

  it('the code has expired after ten minutes or does not exist', async () => {
    const { deviceCode, userCode } = await ask();
    pass(600);
    expect(await codeOf(poll(deviceCode))).toBe('devices.expired_token');
    expect(await codeOf(console.call(devices.findDevice, { userCode }, { token: admin }))).toBe(
      'devices.code_unknown',
    );
    expect(await codeOf(poll('made up'))).toBe('devices.expired_token');
  });

  it('there are a thousand other pending codes', async () => {
    const now = console.clock.now();
    await sql`insert into device_login (device_hash, user_hash, name, address, permissions, irreversible, asked_at, expires_at, interval_seconds)
      select sha256(n::text::bytea), sha256(('u' || n)::bytea), 'x', '::1', array['billing:read'], false, ${now}, ${new Date(now.getTime() + 60_000)}, 5 from generate_series(1, ${maxWaiting}::int) n`.execute(
      console.app.database.kysely,
    );
    expect(await codeOf(console.call(devices.askDevice, { name: 'one more', permissions: reading }))).toBe(
      'devices.too_many',
    );
    pass(61);
    expect((await ask()).userCode).toMatch(/-/);
  });
});

describe('T-DEVICE: confirming a device', () => {
  it('needs a sign-in within the last 15 minutes; denying does not', async () => {
    const { userCode } = await ask();
    await sql`update session set proved_at = proved_at - interval '16 minutes'`.execute(
      console.app.database.kysely,
    );
    const confirm = () =>
      console.call(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin });
    expect(await codeOf(confirm())).toBe('platform.fresh_sign_in');
    await prove(admin);
    expect((await confirm()).status).toBe(200);
  });

  it('grants at most the requested permissions, and only read access for a ReadOnly member', async () => {
    const { userCode } = await ask(['billing:read', 'billing:write'], false);
    await prove(readOnly, password);
    expect(await console.ok(devices.findDevice, { userCode }, { token: readOnly })).toMatchObject({
      asked: ['billing:read', 'billing:write'],
      possible: ['billing:read'],
    });
    const give = (permissions: Permission[], more: object = {}) =>
      console.call(devices.confirmDevice, { userCode, permissions, days: 7, ...more }, { token: readOnly });
    expect((await give(['usage:read'])).envelope.errors).toMatchObject([
      { field: 'permissions', code: 'devices.more_than_asked' },
    ]);
    expect((await give(['billing:write'])).envelope.errors).toMatchObject([
      { field: 'permissions', code: 'devices.read_only' },
    ]);
    expect((await give(['billing:read'], { irreversible: true })).envelope.errors).toMatchObject([
      { field: 'irreversible', code: 'devices.more_than_asked' },
    ]);
    expect((await give(['billing:read'])).status).toBe(200);
  });

  it('by a ReadOnly member gives a key that reads their organization, and an owner can see and revoke it', async () => {
    const { deviceCode, userCode } = await ask(['billing:read']);
    await prove(readOnly, password);
    await console.ok(
      devices.confirmDevice,
      { userCode, permissions: ['billing:read'], days: 30 },
      { token: readOnly },
    );
    const { secret, key } = await console.ok(devices.pollDevice, { deviceCode });
    expect(key).toMatchObject({ role: 'ReadOnly', organizationId, organization: 'One' });
    expect((await console.call(billing.listBills, {}, { token: secret })).status).toBe(200);
    const { items } = await console.ok(identity.organizationKeys, {}, { token: owner });
    expect(items.map(({ id }) => id)).toContain(key.keyId);
    await console.ok(identity.revokeOrganizationKey, { keyId: key.keyId }, { token: owner });
    expect((await console.call(billing.listBills, {}, { token: secret })).status).toBe(401);
  });

  it('slows down after a few wrong codes, so that codes cannot be guessed', async () => {
    const guesses = [];
    for (let guess = 0; guess < 8; guess++)
      guesses.push(await console.call(devices.findDevice, { userCode: 'BBBB-BBBB' }, { token: owner }));
    expect(guesses[0]?.envelope.code).toBe('devices.code_unknown');
    expect(guesses.at(-1)?.status).toBe(429);
    // Other people are not slowed down.
    const { userCode } = await ask();
    expect((await console.call(devices.findDevice, { userCode }, { token: admin })).status).toBe(200);
  });

  it('is not possible with an API key', async () => {
    await prove(admin);
    const { secret } = await console.ok(
      identity.createApiKey,
      { name: 'program', scope: 'permissions', permissions: ['operations:write'], irreversible: true },
      { token: admin },
    );
    const { userCode } = await ask();
    for (const route of [devices.findDevice, devices.refuseDevice])
      expect(await codeOf(console.call(route, { userCode }, { token: secret }))).toBe('platform.key_never');
    expect(
      await codeOf(
        console.call(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: secret }),
      ),
    ).toBe('platform.key_never');
  });
});

describe('T-DEVICE: with its own secret, a key', () => {
  it('can look up its owner and revoke itself; an unknown secret reveals and revokes nothing', async () => {
    const { deviceCode, userCode } = await ask();
    await console.ok(devices.confirmDevice, { userCode, permissions: reading, days: 7 }, { token: admin });
    const { secret, key } = await console.ok(devices.pollDevice, { deviceCode });
    expect(await console.ok(devices.describeKey, { secret })).toEqual(key);
    const { secret: metering, key: meteringKey } = await console.ok(
      identity.createApiKey,
      { name: 'gateway' },
      { token: admin },
    );
    for (const other of [metering, `${secret}x`, 'no key']) {
      expect(await codeOf(console.call(devices.describeKey, { secret: other }))).toBe('devices.key_ended');
      expect((await console.call(devices.endKey, { secret: other })).status).toBe(200);
    }
    const { items } = await console.ok(identity.listApiKeys, {}, { token: admin });
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([key.keyId, meteringKey.id]));
    await console.ok(devices.endKey, { secret });
    expect(await codeOf(console.call(devices.describeKey, { secret }))).toBe('devices.key_ended');
    expect((await console.call(catalogue.adminListServices, {}, { token: secret })).status).toBe(401);
  });

  it('T-AUDIT: confirming, fetching and revoking a key are in the audit log', async () => {
    const { rows } = await sql<{ action: string; kind: string; detail: unknown }>`
      select distinct on (action, actor_kind) action, actor_kind as kind, detail from audit_log where action like 'devices.%' or action = 'identity.revokeApiKey'`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      'devices.confirmDevice user',
      'devices.handOver anonymous',
      'devices.refuseDevice user',
      // The key that revoked itself, and keys that a person revoked.
      'identity.revokeApiKey apiKey',
      'identity.revokeApiKey user',
    ]);
    expect(rows[0]?.detail).toMatchObject({ name: 'laptop-7', address: '127.0.0.1', scope: 'permissions' });
  });

  it('is revoked with its code when it was confirmed but never fetched', async () => {
    const { userCode } = await ask();
    const { keyId } = await console.ok(
      devices.confirmDevice,
      { userCode, permissions: reading, days: 7 },
      { token: admin },
    );
    pass(601);
    await runFeatureJob(console.app, 'devices-tidy');
    const { rows } = await sql<{
      revoked: boolean;
    }>`select revoked_at is not null as revoked from api_key where id = ${keyId}`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ revoked: true }]);
  });
});
