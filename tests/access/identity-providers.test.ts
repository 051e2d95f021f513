// Identity providers as Admins set them up: what is refused and why, domains that are proved, and addresses that
// must use their company's provider.
import { generate } from 'otplib';
import { describe, expect, it, test } from 'vitest';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { federation } from '#features/access/federation/contract.ts';
import { allowAdminSetting } from '#features/access/federation/server/index.ts';
import { identity } from '#features/access/identity/contract.ts';
import { providers } from '#features/access/providers/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { makeSelfSigned } from '../support/certificates.ts';
import { changed, CompanyBrowser, newProvider, verifyDomain } from '../support/company.ts';
import { adminAccount, createTestConsole, registerUser, setUp, userPassword } from '../support/console.ts';
import { startTestDns } from '../support/dns.ts';
import { makeSamlIdp, readRequest } from '../support/saml-idp.ts';

const dns = await startTestDns();
const console = await createTestConsole(new Date('2026-11-20T10:00:00Z'), {
  DNS_SERVERS: dns.address,
  TRUST_PROXY: '127.0.0.1',
});
const admin = { token: await setUp(console), language: 'enUS' } as const;
const harbour = await registerUser(console, 'owner@harbour.example', 'Harbour');
const idp = makeSamlIdp();
const given = newProvider({ idp, organizationId: harbour.organizationId }) as Record<string, unknown>;
const create = (change: object) =>
  console.call(providers.createProvider, { ...given, ...change } as never, admin);
const codeOf = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(console.clock.now().getTime() / 1000) });
let provider = await console.ok(providers.createProvider, given as never, admin);

describe('T-SAML adding an identity provider', () => {
  test.each<[string, object, string, string]>([
    ['a duplicate name', {}, 'providers.name_taken', 'name'],
    [
      'an address without TLS',
      { name: 'A', ssoUrl: 'http://idp.example/sso' },
      'providers.address_unsafe',
      'ssoUrl',
    ],
    ['no certificate', { name: 'A', certificates: ['hello'] }, 'providers.certificate_wrong', 'certificates'],
    [
      'a weak key',
      { name: 'A', certificates: [makeSelfSigned('weak', { bits: 1024 }).certificate] },
      'providers.certificate_weak',
      'certificates',
    ],
    [
      'an Admin of an organization',
      { name: 'A', groups: [{ group: 'x', role: 'Admin' }] },
      'providers.role_organization',
      'groups',
    ],
    [
      'a default Admin of an organization',
      { name: 'A', defaultRole: 'Admin' },
      'providers.role_organization',
      'defaultRole',
    ],
    [
      'a User of the platform',
      { name: 'A', organizationId: null, groups: [{ group: 'x', role: 'User' }] },
      'providers.role_platform',
      'groups',
    ],
    [
      'a duplicate group',
      {
        name: 'A',
        groups: [
          { group: 'x', role: 'User' },
          { group: 'x', role: 'ReadOnly' },
        ],
      },
      'providers.group_twice',
      'groups',
    ],
    [
      'required sign-in without a domain',
      { name: 'A', mustUse: true },
      'providers.must_use_needs_domain',
      'mustUse',
    ],
  ])('rejects %s with an error at its field', async (_name, change, code, field) => {
    const { envelope } = await create(change);
    expect(envelope).toMatchObject({ isSuccess: false, code, errors: [{ field }] });
  });

  it('reads metadata and reports missing parts', async () => {
    const read = (metadata: string) => console.call(providers.readMetadata, { metadata }, admin);
    expect((await read(idp.metadata)).data).toMatchObject({
      entityId: idp.entityId,
      ssoUrl: idp.ssoUrl,
      certificates: [{ pem: provider.certificates[0]?.pem }],
    });
    for (const [metadata, code] of [
      ['hello', 'providers.metadata_unreadable'],
      [`<!DOCTYPE x [<!ENTITY a "b">]>${idp.metadata}`, 'providers.metadata_unreadable'],
      ['<a/>', 'providers.metadata_no_provider'],
      [idp.metadata.replaceAll('HTTP-Redirect', 'HTTP-Artifact'), 'providers.metadata_no_redirect'],
      [
        idp.metadata.replace(/<ds:X509Certificate>.*<\/ds:X509Certificate>/, ''),
        'providers.metadata_no_certificate',
      ],
    ] as const)
      expect([metadata.slice(0, 20), (await read(metadata)).envelope.code]).toEqual([
        metadata.slice(0, 20),
        code,
      ]);
  });
});

