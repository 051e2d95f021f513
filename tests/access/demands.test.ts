// What calls demand because of their input, on a real database: no permission of one area has an effect in another
// that its holder may not change, and a call that is held asks for the same proof of identity as one that runs.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { scopesOf, type Route } from '#kernel/contract.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { approvals, type ChoiceName } from '#features/access/approvals/contract.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { devices } from '#features/access/devices/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { demandingCalls, readByKeys } from '#app/demands.ts';
import { features } from '#app/features.ts';
import { rolePermissionOf } from '#app/role-permissions.ts';
import { unschedule } from '../support/jobs.ts';
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
let admin: string;
let second: string;
let secondPassword: string;
let owner: Awaited<ReturnType<typeof registerUser>>;
const organization = () => z.parse(shapeId('org'), owner.organizationId);
const asAdmin = () => ({ token: admin });
const Held = z.object({ approval: z.object({ id: shapeId('apr') }) });
const routes = features.flatMap(({ name, contract }) =>
  Object.entries(contract).map(([verb, route]): [string, Route] => [`${name}.${verb}`, route]),
);

const choose = async (...chosen: ChoiceName[]): Promise<void> => {
  await sql`insert into setting (key, value, changed_at, changed_by) values ('approvals.chosen', ${JSON.stringify(chosen)}::jsonb, now(), 'test')
    on conflict (key) do update set value = excluded.value`.execute(console.app.database.kysely);
};

beforeAll(async () => {
  console = await createTestConsole();
  await unschedule(console.app, 'approvals');
  admin = await setUp(console);
  const made = await console.ok(
    identity.createUser,
    { account: 'second@cloud.example', name: 'Second', role: 'Admin' },
    asAdmin(),
  );
  secondPassword = required(made.password, 'a password');
  owner = await registerUser(console, 'owner@one.example', 'One');
});
beforeEach(async () => {
  await choose();
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  second = await signIn(console, 'second@cloud.example', secondPassword);
});

let counter = 0;
/** A person with a custom role on a built-in one, signed in. */
async function personWith(baseRole: Role, ...held: Permission[]) {
  counter += 1;
  const name = `role ${counter}`;
  const role = await console.ok(
    customRoles.createRole,
    { name, description: '', baseRole, permissions: held },
    asAdmin(),
  );
  const account = `person${counter}@one.example`;
  await console.ok(
    identity.createUser,
    {
      account,
      name,
      role: baseRole,
      password: userPassword,
      customRoleId: role.id,
      ...(baseRole !== 'Admin' && { organizationId: organization() }),
    },
    asAdmin(),
  );
  return { role, token: await signIn(console, account) };
}
/** The code of an answer; the status when it succeeded. */
async function codeOf<R extends Route>(route: R, input: z.input<R['input']>, token: string) {
  const { status, envelope } = await console.call(route, input as never, { token });
  return envelope.isSuccess ? status : envelope.code;
}
const lacking = 'platform.role_permission';

/** Signs an Admin in whose proof of identity is no longer fresh; the session itself still is. */
async function staleSession(account: string, password: string): Promise<string> {
  const token = await signIn(console, account, password);
  await sql`update session set proved_at = proved_at - interval '16 minutes' where user_id = (select id from app_user where account = ${account})`.execute(
    console.app.database.kysely,
  );
  return token;
}
/** Asks for a key as a program does: the answer may say that the call is held. */
async function askKey(input: object, token: string) {
  const answer = await fetch(`${console.address}/api${identity.createApiKey.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { data } = z.parse(z.object({ data: z.unknown() }), await answer.json());
  return { status: answer.status, data };
}
async function heldKey(token: string) {
  const { status, data } = await askKey({ name: 'held' }, token);
  expect(status).toBe(202);
  return z.parse(Held, data).approval.id;
}

it('T-DEMANDS: every call with demands exists', () => {
  const names = routes.map(([name]) => name);
  expect(demandingCalls.filter((name) => !names.includes(name))).toEqual([]);
});

describe('T-APPROVALS: a call that is held', () => {
  it('asks for the same fresh proof of identity as when it runs at once, also where only its input requires one', async () => {
    const key = { name: 'program', scope: 'permissions' as const, permissions: ['billing:read' as const] };
    const { key: made } = await console.ok(identity.createApiKey, key, asAdmin());
    const device = await console.ok(devices.askDevice, { name: 'laptop', permissions: ['billing:read'] });
    const calls = async () => [
      await codeOf(identity.createApiKey, { ...key, name: 'another' }, admin),
      await codeOf(identity.rotateApiKey, { keyId: made.id }, admin),
      await codeOf(
        devices.confirmDevice,
        { userCode: device.userCode, permissions: ['billing:read'], days: 30 },
        admin,
      ),
    ];
    admin = await staleSession(adminAccount.account, adminAccount.password);
    const stale = Array.from({ length: 3 }, () => 'platform.fresh_sign_in');
    expect(await calls()).toEqual(stale);
    await choose('api_keys');
    expect(await calls()).toEqual(stale);
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from approval`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ total: 0 }]);
    // A key for metering acts for nobody and requires no proof.
    expect((await askKey({ name: 'meter' }, admin)).status).toBe(202);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect((await askKey({ ...key, name: 'another' }, admin)).status).toBe(202);
  });

  it('is released only by an Admin with a fresh proof of identity', async () => {
    await choose('api_keys');
    const approvalId = await heldKey(admin);
    const stale = await staleSession('second@cloud.example', secondPassword);
    expect(await codeOf(approvals.approve, { approvalId }, stale)).toBe('platform.fresh_sign_in');
    const fresh = await signIn(console, 'second@cloud.example', secondPassword);
    expect(await codeOf(approvals.approve, { approvalId }, fresh)).toBe(200);
  });

  it('fails when its requester has lost a permission that its input demands', async () => {
    await choose('api_keys');
    const { role, token } = await personWith('Admin', 'operations:write', 'usage:write');
    const approvalId = await heldKey(token);
    await console.ok(
      customRoles.updateRole,
      { roleId: role.id, name: role.name, description: '', permissions: ['operations:write'] },
      asAdmin(),
    );
    expect(await console.ok(approvals.approve, { approvalId }, { token: second })).toMatchObject({
      state: 'failed',
    });
  });
});

