// OpenID Connect at providers that Admins added: code, PKCE and nonce against a hostile provider, and what only
// public addresses allow.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { federation } from '#features/access/federation/contract.ts';
import { providers } from '#features/access/providers/contract.ts';
import { changed, CompanyBrowser, newProvider, verifyDomain } from '../support/company.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { startTestDns } from '../support/dns.ts';
import { startHostileIdp } from '../support/hostile-idp.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { makeSamlIdp } from '../support/saml-idp.ts';

let now = () => new Date('2026-11-20T10:00:00Z');
const idp = await startHostileIdp(() => now());
atFileEnd(() => idp.end());
const honest = { ...idp.answers };
const dns = await startTestDns();
const console = await createTestConsole(now(), {
  DNS_SERVERS: dns.address,
  TRUST_PROXY: '127.0.0.1',
  PRIVATE_HOSTS: 'localhost',
});
now = () => console.clock.now();
const admin = { token: await setUp(console) };
const valley = await registerUser(console, 'owner@elsewhere.example', 'Valley');
const given = {
  ...(newProvider({ idp: makeSamlIdp(), organizationId: valley.organizationId, name: 'Valley' }) as object),
  kind: 'oidc',
  entityId: idp.issuer,
  ssoUrl: '',
  certificates: [],
  clientId: 'console',
  clientSecret: 'hush',
};
let provider = await console.ok(providers.createProvider, given as never, admin);
provider = await verifyDomain(console, dns, admin.token, provider, 'valley.example');

const claims = (wish: URLSearchParams): Record<string, unknown> => ({
  sub: 'lin',
  aud: 'console',
  nonce: wish.get('nonce') ?? '',
  email: 'lin@valley.example',
  name: 'Lin Po',
  groups: ['console-users'],
});
let secret: string | null = null;
const tokens =
  (change: Record<string, unknown> = {}, header: Record<string, unknown> = { typ: 'JWT' }) =>
  async (form: URLSearchParams, wish: URLSearchParams) => {
    secret = form.get('client_secret');
    return { body: { id_token: await idp.sign({ ...claims(wish), ...change }, header) } };
  };
beforeEach(() => {
  Object.assign(idp.answers, honest, { token: tokens() });
  console.clock.set(new Date(console.clock.now().getTime() + 1000));
});

