// Companies manage their users by SCIM 2.0 (RFC 7643, RFC 7644): the requests of the standard’s examples, and
// the effects on accounts, roles and sessions.
import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { providers, type IdentityProvider } from '#features/access/providers/contract.ts';
import { changed, CompanyBrowser, newProvider, verifyDomain } from '../support/company.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { startTestDns } from '../support/dns.ts';
import { makeSamlIdp } from '../support/saml-idp.ts';

const dns = await startTestDns();
const console = await createTestConsole(new Date('2026-11-20T10:00:00Z'), {
  DNS_SERVERS: dns.address,
  TRUST_PROXY: '127.0.0.1',
});
const admin = { token: await setUp(console) };
const harbour = await registerUser(console, 'owner@elsewhere.example', 'Harbour');
const idp = makeSamlIdp();
let provider = await console.ok(
  providers.createProvider,
  newProvider({ idp, organizationId: harbour.organizationId }),
  admin,
);
provider = await verifyDomain(console, dns, admin.token, provider, 'example.com');
const { token } = await console.ok(providers.makeScimToken, { providerId: provider.id }, admin);

type Resource = Record<string, unknown> & {
  id: string;
  active: boolean;
  members: { value: string }[];
  groups: { value: string; display: string }[];
  meta: { location: string; version: string };
  Resources: Resource[];
  totalResults: number;
  itemsPerPage: number;
  scimType?: string;
};
async function scim(
  method: string,
  path: string,
  body?: object | string,
  with_: { token?: string; provider?: IdentityProvider; type?: string } = {},
): Promise<{ status: number; body: Resource; headers: Headers }> {
  const response = await fetch(`${console.address}/scim/v2/${(with_.provider ?? provider).id}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${with_.token ?? token}`,
      ...(body !== undefined && { 'content-type': with_.type ?? 'application/scim+json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text === '' ? {} : JSON.parse(text)) as Resource,
    headers: response.headers,
  };
}
const user = (name: string, more: object = {}): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@example.com`,
  externalId: name,
  name: { formatted: `Ms. ${name}`, familyName: 'Jensen', givenName: name },
  ...more,
});
const patch = (...Operations: object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const create = async (name: string, more: object = {}): Promise<Resource> => {
  const { status, body } = await scim('POST', '/Users', user(name, more));
  expect([status, body['detail']]).toEqual([201, undefined]);
  return body;
};
const group = async (displayName: string, ...members: Resource[]): Promise<Resource> => {
  const { status, body } = await scim('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName,
    members: members.map(({ id }) => ({ value: id })),
  });
  expect([status, body['detail']]).toEqual([201, undefined]);
  return body;
};
const account = (userId: string) => console.ok(identity.getUser, { userId } as never, admin);
const users = await group('console-users');
const members = (op: string, ...people: Resource[]): object => ({
  op,
  path: 'members',
  value: people.map(({ id }) => ({ value: id })),
});
async function admitted(name: string): Promise<Resource> {
  const made = await create(name);
  await scim('PATCH', `/Groups/${users.id}`, patch(members('add', made)));
  return made;
}
async function signInBySaml(name: string, groups: string[] = []) {
  const browser = new CompanyBrowser(console.address);
  const target = await browser.begin(console, `${name}@example.com`);
  const answer = idp.answer(target, { nameId: name, email: `${name}@example.com`, groups });
  return browser.complete((await browser.post(target, answer)).ticket);
}

describe('T-SCIM users', () => {
  it('creates a user as in RFC 7644, 3.3, and responds with its location', async () => {
    const { status, body, headers } = await scim('POST', '/Users', user('bjensen'));
    expect(status).toBe(201);
    expect(headers.get('content-type')).toContain('application/scim+json');
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      externalId: 'bjensen',
      userName: 'bjensen@example.com',
      name: { formatted: 'Ms. bjensen', familyName: 'Jensen', givenName: 'bjensen' },
      active: true,
      meta: { resourceType: 'User', location: `${provider.ours.scimUrl}/Users/${body.id}`, version: 'W/"1"' },
    });
    expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body);
    // The user is in no group yet and cannot sign in.
    expect(await account(body.id)).toMatchObject({ status: 'inactive', organization: 'Harbour' });
    expect(await scim('POST', '/Users', user('bjensen'))).toMatchObject({
      status: 409,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
      },
    });
  });

  it('replaces a user (3.5.1), and keeps its userName, which is the account', async () => {
    const made = await create('replaced');
    const { body } = await scim(
      'PUT',
      `/Users/${made.id}`,
      user('replaced', { name: { formatted: 'Barbara Jensen' }, externalId: 'other' }),
    );
    expect(body).toMatchObject({
      externalId: 'other',
      displayName: 'Barbara Jensen',
      name: { givenName: '', familyName: '' },
      meta: { version: 'W/"2"' },
    });
    expect((await account(made.id)).name).toBe('Barbara Jensen');
    expect(await scim('PUT', `/Users/${made.id}`, user('renamed'))).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    });
  });

  test.each<[string, object, object]>([
    ['Okta', { op: 'replace', value: { active: false } }, { active: false }],
    ['Entra ID', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [
      'a part of the name',
      { op: 'replace', path: 'name.givenName', value: 'Bab' },
      { displayName: 'Bab Jensen' },
    ],
    ['the displayed name', { op: 'add', path: 'displayName', value: 'Babs' }, { displayName: 'Babs' }],
    [
      'a path with its schema',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'Bo' },
      { displayName: 'Bo' },
    ],
  ])('patches a user as %s does (3.5.2)', async (name, operation, expected) => {
    const made = await create(`patch-${name.toLowerCase().replaceAll(/[^a-z]/g, '')}`);
    const answer = await scim('PATCH', `/Users/${made.id}`, patch(operation));
    expect([answer.status, answer.body]).toMatchObject([200, expected]);
  });

  it('lists, filters and pages (3.4.2)', async () => {
    const made = await create('listed');
    const list = async (query: string) => (await scim('GET', `/Users?${query}`)).body;
    const filtered = (text: string) => list(`filter=${encodeURIComponent(text)}`);
    for (const text of [
      'userName eq "Listed@Example.com"',
      'externalId eq "listed"',
      `id eq "${made.id}"`,
      'userName sw "listed"',
      'userName eq "listed@example.com" and active eq true',
      'emails[type eq "work" and value co "listed@"]',
    ])
      expect([text, (await filtered(text)).Resources.map(({ id }) => id)]).toEqual([text, [made.id]]);
    expect(await filtered('userName eq "nobody@example.com"')).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const all = await list('');
    const second = await list('startIndex=2&count=1');
    expect(second).toMatchObject({ totalResults: all.totalResults, itemsPerPage: 1, startIndex: 2 });
    expect(second.Resources[0]?.id).toBe(all.Resources[1]?.id);
    expect(await list('count=0')).toMatchObject({ itemsPerPage: 0, totalResults: all.totalResults });
    expect(await filtered('userName eq')).toMatchObject({ status: '400', scimType: 'invalidFilter' });
    expect(await filtered('__proto__ eq "x"')).toMatchObject({ scimType: 'invalidFilter' });
  });

  it('deletes a user (3.6): the account is inactive, the resource is gone, and the name can be used again', async () => {
    const made = await admitted('leaving');
    expect((await account(made.id)).status).toBe('active');
    expect((await scim('DELETE', `/Users/${made.id}`)).status).toBe(204);
    expect((await scim('GET', `/Users/${made.id}`)).status).toBe(404);
    expect((await account(made.id)).status).toBe('inactive');
    const again = await create('leaving');
    expect(again.id).toBe(made.id);
    // After the deletion, groups apply again only when the provider sends them.
    expect((await account(made.id)).status).toBe('inactive');
  });

  test.each<[string, object, number, string]>([
    ['another domain', { userName: 'x@other.example' }, 400, 'invalidValue'],
    ['no address', { userName: 'bjensen' }, 400, 'invalidValue'],
    ['no user name', { userName: undefined }, 400, 'invalidValue'],
    ['an account of another person', { userName: 'taken@example.com' }, 409, 'uniqueness'],
    ['a malformed flag', { active: 'maybe' }, 400, 'invalidValue'],
  ])('rejects %s', async (_name, more, status, scimType) => {
    if (
      status === 409 &&
      !(await console.call(identity.listUsers, { q: 'taken@' } as never, admin)).data.total
    )
      await registerUser(console, 'taken@example.com', 'Own');
    expect(await scim('POST', '/Users', user('refused', more))).toMatchObject({ status, body: { scimType } });
  });
});

describe('T-SCIM groups', () => {
  it('creates a group, patches members as in 3.5.2, replaces and deletes it; members get its role', async () => {
    const [one, two] = [await create('one'), await create('two')];
    const made = await group('Auditors', one);
    expect(made.members).toEqual([{ value: one.id, display: 'Ms. one' }]);
    expect((await account(one.id)).status).toBe('inactive');
    await console.ok(
      providers.updateProvider,
      changed(provider, { groups: [...provider.groups, { group: 'Auditors', role: 'ReadOnly' }] }),
      admin,
    );
    // An Admin’s change of the mapping takes effect immediately.
    expect(await account(one.id)).toMatchObject({ status: 'active', role: 'ReadOnly' });
    const ids = async (operation: object) =>
      (await scim('PATCH', `/Groups/${made.id}`, patch(operation))).body.members.map(({ value }) => value);
    expect((await ids(members('add', two))).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await ids({ op: 'remove', path: `members[value eq "${one.id}"]` })).toEqual([two.id]);
    expect(await ids(members('Remove', two))).toEqual([]);
    expect(await ids(members('replace', one))).toEqual([one.id]);
    expect((await ids({ op: 'add', value: { members: [{ value: two.id }] } })).length).toBe(2);
    expect(await ids({ op: 'remove', path: 'members' })).toEqual([]);
    expect((await account(one.id)).status).toBe('inactive');
    const renamed = await scim('PUT', `/Groups/${made.id}`, {
      displayName: 'console-users-2',
      members: [{ value: one.id }],
    });
    expect(renamed.body).toMatchObject({ displayName: 'console-users-2', members: [{ value: one.id }] });
    expect(
      await scim('PATCH', `/Groups/${made.id}`, patch(members('add', { ...one, id: harbour.userId }))),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
    expect(await scim('POST', '/Groups', { displayName: 'console-users' })).toMatchObject({ status: 409 });
    const found = await scim(
      'GET',
      `/Groups?filter=${encodeURIComponent('displayName eq "console-users-2"')}&excludedAttributes=members`,
    );
    expect(found.body.Resources).toMatchObject([{ id: made.id }]);
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    expect((await scim('DELETE', `/Groups/${made.id}`)).status).toBe(204);
    expect((await scim('GET', `/Groups/${made.id}`)).status).toBe(404);
    await console.ok(providers.updateProvider, changed(provider, {}), admin);
  });
});

describe('T-ROLES: groups mapped to custom roles', () => {
  it('restrict their members as soon as the provider sends them; a group with the full role takes precedence', async () => {
    const role = await console.ok(
      customRoles.createRole,
      {
        name: 'Bookkeeper',
        description: '',
        baseRole: 'User',
        permissions: ['billing:read'],
        organizationId: provider.organizationId ?? undefined,
      },
      admin,
    );
    const clerk = await create('clerk');
    const made = await group('Bookkeepers', clerk);
    const given = { group: 'Bookkeepers', role: 'User' as const, customRoleId: role.id };
    const map = (groups: typeof provider.groups) =>
      console.call(providers.updateProvider, changed(provider, { groups }), admin);
    // The custom role must be based on the mapped role, and belong to this organization or the platform.
    expect((await map([{ ...given, role: 'ReadOnly' }])).envelope.code).toBe('identity.custom_role_base');
    const elsewhere = await registerUser(console, 'owner@island.example', 'Island');
    const foreign = await console.ok(
      customRoles.createOwnRole,
      { name: 'Theirs', description: '', baseRole: 'User', permissions: ['billing:read'] },
      { token: elsewhere.token },
    );
    expect((await map([{ ...given, customRoleId: foreign.id }])).envelope.code).toBe(
      'identity.custom_role_elsewhere',
    );
    expect((await map([...provider.groups, given])).status).toBe(200);
    expect(await account(clerk.id)).toMatchObject({
      status: 'active',
      role: 'User',
      customRole: { name: 'Bookkeeper' },
    });
    const own = { token: (await signInBySaml('clerk')).data?.token ?? '' };
    expect((await console.call(identity.organization, {}, own)).envelope.code).toBe(
      'platform.role_permission',
    );
    await scim('PATCH', `/Groups/${users.id}`, patch(members('add', clerk)));
    expect((await account(clerk.id)).customRole).toBeNull();
    await scim('PATCH', `/Groups/${users.id}`, patch(members('remove', clerk)));
    expect((await account(clerk.id)).customRole).toMatchObject({ id: role.id });
    const gone = await console.call(customRoles.deleteRole, { roleId: role.id }, admin);
    expect(gone.envelope.code).toBe('customroles.in_use');
    await scim('DELETE', `/Groups/${made.id}`);
    await console.ok(providers.updateProvider, changed(provider, {}), admin);
  });
});

describe('T-SCIM sessions', () => {
  it('a user created by SCIM signs in without verification, and is signed out immediately when deactivated', async () => {
    const made = await admitted('mei');
    const signedIn = await signInBySaml('mei');
    expect(signedIn.data?.user).toMatchObject({ id: made.id, role: 'User', organization: 'Harbour' });
    const own = { token: signedIn.data?.token ?? '' };
    expect((await console.call(identity.profile, {}, own)).status).toBe(200);
    await scim('PATCH', `/Users/${made.id}`, patch({ op: 'replace', value: { active: false } }));
    expect((await console.call(identity.profile, {}, own)).status).toBe(401);
    expect(await signInBySaml('mei')).toMatchObject({ status: 401, code: 'federation.account_inactive' });
    await scim('PATCH', `/Users/${made.id}`, patch({ op: 'replace', path: 'active', value: true }));
    // After reactivation the old session stays ended.
    expect((await console.call(identity.profile, {}, own)).status).toBe(401);
    expect((await signInBySaml('mei')).status).toBe(200);
    // An account that an Admin deactivated stays so, whatever the provider sends.
    await console.ok(identity.updateUser, { userId: made.id, status: 'inactive' } as never, admin);
    await scim('PATCH', `/Users/${made.id}`, patch({ op: 'replace', path: 'displayName', value: 'Mei' }));
    expect(await account(made.id)).toMatchObject({ status: 'inactive', name: 'Mei' });
    const { rows } = await sql<{
      action: string;
    }>`select action from audit_log where subject = ${made.id} and action like 'scim.%' order by id`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['scim.createUser', 'scim.activateUser', 'scim.deactivateUser']),
    );
  });
});

describe('T-SCIM existing accounts', () => {
  it('takes over accounts created by sign-ins of the provider, and ends their sessions until a group admits them', async () => {
    const signedIn = await signInBySaml('early', ['console-users']);
    const own = { token: signedIn.data?.token ?? '' };
    const made = await create('early');
    expect(made.id).toBe(signedIn.data?.user.id);
    expect((await console.call(identity.profile, {}, own)).status).toBe(401);
    await scim('PATCH', `/Groups/${users.id}`, patch(members('add', made)));
    expect((await signInBySaml('early')).status).toBe(200);
    await scim('PATCH', `/Users/${made.id}`, patch({ op: 'replace', path: 'active', value: false }));
    expect((await account(made.id)).status).toBe('inactive');
  });

  it('does not touch accounts that people registered themselves', async () => {
    await registerUser(console, 'self@example.com', 'Self');
    expect((await scim('POST', '/Users', user('self'))).status).toBe(409);
  });
});

describe('T-SCIM access and discovery', () => {
  it('accepts only the current token of its provider', async () => {
    const other = await console.ok(
      providers.createProvider,
      newProvider({
        idp: makeSamlIdp('https://other.example'),
        organizationId: harbour.organizationId,
        name: 'Other',
      }),
      admin,
    );
    const made = await create('apart');
    const second = await console.ok(providers.makeScimToken, { providerId: other.id }, admin);
    expect((await scim('GET', '/Users', undefined, { token: second.token })).status).toBe(401);
    expect((await scim('GET', '/Users', undefined, { token: admin.token })).status).toBe(401);
    expect(
      (await scim('GET', `/Users/${made.id}`, undefined, { token: second.token, provider: other })).status,
    ).toBe(404);
    const third = await console.ok(providers.makeScimToken, { providerId: other.id }, admin);
    expect((await scim('GET', '/Users', undefined, { token: second.token, provider: other })).status).toBe(
      401,
    );
    expect((await scim('GET', '/Users', undefined, { token: third.token, provider: other })).status).toBe(
      200,
    );
    await console.ok(providers.removeScimToken, { providerId: other.id }, admin);
    const refused = await scim('GET', '/Users', undefined, { token: third.token, provider: other });
    expect(refused).toMatchObject({ status: 401, body: { status: '401' } });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('publishes its capabilities', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    expect((await scim('GET', '/ResourceTypes')).body.totalResults).toBe(2);
    expect((await scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).body['name']).toBe(
      'User',
    );
    expect((await scim('GET', '/Schemas/none')).status).toBe(404);
  });

  test.each<[string, string | object, number]>([
    ['no JSON', '{', 400],
    ['a list', '[]', 400],
    ['a prototype', '{"userName":"p@example.com","__proto__":{"x":1}}', 400],
    ['a patch without operations', { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] }, 400],
    ['a path into a prototype', patch({ op: 'add', path: '__proto__.x', value: 1 }), 400],
    ['a path into a constructor', patch({ op: 'add', path: 'constructor.prototype', value: { x: 1 } }), 400],
    ['a remove without a path', patch({ op: 'remove' }), 400],
    ['an unknown operation', patch({ op: 'move', path: 'active' }), 400],
  ])('rejects %s', async (_name, body, status) => {
    const made = await scim('GET', '/Users?count=1');
    const id = made.body.Resources[0]?.id ?? '';
    const answer = await scim('PATCH', `/Users/${id}`, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] });
    expect({}).not.toHaveProperty('x');
  });
});
