// Custom roles: every route with and without its permission, that nobody gets past theirs, and that somebody with the whole role
// remains.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathNames, type Route } from '#kernel/contract.ts';
import { permissions, type Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import { id as shapeId } from '#kernel/shape.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { features } from '#app/features.ts';
import { grantsContract } from '#app/grants/contract.ts';
import { rolePermissionOf } from '#app/role-permissions.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { personWithRole } from '../support/custom-roles.ts';

const routes: [string, Route][] = [
  ...features.map((feature) => [feature.name, feature.contract] as const),
  ['monitoring', monitoring] as const,
  ['console', consoleContract] as const,
  ['grants', grantsContract] as const,
].flatMap(([name, contract]) =>
  Object.entries(contract).map(([verb, route]): [string, Route] => [`${name}.${verb}`, route]),
);

let console: TestConsole;
let admin: string;
let owner: Awaited<ReturnType<typeof registerUser>>;
let other: Awaited<ReturnType<typeof registerUser>>;

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
  owner = await registerUser(console, 'owner@one.example', 'One');
  other = await registerUser(console, 'owner@two.example', 'Two');
});
const asAdmin = () => ({ token: admin });
const asOwner = () => ({ token: owner.token });

const personId = (id: string) => z.parse(shapeId('usr'), id);

let counter = 0;
const personWith = (baseRole: Role, held: readonly Permission[]) =>
  personWithRole(console, admin, owner.organizationId, {
    account: `person${++counter}@one.example`,
    baseRole,
    held,
  });

async function answerOf(route: Route, token: string): Promise<string> {
  const path = pathNames(route.path).reduce((text, name) => text.replace(`:${name}`, 'x'), route.path);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const response = await fetch(`${console.address}/api${path}`, {
    method: route.method,
    headers: {
      ...(hasBody ? { 'content-type': route.raw?.types[0] ?? 'application/json' } : {}),
      authorization: `Bearer ${token}`,
    },
    ...(hasBody ? { body: route.raw ? '[' : '{"unknownField":1}' } : {}),
  });
  const text = await response.text();
  return response.status === 403 ? String(JSON.parse(text).code) : String(response.status);
}

describe.each(['Admin', 'User', 'ReadOnly'] as const)('T-ROLES: every route of %s, narrowed', (role) => {
  const setPermissions = (roleId: string, held: readonly Permission[]) =>
    sql`update custom_role set permissions = ${[...held]}::text[] where id = ${roleId}`.execute(
      console.app.database.kysely,
    );

  it('each route needs the permission of its area, and no other permission grants it', async () => {
    const { role: custom, token } = await personWith(role, ['usage:read']);
    const own = routes.filter(
      ([, route]) => typeof route.access === 'object' && route.access.roles.includes(role),
    );
    for (const held of permissions) {
      const rest = permissions.filter((one) => one !== held && one !== 'people:write');
      await setPermissions(custom.id, rest);
      for (const [name, route] of own)
        if (rolePermissionOf(name, route) === held)
          expect(await answerOf(route, token), `${name} without ${held}`).toBe('platform.role_permission');
      // Access with the permission is tested for one role only, because the check is the same for all.
      if (role !== 'User' || held === 'people:write') continue;
      await setPermissions(custom.id, [held]);
      for (const [name, route] of own)
        if (rolePermissionOf(name, route) === held)
          expect(await answerOf(route, token), `${name} with ${held} alone`).not.toMatch(/^platform\.role/);
    }
    // Calls about one’s own account need no permission; all others must be in the table.
    for (const [name, route] of own) expect(rolePermissionOf(name, route), name).toBeDefined();
  });
});

describe('T-ROLES: calls about one’s own account', () => {
  it('need no permission, according to a list kept in this test', () => {
    const own = routes
      .filter(([name, route]) => typeof route.access === 'object' && rolePermissionOf(name, route) === 'own')
      .map(([name]) => name);
    const features = [...new Set(own.map((name) => name.split('.')[0]))].toSorted();
    expect(features).toEqual([
      'administration',
      'approvals',
      'devices',
      'federation',
      'grants',
      'identity',
      'notifications',
      'push',
      'signin',
    ]);
    expect(
      own.filter((name) => /^(identity|grants|federation|administration|approvals)\./.test(name)).toSorted(),
    ).toEqual(
      [
        'federation.externalIdentities',
        'federation.linkIdentity',
        'federation.unlinkIdentity',
        'grants.ownGrants',
        'administration.seenAs',
        'approvals.getApproval',
        'approvals.listApprovals',
        'approvals.takeSecrets',
        'approvals.withdrawApproval',
        ...[
          'avatar',
          'changeView',
          'deleteView',
          'endOtherSessions',
          'endSession',
          'endView',
          'liveTicket',
          'profile',
          'removeAvatar',
          'saveView',
          'savedViews',
          'sessions',
          'setAvatar',
          'updateProfile',
        ].map((verb) => `identity.${verb}`),
      ].toSorted(),
    );
  });
});