describe('T-ROLES: administration with write access alone', () => {
  it('changes no setting of bills, usage or sign-in; with the permission of its area it does', async () => {
    const { token } = await personWith('Admin', 'operations:read', 'operations:write');
    const set = (change: z.input<typeof administration.updateSettings.input>, by = token) =>
      codeOf(administration.updateSettings, change, by);
    expect(await set({ name: 'Cloud' })).toBe(200);
    const before = await console.ok(administration.getSettings, {}, { token });
    for (const change of [
      { taxRate: '7' },
      { dueDays: 3 },
      { graceHours: 1 },
      { currency: 'USD' as const },
      { seller: { ...before.seller, name: 'Somebody else' } },
      { forgetEventIds: !before.forgetEventIds },
      { minimumPasswordLength: 8 },
      { requireAdminTwoFactor: true },
      { providerAllowsAdmin: true },
      { providerDefaultRole: 'User' as const },
    ].filter((change) => Object.entries(change).some(([key, value]) => value !== Reflect.get(before, key))))
      expect([change, await set(change)]).toEqual([change, lacking]);
    expect(await console.ok(administration.getSettings, {}, asAdmin())).toEqual(before);
    // A form sends what it shows; what stays the same needs no permission.
    expect(await set({ ...before, supportEmail: 'help@cloud.example' })).toBe(200);
    const clerk = await personWith('Admin', 'operations:write', 'billing:write');
    expect(await set({ dueDays: 21 }, clerk.token)).toBe(200);
    expect(await set({ providerAllowsAdmin: true }, clerk.token)).toBe(lacking);
  });

  it('imports nothing into other areas, and makes no key that does what its creator may not', async () => {
    const { token } = await personWith('Admin', 'operations:read', 'operations:write');
    expect(await codeOf(administration.importDemo, {}, token)).toBe(lacking);
    expect(await codeOf(identity.createApiKey, { name: 'meter' }, token)).toBe(lacking);
    const { key: meter } = await console.ok(identity.createApiKey, { name: 'meter' }, asAdmin());
    expect(await codeOf(identity.rotateApiKey, { keyId: meter.id }, token)).toBe(lacking);
    const technician = await personWith('Admin', 'operations:write', 'usage:write');
    expect(await codeOf(identity.createApiKey, { name: 'meter 2' }, technician.token)).toBe(201);
    expect(await codeOf(identity.rotateApiKey, { keyId: meter.id }, technician.token)).toBe(200);
    expect(
      await codeOf(
        identity.createApiKey,
        { name: 'reader', scope: 'read', organizationId: organization() },
        technician.token,
      ),
    ).toBe(lacking);
  });

  it('of a customer makes no reading key and no webhook about what it may not read', async () => {
    const { token } = await personWith('User', 'operations:read', 'operations:write');
    expect(await codeOf(identity.createOrganizationKey, { name: 'r', scope: 'read' }, token)).toBe(lacking);
    const hook = { url: 'https://hooks.example/bills' };
    expect(await codeOf(webhooks.createEndpoint, hook, token)).toBe(lacking);
    const { endpoint } = await console.ok(webhooks.createEndpoint, hook, { token: owner.token });
    const moved = { endpointId: endpoint.id, url: 'https://other.example/bills' };
    expect(await codeOf(webhooks.updateEndpoint, moved, token)).toBe(lacking);
    const reader = await personWith('User', 'operations:write', 'usage:read', 'billing:read', 'reports:read');
    expect(await codeOf(webhooks.createEndpoint, hook, reader.token)).toBe(201);
  });

  it('the list of what a reading key reads is that of the calls', () => {
    const read = routes.flatMap(([name, route]) =>
      scopesOf(route.access).includes('read') ? [rolePermissionOf(name, route)] : [],
    );
    expect([...new Set(read)].toSorted()).toEqual([...readByKeys].toSorted());
  });
});

describe('T-KEYS: a key with operations:write', () => {
  it('changes settings of other areas only with their permissions, and those of sign-in only if it may do what cannot be undone', async () => {
    const keyWith = async (permissions: Permission[], irreversible = false) =>
      (
        await console.ok(
          identity.createApiKey,
          { name: 'program', scope: 'permissions', permissions, irreversible },
          asAdmin(),
        )
      ).secret;
    const narrow = await keyWith(['operations:write']);
    const set = (change: z.input<typeof administration.updateSettings.input>, token: string) =>
      codeOf(administration.updateSettings, change, token);
    expect(await set({ name: 'Cloud 2' }, narrow)).toBe(200);
    expect(await set({ dueDays: 5 }, narrow)).toBe('platform.key_permission');
    expect(await set({ providerAllowsAdmin: true }, narrow)).toBe('platform.key_permission');
    const wide = ['operations:write', 'people:write'] as Permission[];
    expect(await set({ providerAllowsAdmin: true }, await keyWith(wide))).toBe('platform.key_irreversible');
    expect(await set({ providerAllowsAdmin: true }, await keyWith(wide, true))).toBe(200);
  });
});