describe('T-SAML mail domains', () => {
  const add = (domain: string, to = provider) =>
    console.call(providers.addDomain, { providerId: to.id, domain }, admin);

  it('takes effect once its DNS record is found, and belongs to one provider', async () => {
    expect((await add('harbour')).envelope.code).toBe('providers.domain_wrong');
    const added = (await add('Harbour.Example')).data;
    const row = added.domains[0];
    expect(row).toMatchObject({
      domain: 'harbour.example',
      recordName: '_skytally.harbour.example',
      verifiedAt: null,
    });
    expect((await add('harbour.example')).envelope.code).toBe('providers.domain_known');
    const verify = () =>
      console.call(providers.verifyDomain, { providerId: provider.id, domainId: row?.id as never }, admin);
    expect((await verify()).envelope.code).toBe('providers.domain_record_missing');
    dns.texts.set('_skytally.harbour.example', ['something else']);
    expect((await verify()).envelope.code).toBe('providers.domain_record_other');
    dns.texts.set('_skytally.harbour.example', ['v=spf1', row?.recordValue ?? '']);
    provider = (await verify()).data;
    expect(provider.domains[0]?.verifiedAt).not.toBeNull();
    const rival = await console.ok(
      providers.createProvider,
      newProvider({ idp, organizationId: harbour.organizationId, name: 'Rival' }),
      admin,
    );
    const claimed = (await add('harbour.example', rival)).data.domains[0];
    dns.texts.set('_skytally.harbour.example', [claimed?.recordValue ?? '']);
    expect(
      (
        await console.call(
          providers.verifyDomain,
          { providerId: rival.id, domainId: claimed?.id as never },
          admin,
        )
      ).envelope.code,
    ).toBe('providers.domain_taken');
  });

  it('selects the provider by the exact domain of an address', async () => {
    const second = makeSamlIdp('https://idp.valley.example');
    const valley = await console.ok(
      providers.createProvider,
      newProvider({ idp: second, organizationId: harbour.organizationId, name: 'Valley' }),
      admin,
    );
    await verifyDomain(console, dns, admin.token, valley, 'valley.example');
    const start = async (email: string) => {
      const answer = await new CompanyBrowser(console.address).call('/auth/company-sign-in', { email });
      const url = (answer.data as unknown as { url?: string } | null)?.url;
      return url === undefined ? answer.code : new URL(url).origin;
    };
    expect(await start('a@harbour.example')).toBe('https://idp.harbour.example');
    expect(await start('a@VALLEY.example')).toBe('https://idp.valley.example');
    for (const email of ['a@sub.harbour.example', 'a@xharbour.example', 'harbour.example@x.example'])
      expect([email, await start(email)]).toEqual([email, 'federation.company_unknown']);
  });
});

describe('T-SAML domains that require company sign-in', () => {
  const login = (account: string, password: string, otp?: string) =>
    console.call(signin.login, { account, password, ...(otp !== undefined && { otp }) });

  it('block passwords, registration and passkeys of the domain, and of no other', async () => {
    provider = await console.ok(providers.updateProvider, changed(provider, { mustUse: true }), admin);
    for (const [account, password] of [
      ['owner@harbour.example', userPassword],
      ['owner@harbour.example', 'a wrong passphrase'],
      ['nobody@harbour.example', 'a wrong passphrase'],
    ] as const) {
      const answer = await login(account, password);
      // The response is the same whether or not the account exists and the password is right.
      expect([answer.status, answer.envelope.code]).toEqual([403, 'signin.company_required']);
    }
    expect((await login('nobody@elsewhere.example', 'a wrong passphrase')).envelope.code).toBe(
      'login.incorrect',
    );
    expect((await login(adminAccount.account, adminAccount.password)).status).toBe(200);
    const registered = await console.call(signin.register, {
      email: 'new@harbour.example',
      name: 'New',
      password: userPassword,
      organization: 'New',
      agreeToTerms: true,
    });
    expect(registered.envelope.code).toBe('signin.company_required');
  });

  it('let an Admin with a second factor sign in with a password in an emergency, and no Admin without one', async () => {
    const made = await console.ok(
      identity.createUser,
      { account: 'boss@harbour.example', name: 'Boss', role: 'Admin', password: userPassword } as never,
      admin,
    );
    expect(made.user.role).toBe('Admin');
    expect((await login('boss@harbour.example', userPassword)).envelope.code).toBe('signin.company_required');
    const open = { ...changed(provider, { mustUse: false }) };
    await console.ok(providers.updateProvider, open, admin);
    const token = (await login('boss@harbour.example', userPassword)).data.token;
    const { secret } = await console.ok(signin.startTwoFactor, {}, { token });
    await console.ok(signin.confirmTwoFactor, { otp: await codeOf(secret) }, { token });
    await console.ok(providers.updateProvider, changed(provider, { mustUse: true }), admin);
    console.clock.set(new Date(console.clock.now().getTime() + 60_000));
    const otp = await codeOf(secret);
    expect((await login('boss@harbour.example', userPassword, otp)).status).toBe(200);
  });

  it('let blocked users sign in through the provider after verification, without their password', async () => {
    const browser = new CompanyBrowser(console.address);
    const target = await browser.begin(console, 'owner@harbour.example');
    const answer = idp.answer(target, { nameId: 'owner', email: 'owner@harbour.example' });
    const { ticket } = await browser.post(target, answer);
    expect((await browser.complete(ticket)).code).toBe('federation.link_required');
    const linked = await browser.call('/user/external-identities/confirm', { password: userPassword });
    expect(linked.data?.user.id).toBe(harbour.userId);
  });
});

