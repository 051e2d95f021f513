// Permissions that can be withdrawn: a withdrawn one is refused at the next call, and nothing else is.
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Contract, Route } from '#kernel/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { devices } from '#features/access/devices/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { features } from '#app/features.ts';
import { grantNames, grantsContract, type GrantName } from '#app/grants/contract.ts';
import { grants } from '#app/grants/grants.ts';
import { assertOnlyNarrows } from '#app/grants/verbs.ts';
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
let owner: { token: string; userId: string; organizationId: string };
let reader: string;
let readKey: string;
beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
  await console.ok(
    identity.createUser,
    {
      account: 'reader@one.example',
      name: 'R',
      role: 'ReadOnly',
      organizationId: owner.organizationId as never,
      password: userPassword,
    },
    { token: admin },
  );
  reader = await signIn(console, 'reader@one.example');
  readKey = (
    await console.ok(
      identity.createApiKey,
      { name: 'reports', scope: 'read', organizationId: owner.organizationId as never },
      { token: admin },
    )
  ).secret;
});
const asAdmin = () => ({ token: admin });
const takenNow = async (): Promise<GrantName[]> =>
  (await console.ok(grantsContract.listGrants, {}, asAdmin())).items
    .filter((grant) => !grant.isAllowed)
    .map((grant) => grant.name);
const take = async (withdrawn: GrantName[]) =>
  console.ok(grantsContract.saveGrants, { withdrawn, before: await takenNow() }, asAdmin());