/** Goes to the provider and returns with its response in the address. */
async function goThere(browser: CompanyBrowser): Promise<string> {
  const answer = await browser.call(federation.startCompanySignIn.path, { email: 'lin@valley.example' });
  const { url } = answer.data as unknown as { url: string };
  const response = await fetch(url, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}
async function comeBack(location: string): Promise<{ problem: string | null; ticket: string }> {
  const response = await fetch(location, { redirect: 'manual', headers: { 'x-forwarded-for': '10.7.0.1' } });
  expect(response.status).toBe(303);
  const to = new URL(response.headers.get('location') ?? '', 'https://console.example');
  return { problem: to.searchParams.get('problem'), ticket: to.hash.slice(1) };
}
async function signInThere() {
  const browser = new CompanyBrowser(console.address);
  const { problem, ticket } = await comeBack(await goThere(browser));
  return problem === null ? browser.complete(ticket) : { status: 0, code: problem, data: null };
}

describe('T-OIDC a valid response', () => {
  it('signs in with the role of the group, and sends the client secret only to the token endpoint', async () => {
    const first = await signInThere();
    expect(first).toMatchObject({
      status: 200,
      data: { user: { account: 'lin@valley.example', role: 'User', organization: 'Valley', name: 'Lin Po' } },
    });
    expect(secret).toBe('hush');
    expect((await signInThere()).data?.user.id).toBe(first.data?.user.id);
    expect(provider).toMatchObject({ hasClientSecret: true });
    expect(JSON.stringify(provider)).not.toContain('hush');
    // Without a new secret the stored one is kept; an empty one deletes it.
    await console.ok(providers.updateProvider, changed(provider, {}), admin);
    await signInThere();
    expect(secret).toBe('hush');
    await console.ok(providers.updateProvider, { ...changed(provider, {}), clientSecret: '' }, admin);
    await signInThere();
    expect(secret).toBeNull();
  });

  it('is accepted once, and only in the browser that started the sign-in', async () => {
    const browser = new CompanyBrowser(console.address);
    const location = await goThere(browser);
    const { ticket } = await comeBack(location);
    expect(await comeBack(location)).toEqual({ problem: 'federation.answer_unasked', ticket: '' });
    const thief = new CompanyBrowser(console.address);
    expect((await thief.complete(ticket)).code).toBe('federation.answer_unasked');
    expect((await browser.complete(ticket)).status).toBe(200);
  });
});

describe('T-OIDC invalid responses', () => {
  const at = (seconds: number) => Math.floor(console.clock.now().getTime() / 1000) + seconds;
  test.each<[string, () => Record<string, unknown>, string]>([
    ['another nonce', () => ({ nonce: 'other' }), 'answer_refused'],
    ['no nonce', () => ({ nonce: undefined }), 'answer_refused'],
    ['another audience', () => ({ aud: 'else' }), 'answer_refused'],
    ['another issuer', () => ({ iss: 'https://else.example' }), 'answer_refused'],
    ['another authorized party', () => ({ azp: 'else' }), 'answer_refused'],
    ['two audiences and no authorized party', () => ({ aud: ['console', 'else'] }), 'answer_refused'],
    ['no subject', () => ({ sub: undefined }), 'answer_refused'],
    ['an expiry in the past', () => ({ exp: at(-70) }), 'answer_late'],
    ['an old token', () => ({ iat: at(-4000) }), 'answer_late'],
  ])('are rejected: %s', async (_name, change, code) => {
    idp.answers.token = tokens(change());
    expect((await signInThere()).code).toBe(`federation.${code}`);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unverified address', { email_verified: false, sub: 'new' }, 'email_unverified'],
    ['an address of another domain', { email: 'x@else.example', sub: 'other' }, 'address_refused'],
    ['no group', { groups: [] }, 'group_refused'],
  ])('with %s sign nobody in', async (_name, change, code) => {
    idp.answers.token = tokens(change);
    expect((await signInThere()).code).toBe(`federation.${code}`);
  });

  it('are rejected with an unknown key, a symmetric algorithm, or an error of the provider', async () => {
    idp.answers.jwks = () => ({ body: { keys: [] } });
    expect((await signInThere()).code).toBe('federation.answer_refused');
    idp.answers.jwks = honest.jwks;
    idp.answers.token = async () => ({ status: 400, body: { error: 'invalid_grant' } });
    expect((await signInThere()).code).toBe('federation.answer_refused');
    idp.answers.authorize = (wish) =>
      `${wish.get('redirect_uri')}?error=access_denied&state=${wish.get('state')}`;
    expect((await signInThere()).code).toBe('federation.provider_refused');
    idp.answers.authorize = (wish) =>
      `${wish.get('redirect_uri')}?code=x&iss=https://else.example&state=${wish.get('state')}`;
    expect((await signInThere()).code).toBe('federation.answer_refused');
  });

  it('no request goes to the endpoints of a discovery document with another issuer or an internal address', async () => {
    const start = () =>
      new CompanyBrowser(console.address).call(federation.startCompanySignIn.path, {
        email: 'lin@valley.example',
      });
    idp.answers.discovery = (document) => ({ body: { ...document, issuer: 'https://else.example' } });
    expect(await start()).toMatchObject({ status: 503, code: 'federation.provider_unavailable' });
    idp.answers.discovery = honest.discovery;
    const requestsBefore = idp.asked.get('/.well-known/openid-configuration') ?? 0;
    // The same server at an address that the operator did not allow.
    const inside = idp.issuer.replace('localhost', '127.0.0.1');
    await console.ok(providers.updateProvider, changed(provider, { entityId: inside }), admin);
    expect(await start()).toMatchObject({ status: 503 });
    expect(idp.asked.get('/.well-known/openid-configuration') ?? 0).toBe(requestsBefore);
    await console.ok(providers.updateProvider, changed(provider, {}), admin);
  });

  it('missing settings of an OpenID provider are reported at their fields', async () => {
    for (const [change, field] of [
      [{ clientId: '' }, 'clientId'],
      [{ entityId: 'not an address' }, 'entityId'],
    ] as const) {
      const answer = await console.call(
        providers.createProvider,
        { ...given, name: 'Other', ...change } as never,
        admin,
      );
      expect(answer.envelope).toMatchObject({ isSuccess: false, errors: [{ field }] });
    }
  });
});