describe('T-ROLES: defining a custom role', () => {
  const make = (input: object, token: string, route: Route = customRoles.createRole) =>
    console.call(
      route,
      { name: 'Other', description: '', baseRole: 'User', permissions: ['usage:read'], ...input } as never,
      { token },
    );
  const codeOf = ({ envelope, status }: { status: number; envelope: { code?: string | undefined } }) =>
    envelope.code ?? String(status);

  it.each([
    ['people:write', { permissions: ['usage:read', 'people:write'] }, 'customroles.permission_of_base'],
    [
      'a write permission for a ReadOnly role',
      { baseRole: 'ReadOnly', permissions: ['usage:write'] },
      'customroles.permission_of_base',
    ],
  ])('%s is rejected', async (_what, input, code) => {
    expect(codeOf(await make(input, admin))).toBe(code);
  });

  it('its name is unique within its scope, and it is deleted only when nobody has it', async () => {
    const { role } = await personWith('User', ['usage:read']);
    expect(codeOf(await make({ name: role.name.toUpperCase() }, admin))).toBe('customroles.name_taken');
    expect(codeOf(await console.call(customRoles.deleteRole, { roleId: role.id }, asAdmin()))).toBe(
      'customroles.in_use',
    );
    // Another organization may use the same name.
    expect(codeOf(await make({ name: role.name }, owner.token, customRoles.createOwnRole))).toBe('201');
    const { items } = await console.ok(customRoles.listRoles, {}, asAdmin());
    expect(items.find((one) => one.id === role.id)).toMatchObject({
      people: 1,
      baseRole: 'User',
      organizationId: null,
    });
  });

  it('roles of an organization are its own: other organizations cannot see, change, delete or assign them, and customers cannot change the platform’s', async () => {
    const own = await console.ok(
      customRoles.createOwnRole,
      { name: 'Accounts', description: 'Bills only', baseRole: 'User', permissions: ['billing:read'] },
      asOwner(),
    );
    const platform = (await console.ok(customRoles.listRoles, {}, asAdmin())).items[0];
    const theirs = await console.ok(customRoles.listOwnRoles, {}, { token: other.token });
    expect(theirs.items.map(({ id }) => id)).not.toContain(own.id);
    expect(theirs.items.every(({ people }) => people === 0)).toBe(true);
    for (const roleId of [own.id, platform?.id ?? own.id]) {
      const fields = { roleId, name: 'Taken over', description: '', permissions: ['usage:read' as const] };
      expect(codeOf(await console.call(customRoles.updateOwnRole, fields, { token: other.token }))).toBe(
        'customroles.not_found',
      );
      expect(codeOf(await console.call(customRoles.deleteOwnRole, { roleId }, { token: other.token }))).toBe(
        'customroles.not_found',
      );
    }
    const change = { userId: personId(other.userId), customRoleId: own.id };
    expect(codeOf(await console.call(identity.updateUser, change, asAdmin()))).toBe(
      'identity.custom_role_elsewhere',
    );
    expect(codeOf(await make({ baseRole: 'Admin', organizationId: owner.organizationId }, admin))).toBe(
      'customroles.permission_of_base',
    );
  });
});