const routeOf = (key: string): Route => {
  const [feature, verb] = key.split('.');
  const contract: Contract | undefined = features.find((each) => each.name === feature)?.contract;
  const route = contract?.[verb ?? ''];
  if (!route) throw new Error(`no route ${key}`);
  return route;
};
/** Calls without valid input; only whether access is granted matters. */
async function callWithoutInput(
  key: string,
  token: string,
): Promise<{ status: number; code: string | undefined }> {
  const route = routeOf(key);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const response = await fetch(`${console.address}/api${route.path.replace(/:\w+/g, 'x')}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{"unknownField":1}' }),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

describe('R-ADM-03 configurable permissions of roles', () => {
  it.each(grantNames)(
    '%s: without it exactly its routes are rejected from the next call, and with it they are allowed again',
    async (name) => {
      const token = grants[name].role === 'User' ? owner.token : reader;
      const others = grantNames
        .filter((other) => other !== name && grants[other].role === grants[name].role)
        .flatMap((other) => grants[other].routes);
      const opens = async (keys: readonly string[]) =>
        Promise.all(keys.map(async (key) => (await callWithoutInput(key, token)).status !== 403));
      expect(await opens(grants[name].routes)).not.toContain(false);
      await take([name]);
      expect(await Promise.all(grants[name].routes.map((key) => callWithoutInput(key, token)))).toEqual(
        grants[name].routes.map(() => ({ status: 403, code: 'platform.not_granted' })),
      );
      expect(await opens(others)).not.toContain(false);
      expect((await console.ok(grantsContract.ownGrants, {}, { token })).withdrawn).toEqual([name]);
      const { routes } = await console.ok(consoleContract.permissions, {}, asAdmin());
      for (const key of grants[name].routes)
        expect(routes.find((route) => `${route.feature}.${route.name}` === key)?.roles).not.toContain(
          grants[name].role,
        );
      await take([]);
      expect(await opens(grants[name].routes)).not.toContain(false);
    },
  );

  it('do not affect Admins, other roles and API keys, and never block revoking keys and invitations', async () => {
    await take([...grantNames]);
    expect((await console.call(books.statement, {}, { token: owner.token })).status).toBe(200);
    expect((await console.call(books.statement, {}, { token: readKey })).status).toBe(200);
    expect((await console.ok(grantsContract.ownGrants, {}, asAdmin())).withdrawn).toEqual([]);
    for (const key of [
      'identity.revokeOrganizationKey',
      'identity.revokeInvitation',
      'identity.organizationKeys',
      'identity.members',
    ])
      expect((await callWithoutInput(key, owner.token)).status, key).not.toBe(403);
    await take([]);
  });

  it('cover the key that a device gets, for Users and nobody else', async () => {
    await take(['user_api_keys']);
    const { userCode } = await console.ok(devices.askDevice, {
      name: 'laptop',
      permissions: ['catalogue:read'],
    });
    const confirm = (token: string) =>
      console.call(devices.confirmDevice, { userCode, permissions: ['catalogue:read'], days: 7 }, { token });
    expect((await confirm(owner.token)).envelope.code).toBe('platform.not_granted');
    expect((await confirm(reader)).status).toBe(200);
    await take([]);
  });

  it('name the contact in the error message, and rejected calls are in the audit log', async () => {
    await take(['user_webhooks']);
    const refused = await console.call(webhooks.listEndpoints, {}, { token: owner.token, language: 'zhTW' });
    expect(refused.envelope.message).toContain('請洽系統管理員');
    const { rows } = await sql<{
      detail: unknown;
    }>`select detail from audit_log where action = 'platform.refused' and subject = 'webhooks.listEndpoints' order by seq desc limit 1`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ detail: { code: 'platform.not_granted' } }]);
    await take([]);
  });

  it('are previewed before saving, logged with old and new values, and not saved over somebody else’s change', async () => {
    const preview = await console.ok(
      grantsContract.previewGrants,
      { withdrawn: ['reader_packs', 'user_members'] },
      asAdmin(),
    );
    expect([
      preview.lost,
      preview.won,
      preview.changes.map((change) => [change.name, change.isAllowed, change.users]),
    ]).toEqual([
      5,
      0,
      [
        ['user_members', false, 1],
        ['reader_packs', false, 1],
      ],
    ]);
    expect(await takenNow()).toEqual([]);
    await take(['reader_packs']);
    expect(await console.ok(grantsContract.previewGrants, { withdrawn: [] }, asAdmin())).toMatchObject({
      lost: 0,
      won: 4,
    });
    const stale = await console.call(grantsContract.saveGrants, { withdrawn: [], before: [] }, asAdmin());
    expect([stale.status, stale.envelope.code]).toEqual([409, 'grants.changed']);
    await take([]);
    const { rows } = await sql<{
      detail: { before: Record<string, boolean>; after: Record<string, boolean> };
    }>`select detail from audit_log where action = 'grants.saveGrants' order by seq desc limit 1`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.detail).toMatchObject({
      before: { reader_packs: false, user_members: true },
      after: { reader_packs: true },
    });
  });

  it('can only be removed: the console does not start with one that the role never had', () => {
    const identityFeature = features.find((each) => each.name === 'identity');
    expect(() => assertOnlyNarrows(features)).not.toThrow();
    const widened = features.map((each) =>
      each === identityFeature
        ? {
            ...each,
            contract: {
              ...each.contract,
              invite: { ...routeOf('identity.invite'), access: { roles: ['Admin'] as const } },
            },
          }
        : each,
    );
    expect(() => assertOnlyNarrows(widened)).toThrow('identity.invite');
    expect(() => assertOnlyNarrows(features.filter((each) => each.name !== 'packs'))).toThrow(
      'packs.makeOwnPack',
    );
  });
});

describe('changing a user’s role', () => {
  it('previews gained and lost pages and calls from the same table', async () => {
    const preview = await console.ok(
      grantsContract.previewRole,
      { userId: owner.userId as never, role: 'ReadOnly' },
      asAdmin(),
    );
    expect(preview).toMatchObject({
      from: 'User',
      to: 'ReadOnly',
      isLastAdmin: false,
      needsOrganization: false,
      pages: { won: ['/dashboard'] },
    });
    expect(preview.pages.lost).toEqual([
      '/user/dashboard',
      '/service/overview',
      '/cloud-service/management',
      '/billing/dashboard',
      '/user/profile',
      '/user/notifications',
    ]);
    expect(preview.calls.lost).toContain('subscriptions.subscribe');
    expect(preview.calls.won).toEqual([]);
    await take(['reader_statement']);
    expect(
      (
        await console.ok(
          grantsContract.previewRole,
          { userId: owner.userId as never, role: 'ReadOnly' },
          asAdmin(),
        )
      ).calls.lost,
    ).toContain('books.statement');
    await take([]);
  });
  it('is not possible for the last Admin, and the preview says so (reliability.md 2.C-51)', async () => {
    const { items } = await console.ok(identity.listUsers, { role: 'Admin' }, asAdmin());
    const userId = items[0]!.id;
    expect(await console.ok(grantsContract.previewRole, { userId, role: 'User' }, asAdmin())).toMatchObject({
      isLastAdmin: true,
      needsOrganization: true,
    });
    expect(
      (
        await console.call(
          identity.updateUser,
          { userId, role: 'ReadOnly', organizationId: owner.organizationId as never },
          asAdmin(),
        )
      ).envelope.code,
    ).toBe('identity.last_admin');
    expect(await signIn(console, adminAccount.account, adminAccount.password)).not.toBe('');
    expect(
      (
        await console.call(
          grantsContract.previewRole,
          { userId: 'usr_01hzzzzzzzzzzzzzzzzzzzzzzz' as never, role: 'User' },
          asAdmin(),
        )
      ).status,
    ).toBe(404);
  });
});
