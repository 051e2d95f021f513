// Keys with permissions: every route with every permission and role, and that a key never does more than its
// person may at that moment.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathNames, takesIdempotencyKey, type Route } from '#kernel/contract.ts';
import { permissions, type Permission } from '#kernel/permissions.ts';
import { keyCallsPerMinute } from '#platform/server/http/admission.ts';
import { countCall } from '#platform/server/http/store-rate-windows.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { activeKeyActor, requireAdminTwoFactor, showKey } from '#features/access/identity/server/index.ts';
import { identity } from '#features/access/identity/contract.ts';
import { users } from '#features/access/users/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { webhooks } from '#features/messaging/webhooks/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { features } from '#app/features.ts';
import { grantsContract } from '#app/grants/contract.ts';
import { callAreas, featureAreas, permissionOf } from '#app/key-areas.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
} from '../support/console.ts';
import type { TestConsole } from '../support/console.ts';

const routes: [string, Route][] = [
  ...features.map((feature) => [feature.name, feature.contract] as const),
  ['monitoring', monitoring] as const,
  ['console', consoleContract] as const,
  ['grants', grantsContract] as const,
].flatMap(([name, contract]) =>
  Object.entries(contract).map(([verb, route]): [string, Route] => [`${name}.${verb}`, route]),
);
/** A list kept in this test: no key may make these calls, whatever its permissions. */
const neverByAnyKey = [
  /^providers\./,
  /^signin\./,
  /^federation\./,
  /^devices\./,
  /^customroles\./,
  /^sessionpolicies\./,
  /^approvals\.(setApprovals|approve|reject|takeSecrets)$/,
  /^portal\.saveSettings$/,
  /^push\./,
  /^notifications\.(?!listTemplates|previewTemplate)/,
  /^identity\.(logout|session|sessions|profile|updateProfile|.*Avatar|avatar|.*View|savedViews|end.*Sessions?|userSessions|liveTicket|.*ApiKeys?|.*OrganizationKeys?|organizationKeys)$/,
  /^users\.(startBatch|retryBatch)$/,
  /^backups\.revealRecoveryKey$/,
  /^administration\.seenAs$/,
  /^security\.(listOpenSessions|endOpenSession|letTryAgain)$/,
  // Everything about people, including erasure.
  /^personaldata\./,
  // Exports of all data to an address that the caller chooses.
  /^dataexports\./,
];
const isNever = (name: string): boolean => neverByAnyKey.some((pattern) => pattern.test(name));

type Role = 'Admin' | 'User';
type KeyFields = {
  irreversible?: boolean;
  addresses?: string[];
  expiresAt?: Date;
  name?: string;
};
const trusted = { TRUST_PROXY: '127.0.0.1' };
let console: TestConsole;
let admin: string;
let owner: { token: string; userId: string; organizationId: string };

async function make(role: Role, held: readonly Permission[], fields: KeyFields = {}, token?: string) {
  const route = role === 'Admin' ? identity.createApiKey : identity.createOrganizationKey;
  return console.ok(
    route,
    { name: 'program', scope: 'permissions', permissions: [...held], ...fields },
    { token: token ?? (role === 'Admin' ? admin : owner.token) },
  );
}
async function answerOf(
  route: Route,
  token: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string }> {
  const path = pathNames(route.path).reduce((text, name) => text.replace(`:${name}`, 'x'), route.path);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const response = await fetch(`${console.address}/api${path}`, {
    method: route.method,
    headers: {
      ...(hasBody ? { 'content-type': route.raw?.types[0] ?? 'application/json' } : {}),
      authorization: `Bearer ${token}`,
      ...headers,
    },
    ...(hasBody ? { body: route.raw ? '[' : '{"unknownField":1}' } : {}),
  });
  const text = await response.text();
  return { status: response.status, code: response.status === 403 ? String(JSON.parse(text).code) : '' };
}
const asAdmin = () => ({ token: admin });
const readsOrganization = async (secret: string, headers: Record<string, string> = {}) => {
  const { status, envelope } = await console.call(identity.organization, {}, { token: secret, headers });
  return status === 200 ? 200 : `${status} ${envelope.code ?? ''}`;
};
const lists = async (secret: string) => {
  const { status, envelope } = await console.call(meters.listMeters, {}, { token: secret });
  return status === 200 ? 200 : `${status} ${envelope.code ?? ''}`;
};