describe('T-ROLES: assigning a custom role', () => {
  const change = (userId: string, input: object, token = admin) =>
    console.call(identity.updateUser, { userId: personId(userId), ...input } as never, { token });

  it('anybody who manages users can assign and remove it; it must be based on the user’s built-in role', async () => {
    const { role, user, account, token } = await personWith('User', ['usage:read']);
    expect((await console.ok(identity.profile, {}, { token })).customRole).toMatchObject({ name: role.name });
    expect((await console.call(identity.organization, {}, { token })).envelope.code).toBe(
      'platform.role_permission',
    );
    // Assigning another built-in role removes the custom one.
    expect((await change(user.id, { role: 'ReadOnly', customRoleId: role.id })).envelope.code).toBe(
      'identity.custom_role_base',
    );
    expect((await change(user.id, { role: 'ReadOnly' })).data).toMatchObject({
      role: 'ReadOnly',
      customRole: null,
    });
    expect((await change(user.id, { role: 'User', customRoleId: role.id })).data).toMatchObject({
      customRole: { id: role.id },
    });
    // Each change has ended the user’s sessions.
    expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
    const member = { userId: personId(user.id), customRoleId: null };
    expect(await console.ok(identity.updateMember, member, asOwner())).toMatchObject({ customRole: null });
    const again = await signIn(console, account);
    expect((await console.call(identity.organization, {}, { token: again })).status).toBe(200);
  });

  it('an invitation can assign it, from the first sign-in', async () => {
    const role = await console.ok(
      customRoles.createOwnRole,
      { name: 'Invited', description: '', baseRole: 'User', permissions: ['usage:read'] },
      asOwner(),
    );
    const wrong = { email: 'new@one.example', role: 'ReadOnly', customRoleId: role.id } as const;
    expect((await console.call(identity.invite, wrong, asOwner())).envelope.code).toBe(
      'identity.custom_role_base',
    );
    const sent = await console.ok(identity.invite, { ...wrong, role: 'User' }, asOwner());
    expect(sent.invitation.customRole).toMatchObject({ name: 'Invited' });
    const token = sent.link.split('#token=')[1] ?? '';
    const fields = { token, name: 'New', password: userPassword };
    const { user } = await console.ok(identity.acceptInvitation, fields);
    expect(user.customRole).toMatchObject({ id: role.id });
    const own = { token: await signIn(console, 'new@one.example') };
    expect((await console.call(identity.organization, {}, own)).envelope.code).toBe(
      'platform.role_permission',
    );
    // A role in an open invitation is in use.
    const { invitation } = await console.ok(
      identity.invite,
      { email: 'later@one.example', role: 'User', customRoleId: role.id },
      asOwner(),
    );
    await console.ok(identity.updateMember, { userId: user.id, customRoleId: null }, asOwner());
    expect(
      (await console.call(customRoles.deleteOwnRole, { roleId: role.id }, asOwner())).envelope.code,
    ).toBe('customroles.in_use');
    await console.ok(identity.revokeInvitation, { invitationId: invitation.id }, asOwner());
    expect((await console.call(customRoles.deleteOwnRole, { roleId: role.id }, asOwner())).status).toBe(200);
  });

  it('changing it takes effect at the next call, ends the sessions of its users, and restricts their keys', async () => {
    const { role, account, token } = await personWith('User', [
      'usage:read',
      'operations:write',
      'customers:read',
    ]);
    const { secret } = await console.ok(
      identity.createOrganizationKey,
      { name: 'program', scope: 'permissions', permissions: ['customers:read', 'billing:read'] },
      { token },
    );
    const reads = (bearer: string) => console.call(identity.organization, {}, { token: bearer });
    expect((await reads(secret)).status).toBe(200);
    const fields = {
      roleId: role.id,
      name: role.name,
      description: '',
      permissions: ['usage:read' as const],
    };
    await console.ok(customRoles.updateRole, fields, asAdmin());
    expect((await reads(token)).status).toBe(401);
    expect((await reads(secret)).envelope.code).toBe('platform.role_permission');
    expect((await reads(await signIn(console, account))).envelope.code).toBe('platform.role_permission');
  });

  it('one Admin and one User without a custom role must remain', async () => {
    const { user } = await personWith('Admin', ['billing:read']);
    const { items } = await console.ok(identity.listUsers, { role: 'Admin' }, asAdmin());
    const self = items.find(({ customRole }) => customRole === null);
    const role = (await console.ok(customRoles.listRoles, {}, asAdmin())).items.find(
      ({ baseRole }) => baseRole === 'Admin',
    );
    expect((await change(self?.id ?? '', { customRoleId: role?.id })).envelope.code).toBe(
      'identity.last_admin',
    );
    // The user with the custom role may be deleted.
    expect((await change(user.id, { status: 'inactive' })).status).toBe(200);
    const member = await personWith('User', ['usage:read']);
    const lone = { userId: personId(owner.userId), customRoleId: member.role.id };
    expect((await console.call(identity.updateMember, lone, asOwner())).envelope.code).toBe(
      'identity.member_self',
    );
  });

  it('viewing as a user shows no more than that user may see, and only Admins without a custom role may view', async () => {
    const { user } = await personWith('User', ['usage:read']);
    const view = await console.ok(
      identity.startView,
      { userId: personId(user.id), reason: 'A question by telephone' },
      asAdmin(),
    );
    expect((await console.call(identity.organization, {}, { token: view.token })).envelope.code).toBe(
      'platform.role_permission',
    );
    const { user: viewer, token } = await personWith('Admin', ['people:read']);
    expect(await answerOf(identity.startView, token)).toBe('platform.role_permission');
    expect(viewer.customRole?.permissions).toEqual(['people:read']);
  });
});