describe('T-SAML testing a provider', () => {
  it('records the response or the reason of its rejection, and signs nobody in', async () => {
    const attempt = async (changes: object, key?: string) => {
      const browser = new CompanyBrowser(console.address);
      const { url } = await console.ok(federation.testProvider, { providerId: provider.id }, admin);
      const request = readRequest(url);
      const target = {
        entityId: request.issuer,
        acsUrl: request.acsUrl,
        requestId: request.id,
        now: console.clock.now(),
      };
      const landing = await browser.post(
        target,
        idp.answer(target, changes, key === undefined ? {} : { key }),
      );
      expect(landing).toEqual({ status: 303, problem: null, ticket: '' });
      const { items } = await console.ok(providers.listProviders, {}, admin);
      return items.find(({ id }) => id === provider.id)?.lastResult;
    };
    expect(await attempt({})).toMatchObject({
      isTest: true,
      problem: null,
      email: 'mei@harbour.example',
      role: 'User',
      groups: ['console-users'],
    });
    expect(await attempt({ groups: [] })).toMatchObject({ problem: 'federation.group_refused', role: null });
    const stranger = makeSelfSigned('idp.harbour.example');
    expect(await attempt({}, stranger.key)).toMatchObject({
      problem: 'federation.answer_refused',
      detail: 'Invalid signature',
    });
    expect(await attempt({ audience: 'https://else.example' })).toMatchObject({
      problem: 'federation.answer_refused',
      detail: expect.stringContaining('audience'),
    });
  });

  it('deleting a provider ends sign-in through it', async () => {
    const left = await console.ok(
      providers.createProvider,
      newProvider({ idp, organizationId: harbour.organizationId, name: 'Left' }),
      admin,
    );
    await verifyDomain(console, dns, admin.token, left, 'left.example');
    const browser = new CompanyBrowser(console.address);
    const target = await browser.begin(console, 'a@left.example');
    await console.ok(providers.deleteProvider, { providerId: left.id }, admin);
    expect((await browser.post(target, idp.answer(target))).problem).toBe('federation.not_configured');
    expect((await browser.call('/auth/company-sign-in', { email: 'a@left.example' })).code).toBe(
      'federation.company_unknown',
    );
  });
});

describe('T-SAML a provider of the platform', () => {
  it('creates Admins only if its setting allows it', async () => {
    const own = makeSamlIdp('https://idp.cloud.example');
    const platform = await console.ok(
      providers.createProvider,
      newProvider({ idp: own, organizationId: null, name: 'Platform' }),
      admin,
    );
    await verifyDomain(console, dns, admin.token, platform, 'cloud.example');
    const browser = new CompanyBrowser(console.address);
    const target = await browser.begin(console, 'root@cloud.example');
    const answer = own.answer(target, { nameId: 'root', email: 'root@cloud.example' });
    const { ticket } = await browser.post(target, answer);
    expect(await browser.complete(ticket)).toMatchObject({ status: 403, code: 'federation.role_refused' });
    const { kysely } = console.app.database;
    await storeSetting(kysely, allowAdminSetting, true, console.clock.now(), 'test');
    const again = await browser.begin(console, 'root@cloud.example');
    const second = own.answer(again, { nameId: 'root', email: 'root@cloud.example' });
    const { data } = await browser.complete((await browser.post(again, second)).ticket);
    expect(data?.user).toMatchObject({ role: 'Admin', organization: null });
  });
});