beforeAll(async () => {
  console = await createTestConsole(undefined, trusted);
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
});

describe('T-KEYS: the permission of each call', () => {
  it('is defined for every feature, with no exception for a call that does not exist', () => {
    const named = new Set(routes.map(([name]) => name.split('.')[0]));
    expect([...named].toSorted()).toEqual(Object.keys(featureAreas).toSorted());
    const known = new Set(routes.map(([name]) => name));
    expect([...callAreas.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  it('is read for GET and write for all others; calls that keys may not make are left to people', () => {
    for (const [name, route] of routes) {
      const permission = permissionOf(name, route);
      if (typeof route.access === 'string' || isNever(name)) expect(permission, name).toBeUndefined();
      else expect(permission, name).toMatch(route.method === 'GET' ? /^\w+:read$/ : /^\w+:write$/);
    }
    // Calls without an entry are closed to keys.
    expect(permissionOf('unheard.of', meters.listMeters)).toBeUndefined();
  });
});

describe('T-KEYS: the contract of each call', () => {
  it('documents the permission, whether it can be undone, and the Idempotency-Key', async () => {
    const { paths } = (await (await fetch(`${console.address}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const close = paths['/api/admin/billing/close']?.['post'];
    expect(close).toMatchObject({ 'x-permission': 'billing:write', 'x-irreversible': true });
    expect(close?.['security']).toContainEqual({ apiKey: [] });
    const mint = paths['/api/admin/api-keys']?.['post'];
    expect(mint).not.toHaveProperty('x-permission');
    expect(mint?.['security']).toEqual([{ accessToken: [] }]);
    expect(JSON.stringify(paths['/api/admin/meters/{meterId}']?.['delete'])).toContain('Idempotency-Key');
    expect(JSON.stringify(paths['/api/user/login']?.['post'])).not.toContain('Idempotency-Key');
  });

  it('does not store a response with a secret for repeats', () => {
    const secrets = /^(secret|token|password|link|links|recoveryKey|recoveryCodes|uri|otpauth\w*)$/;
    const namesIn = (schema: unknown): string[] =>
      typeof schema !== 'object' || schema === null
        ? []
        : Object.entries(schema).flatMap(([name, value]) =>
            name === 'properties' ? [...Object.keys(value as object), ...namesIn(value)] : namesIn(value),
          );
    const own = new Map(features.map((feature) => [feature.name, feature.ownUnitOfWork]));
    const kept = routes
      .filter(([name, route]) => {
        const [feature = '', verb = ''] = name.split('.');
        return takesIdempotencyKey(route, own.get(feature)?.includes(verb) ?? false);
      })
      .flatMap(([name, route]) =>
        namesIn(z.toJSONSchema(route.output, { unrepresentable: 'any' }))
          .filter((field) => secrets.test(field) && !route.returnedOnce?.includes(field))
          .map((field) => `${name} ${field}`),
      );
    // The rest: pages of the console, and the customer's link of a quote, which an Admin can read at any time.
    expect(new Set(kept)).toEqual(
      new Set([
        // Listed in `links`.
        'users.startBatch link',
        // Listed in `secrets`.
        'webhooks.applyWebhooks secret',
        'notifications.markNotification link',
        'notifications.restoreNotification link',
        'announcements.createAnnouncement link',
        'announcements.updateAnnouncement link',
        'announcements.sendAnnouncement link',
        'announcements.cancelAnnouncement link',
        'quotes.createQuote link',
        'quotes.updateQuote link',
        'quotes.sendQuote link',
        'quotes.withdrawQuote link',
      ]),
    );
  });
});

describe.each(['Admin', 'User'] as const)('T-KEYS: every route with keys of a %s', (role) => {
  const exactly = new Map<Permission, string>();
  const allBut = new Map<Permission, string>();
  const careful = new Map<Permission, string>();
  let everything: string;
  beforeAll(async () => {
    await sql`update api_key set revoked_at = now() where revoked_at is null`.execute(
      console.app.database.kysely,
    );
    everything = (await make(role, permissions, { irreversible: true })).secret;
    for (const one of permissions) {
      exactly.set(one, (await make(role, [one], { irreversible: true })).secret);
      const others = permissions.filter((other) => other !== one);
      allBut.set(one, (await make(role, others, { irreversible: true })).secret);
      if (role === 'Admin') careful.set(one, (await make(role, [one])).secret);
    }
  });

  it.each(routes)(
    '%s',
    async (name, route) => {
      // Public routes do not check the caller.
      if (typeof route.access === 'string') return;
      const permission = permissionOf(name, route);
      if (permission === undefined)
        return expect(await answerOf(route, everything)).toEqual({ status: 403, code: 'platform.key_never' });
      expect(await answerOf(route, allBut.get(permission) ?? ''), 'all other permissions').toEqual({
        status: 403,
        code: 'platform.key_permission',
      });
      const secret = exactly.get(permission) ?? '';
      if (!route.access.roles.includes(role))
        return expect(await answerOf(route, secret), 'the person may not').toEqual({
          status: 403,
          code: 'platform.forbidden',
        });
      if (route.fresh)
        expect(await answerOf(route, careful.get(permission) ?? ''), 'cannot be undone').toEqual({
          status: 403,
          code: 'platform.key_irreversible',
        });
      // This call would fill the console with demo data.
      if (name === 'administration.importDemo') return;
      // An import changes other areas, too, and demands their permissions.
      const demandsMore = name === 'administration.importFocus';
      if (demandsMore)
        expect(await answerOf(route, secret), 'the other areas').toEqual({
          status: 403,
          code: 'platform.key_permission',
        });
      const enough = demandsMore ? everything : secret;
      expect([401, 403], 'the person may').not.toContain((await answerOf(route, enough)).status);
    },
    30_000,
  );
});

describe('T-KEYS: a key never has more access than its owner has now', () => {
  beforeAll(async () => {
    await sql`update api_key set revoked_at = now() where revoked_at is null`.execute(
      console.app.database.kysely,
    );
  });

  it('works only from its IPv4 and IPv6 addresses, as reported by a trusted proxy', async () => {
    const { secret, key } = await make('User', ['customers:read'], {
      addresses: [' 203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
    });
    expect(key.addresses).toEqual(['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32']);
    const from = (address: string) => readsOrganization(secret, { 'x-forwarded-for': address });
    expect(await from('203.0.113.99')).toBe(200);
    expect(await from('::ffff:203.0.113.99')).toBe(200);
    expect(await from('198.51.100.7')).toBe(200);
    expect(await from('2001:db8:1::1')).toBe(200);
    for (const address of ['203.0.114.1', '198.51.100.8', '2001:db9::1', '::1'])
      expect(await from(address), address).toBe('403 platform.key_address');
    expect(await readsOrganization(secret)).toBe('403 platform.key_address');
    // Only the last hop is reported by the trusted proxy; anybody can forge the ones before.
    expect(await from('203.0.113.99, 192.0.2.1')).toBe('403 platform.key_address');
    for (const wrong of [
      '10.0.0.1/8',
      '300.1.1.1',
      '10.0.0.0/33',
      'example.com',
      '10.1/16',
      '::ffff:10.0.0.0/104',
    ]) {
      const { status, envelope } = await console.call(
        identity.createOrganizationKey,
        { name: 'x', scope: 'permissions', permissions: ['usage:read'], addresses: [wrong] },
        { token: owner.token },
      );
      expect([status, envelope.errors?.[0]?.field, envelope.errors?.[0]?.code], wrong).toEqual([
        400,
        'addresses',
        'identity.key_address_wrong',
      ]);
    }
  });

  it('stops working when it expires or is revoked, and changes take effect at the next call', async () => {
    const expiresAt = new Date(console.clock.now().getTime() + 3_600_000);
    const { secret } = await make('User', ['customers:read'], { expiresAt });
    const other = await make('User', ['customers:read']);
    expect(await readsOrganization(secret)).toBe(200);
    console.clock.set(new Date(expiresAt.getTime() - 1));
    expect(await readsOrganization(secret)).toBe(200);
    console.clock.set(expiresAt);
    expect(await readsOrganization(secret)).toBe('401 platform.sign_in_required');
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    owner = { ...owner, token: await signIn(console, 'owner@one.example') };
    expect(await readsOrganization(other.secret)).toBe(200);
    await console.ok(identity.revokeApiKey, { keyId: other.key.id }, asAdmin());
    expect(await readsOrganization(other.secret)).toBe('401 platform.sign_in_required');
  });

  it('loses access when its owner is deactivated, demoted, restricted or moved to another organization', async () => {
    const person = await registerUser(console, 'mover@two.example', 'Two');
    const userId = person.userId as never;
    const { secret } = await make(
      'User',
      ['customers:read', 'customers:write', 'operations:read'],
      {},
      person.token,
    );
    const set = (change: object) => console.ok(identity.updateUser, { userId, ...change }, asAdmin());
    const renames = async () =>
      (await console.call(identity.updateOrganization, { purchaseOrder: 'P' }, { token: secret })).status;
    expect([await readsOrganization(secret), await renames()]).toEqual([200, 200]);

    await set({ status: 'inactive' });
    expect(await readsOrganization(secret)).toBe('401 platform.sign_in_required');
    await set({ status: 'active' });
    expect(await readsOrganization(secret)).toBe(200);

    await console.ok(
      identity.createUser,
      {
        account: 'second@two.example',
        name: 'S',
        role: 'User',
        organizationId: person.organizationId as never,
        password: userPassword,
      },
      asAdmin(),
    );
    await set({ role: 'ReadOnly' });
    expect([await readsOrganization(secret), await renames()]).toEqual([200, 403]);
    await set({ role: 'User' });
    expect(await renames()).toBe(200);

    const endpoints = async () =>
      (await console.call(webhooks.listEndpoints, {}, { token: secret })).envelope.code;
    expect(await endpoints()).toBeUndefined();
    await console.ok(grantsContract.saveGrants, { withdrawn: ['user_webhooks'], before: [] }, asAdmin());
    expect(await endpoints()).toBe('platform.not_granted');
    await console.ok(grantsContract.saveGrants, { withdrawn: [], before: ['user_webhooks'] }, asAdmin());
    expect(await endpoints()).toBeUndefined();

    // A user who becomes an Admin or changes organization does not keep the key of the old tenant.
    await set({ organizationId: owner.organizationId });
    expect(await readsOrganization(secret)).toBe('401 platform.sign_in_required');
    await set({ role: 'Admin' });
    expect(await lists(secret)).toBe('401 platform.sign_in_required');
  });

  it('is deleted with its owner, and not restored with them', async () => {
    const person = await registerUser(console, 'gone@three.example', 'Three');
    const { secret } = await make('User', ['customers:read'], {}, person.token);
    await console.ok(users.deleteUser, { userId: person.userId as never }, asAdmin());
    expect(await readsOrganization(secret)).toBe('401 platform.sign_in_required');
    await sql`update app_user set status = status_before, status_before = null, deleted_at = null where id = ${person.userId}`.execute(
      console.app.database.kysely,
    );
    expect(await readsOrganization(secret)).toBe('401 platform.sign_in_required');
  });

  it('needs the second factor that its owner’s role requires', async () => {
    const { secret } = await make('Admin', ['catalogue:read']);
    expect(await lists(secret)).toBe(200);
    const db = console.app.database.kysely;
    await sql`insert into setting (key, value, changed_at, changed_by) values (${requireAdminTwoFactor.key}, 'true'::jsonb, now(), 'test')`.execute(
      db,
    );
    expect(await lists(secret)).toBe('403 platform.enrol_second_factor');
    await sql`delete from setting where key = ${requireAdminTwoFactor.key}`.execute(db);
    expect(await lists(secret)).toBe(200);
  });

  it('is rate limited by itself', async () => {
    const [busy, calm] = [await make('User', ['customers:read']), await make('User', ['customers:read'])];
    for (let call = 0; call < keyCallsPerMinute - 1; call++)
      await countCall(console.app.database.pool, sha256(`key ${busy.key.id}`), 60_000);
    expect(await readsOrganization(busy.secret)).toBe(200);
    expect(await readsOrganization(busy.secret)).toBe('429 platform.too_many_requests');
    expect(await readsOrganization(calm.secret)).toBe(200);
  }, 30_000);
});

describe('T-KEYS: calls by a key', () => {
  it('are in the audit log with the key and its owner, including rejected ones', async () => {
    const { secret, key } = await make('User', ['customers:write']);
    await console.ok(identity.updateOrganization, { purchaseOrder: 'PO-1' }, { token: secret });
    await console.call(identity.organization, {}, { token: secret });
    const { rows } = await sql<{
      actor_kind: string;
      action: string;
      detail: Record<string, unknown>;
    }>`select actor_kind, action, detail from audit_log where actor_id = ${key.id} order by seq`.execute(
      console.app.database.kysely,
    );
    expect(rows).toMatchObject([
      { actor_kind: 'apiKey', action: 'identity.updateOrganization', detail: { actsFor: owner.userId } },
      {
        actor_kind: 'apiKey',
        action: 'platform.refused',
        detail: { code: 'platform.key_permission', actsFor: owner.userId },
      },
    ]);
  });

  it('are rejected with the name of the missing permission, in both languages', async () => {
    const { secret } = await make('User', ['customers:write']);
    const messageIn = async (language: 'zhTW' | 'enUS') =>
      (await console.call(identity.organization, {}, { token: secret, language })).envelope.message;
    expect(await messageIn('zhTW')).toBe('這把 API 金鑰缺少權限 customers:read。請使用具有此權限的金鑰。');
    expect(await messageIn('enUS')).toBe(
      'This API key lacks the permission customers:read. Use a key that has it.',
    );
  });

  it('run once per Idempotency-Key, separately for each key', async () => {
    const [one, two] = [
      await make('Admin', ['catalogue:write', 'catalogue:read']),
      await make('Admin', ['catalogue:write']),
    ];
    const once = (secret: string, key: string) => ({ token: secret, headers: { 'idempotency-key': key } });
    const made = await console.ok(
      meters.createMeter,
      { key: 'hours', name: 'Hours', eventType: 'h', aggregation: 'sum', unit: 'h' },
      { token: one.secret },
    );
    const rename = (secret: string, key: string, name: string, version: number) =>
      console.call(meters.updateMeter, { meterId: made.id, name, version } as never, once(secret, key));
    const first = await rename(one.secret, 'a', 'Renamed', made.version);
    expect(first.data.version).toBe(made.version + 1);
    // Without the Idempotency-Key it would be rejected, because the version is outdated by now.
    expect((await rename(one.secret, 'a', 'Renamed', made.version)).data).toEqual(first.data);
    expect((await rename(one.secret, 'a', 'Other', made.version)).envelope.code).toBe(
      'platform.idempotency_conflict',
    );
    expect((await rename(two.secret, 'a', 'Renamed', made.version)).status).toBe(409);
    const remove = (key: string) =>
      console.call(meters.deleteMeter, { meterId: made.id } as never, once(one.secret, key));
    expect([(await remove('d')).status, (await remove('d')).status, (await remove('e')).status]).toEqual([
      200, 200, 404,
    ]);
  });
});

describe('T-KEYS: attacks', () => {
  it('a key cannot create keys, sessions, views or live tickets, whatever its permissions', async () => {
    const { secret, key } = await make('Admin', permissions, { irreversible: true });
    const code = async <R extends Route>(route: R, input: object) =>
      (await console.call(route, input as never, { token: secret })).envelope.code;
    expect(await code(identity.createApiKey, { name: 'more', scope: 'metering' })).toBe('platform.key_never');
    expect(await code(identity.rotateApiKey, { keyId: key.id })).toBe('platform.key_never');
    expect(await code(identity.revokeApiKey, { keyId: key.id })).toBe('platform.key_never');
    expect(await code(identity.startView, { userId: owner.userId, reason: 'to look' })).toBe(
      'platform.key_never',
    );
    expect(await code(identity.liveTicket, {})).toBe('platform.key_never');
    const asCookie = await fetch(`${console.address}/api/user/session`, {
      headers: { cookie: `session=${secret}` },
    });
    expect(asCookie.status).toBe(401);
    // It cannot report usage either, over HTTP or MQTT.
    expect(await showKey(console.app, key.id, secret)).toBeUndefined();
    expect(await activeKeyActor(console.app, key.id)).toBeUndefined();
  });

  it('its secret is shown only to its owner', async () => {
    const { account } = { account: 'colleague@one.example' };
    await console.ok(
      identity.createUser,
      {
        account,
        name: 'C',
        role: 'User',
        organizationId: owner.organizationId as never,
        password: userPassword,
      },
      asAdmin(),
    );
    const colleague = await signIn(console, account);
    const { key } = await make('User', ['customers:read']);
    const rotate = async (route: typeof identity.rotateApiKey, token: string) =>
      (await console.call(route, { keyId: key.id }, { token })).envelope.code;
    expect(await rotate(identity.rotateOrganizationKey, colleague)).toBe('identity.key_of_other');
    expect(await rotate(identity.rotateApiKey, admin)).toBe('identity.key_of_other');
    const { secret } = await console.ok(
      identity.rotateOrganizationKey,
      { keyId: key.id },
      { token: owner.token },
    );
    expect(await readsOrganization(secret)).toBe(200);
    // Everybody who may revoke keys can revoke it.
    await console.ok(identity.revokeOrganizationKey, { keyId: key.id }, { token: colleague });
  });

  it('creating one needs a recent sign-in and valid fields', async () => {
    const before = console.clock.now();
    const attempt = async (fields: object) => {
      const { status, envelope } = await console.call(
        identity.createApiKey,
        { name: 'x', scope: 'permissions', permissions: ['usage:read'], ...fields } as never,
        asAdmin(),
      );
      return [status, envelope.errors?.[0]?.code ?? envelope.code];
    };
    expect(await attempt({ permissions: [] })).toEqual([400, 'identity.key_needs_permission']);
    expect(await attempt({ organizationId: owner.organizationId })).toEqual([
      400,
      'identity.key_acts_for_you',
    ]);
    expect(await attempt({ scope: 'metering' })).toEqual([400, 'identity.key_scope_has_none']);
    expect(await attempt({ scope: 'metering', permissions: undefined, irreversible: true })).toEqual([
      400,
      'identity.key_scope_has_none',
    ]);
    console.clock.set(new Date(before.getTime() + 14 * 60_000));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect((await attempt({}))[0]).toBe(201);
    await sql`update session set proved_at = ${before}`.execute(console.app.database.kysely);
    console.clock.set(new Date(before.getTime() + 15 * 60_000 + 1));
    expect(await attempt({})).toEqual([403, 'platform.fresh_sign_in']);
    // Keys that only report usage are created as before.
    expect(await attempt({ scope: 'metering', permissions: undefined })).toEqual([201, undefined]);
  });
});
