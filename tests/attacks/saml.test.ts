// Sign-in through companies' identity providers (SAML 2.0) against hostile answers, browsers and repeats
// (OASIS saml-sec-consider-2.0-os; "On Breaking SAML: Be Whoever You Want to Be", XSW 1 to 8).
import { beforeEach, describe, expect, it, test } from 'vitest';
import { identity } from '#features/access/identity/contract.ts';
import { providers } from '#features/access/providers/contract.ts';
import { makeSelfSigned } from '../support/certificates.ts';
import { changed, CompanyBrowser, newProvider, verifyDomain } from '../support/company.ts';
import { createTestConsole, registerUser, setUp } from '../support/console.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestDns } from '../support/dns.ts';
import {
  assertionXml,
  encodeXml,
  makeSamlIdp,
  responseXml,
  type AnswerParts,
  type SamlTarget,
} from '../support/saml-idp.ts';

const start = new Date('2026-11-20T10:00:00Z');
const environment = { PUBLIC_URL: 'https://console.example', TRUST_PROXY: '127.0.0.1' };
const dns = await startTestDns();
const database = await createTestDatabase();
const settings = { ...environment, DNS_SERVERS: dns.address };
const console = await createTestConsole(start, settings, database);
const other = await createTestConsole(start, settings, database);
const admin = await setUp(console);
const options = { token: admin };
const harbour = await registerUser(console, 'owner@elsewhere.example', 'Harbour');
const idp = makeSamlIdp();
let provider = await console.ok(
  providers.createProvider,
  newProvider({ idp, organizationId: harbour.organizationId }),
  options,
);
provider = await verifyDomain(console, dns, admin, provider, 'harbour.example');

const pass = (seconds: number): void => {
  console.clock.set(new Date(console.clock.now().getTime() + seconds * 1000));
  other.clock.set(console.clock.now());
};
beforeEach(() => pass(1));
const begin = async (returnTo?: string) => {
  const browser = new CompanyBrowser(console.address);
  const target = await browser.begin(console, 'mei@harbour.example', returnTo);
  return { browser, target };
};
describe('T-SAML a valid response', () => {
  it('signs in with the role of the group, only in the browser that started, and returns to its path', async () => {
    const { browser, target } = await begin('/billing/management');
    expect(target).toMatchObject({ entityId: provider.ours.entityId, acsUrl: provider.ours.acsUrl });
    const landing = await browser.post(target, idp.answer(target));
    expect(landing).toMatchObject({ status: 303, problem: null });
    // Another browser with the same ticket gets nothing, and does not use it up.
    const thief = new CompanyBrowser(console.address);
    expect(await thief.complete(landing.ticket)).toMatchObject({
      status: 401,
      code: 'federation.answer_unasked',
    });
    const completed = await browser.complete(landing.ticket);
    expect(completed).toMatchObject({
      status: 200,
      data: {
        user: { account: 'mei@harbour.example', role: 'User', organization: 'Harbour', name: 'Mei Lin' },
        redirectUrl: '/billing/management',
      },
    });
    expect(completed.cookies.find((each) => each.startsWith('__Host-session='))).toMatch(
      /HttpOnly.*SameSite=Strict/i,
    );
    expect(await browser.complete(landing.ticket)).toMatchObject({ status: 401 });
    const again = await begin();
    const second = await again.browser.complete(
      (await again.browser.post(again.target, idp.answer(again.target))).ticket,
    );
    expect(second.data?.user.id).toBe(completed.data?.user.id);
  });

  it('is accepted when the response is signed as a whole and contains a signed assertion', async () => {
    const { browser, target } = await begin();
    const parts = idp.parts(target);
    const signed = idp.sign(idp.sign(responseXml(parts, assertionXml(parts))), { what: 'Response' });
    const landing = await browser.post(target, encodeXml(signed));
    expect((await browser.complete(landing.ticket)).status).toBe(200);
  });

  it('the metadata has the response address and requires signed assertions', async () => {
    const response = await fetch(`${console.address}${new URL(provider.ours.metadataUrl).pathname}`);
    const xml = await response.text();
    expect(response.headers.get('content-type')).toContain('application/samlmetadata+xml');
    expect(xml).toContain(`entityID="${provider.ours.entityId}"`);
    expect(xml).toContain(`Location="${provider.ours.acsUrl}"`);
    expect(xml).toContain('WantAssertionsSigned="true"');
  });

  it('two certificates are accepted while the provider rotates its key', async () => {
    const next = makeSelfSigned('idp.harbour.example');
    const both = await console.ok(
      providers.updateProvider,
      { ...changed(provider, {}), certificates: [idp.certificate, next.certificate] },
      options,
    );
    expect(both.certificates).toHaveLength(2);
    for (const key of [idp.key, next.key]) {
      const { browser, target } = await begin();
      const landing = await browser.post(target, idp.answer(target, {}, { key }));
      expect(landing.problem).toBeNull();
    }
    await console.ok(providers.updateProvider, changed(provider, {}), options);
  });
});

const evil = (parts: AnswerParts): AnswerParts => ({
  ...parts,
  assertionId: '_evil',
  nameId: 'boss',
  email: 'boss@harbour.example',
});

/** The parts of a signed response as texts, and an assertion with another content. */
function pieces(target: SamlTarget) {
  const parts = idp.parts(target);
  const signed = idp.sign(responseXml(parts, assertionXml(parts)));
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(signed)?.[0] ?? '';
  const signature = /<Signature .*<\/Signature>/s.exec(assertion)?.[0] ?? '';
  const plain = assertion.replace(signature, '');
  const forged = assertionXml(evil(parts));
  const afterIssuer = (xml: string, inserted: string): string =>
    xml.replace('</saml:Issuer>', `</saml:Issuer>${inserted}`);
  const atEnd = (xml: string, inserted: string): string =>
    xml.replace('</saml:Assertion>', `${inserted}</saml:Assertion>`);
  return { parts, signed, assertion, signature, plain, forged, afterIssuer, atEnd };
}
/** A response signed as a whole, its signature, and one with another content. */
function wholePieces(target: SamlTarget) {
  const parts = idp.parts(target);
  const signed = idp.sign(responseXml(parts, assertionXml(parts)), { what: 'Response' });
  const signature = /<Signature .*<\/Signature>/s.exec(signed)?.[0] ?? '';
  const forged = responseXml({ ...evil(parts), responseId: '_evilResponse' }, assertionXml(evil(parts)));
  return { signed, signature, plain: signed.replace(signature, ''), forged };
}

describe('T-SAML signature wrapping', () => {
  test.each<[string, (target: SamlTarget) => string]>([
    [
      'XSW1: the signed response inside the signature of a forged one',
      (target) => {
        const { signature, plain, forged } = wholePieces(target);
        const wrapped = signature.replace('</Signature>', `<Object>${plain}</Object></Signature>`);
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`);
      },
    ],
    [
      'XSW2: the signed response beside the signature of a forged one',
      (target) => {
        const { signature, plain, forged } = wholePieces(target);
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${plain}${signature}`);
      },
    ],
    [
      'XSW3: a forged assertion before the signed one',
      (target) => {
        const { parts, assertion, forged } = pieces(target);
        return responseXml(parts, forged + assertion);
      },
    ],
    [
      'XSW4: the signed assertion inside a forged one',
      (target) => {
        const { parts, assertion, forged, atEnd } = pieces(target);
        return responseXml(parts, atEnd(forged, assertion));
      },
    ],
    [
      'XSW5: the signature in a forged assertion, the signed one at the end',
      (target) => {
        const { parts, plain, forged, signature, afterIssuer } = pieces(target);
        return responseXml(parts, afterIssuer(forged, signature) + plain);
      },
    ],
    [
      'XSW6: the signed assertion inside the signature of a forged one',
      (target) => {
        const { parts, plain, forged, signature, afterIssuer } = pieces(target);
        return responseXml(
          parts,
          afterIssuer(forged, signature.replace('</Signature>', `${plain}</Signature>`)),
        );
      },
    ],
    [
      'XSW7: a forged assertion with the same id in an extension',
      (target) => {
        const { parts, assertion, forged } = pieces(target);
        const extension = `<samlp:Extensions>${forged.replace('_evil', parts.assertionId)}</samlp:Extensions>`;
        return responseXml(parts, extension + assertion);
      },
    ],
    [
      'XSW8: the signed assertion in an object of the signature of a forged one',
      (target) => {
        const { parts, plain, forged, signature, afterIssuer } = pieces(target);
        const wrapped = signature.replace('</Signature>', `<Object>${plain}</Object></Signature>`);
        return responseXml(parts, afterIssuer(forged, wrapped));
      },
    ],
    [
      'a forged assertion before the signed one in an unsigned response, same id',
      (target) => {
        const { parts, assertion, forged } = pieces(target);
        return responseXml(parts, forged.replace('_evil', parts.assertionId) + assertion);
      },
    ],
  ])('is rejected: %s', async (_name, forge) => {
    const { browser, target } = await begin();
    const landing = await browser.post(target, encodeXml(forge(target)));
    expect(landing).toEqual({ status: 303, problem: 'federation.answer_refused', ticket: '' });
  });
});

describe('T-SAML the content of an assertion', () => {
  const minutes = (target: SamlTarget, count: number): string =>
    new Date(target.now.getTime() + count * 60_000).toISOString();
  test.each<[string, (target: SamlTarget) => Partial<AnswerParts>, string]>([
    ['another audience', () => ({ audience: 'https://else.example' }), 'answer_refused'],
    ['another recipient', () => ({ recipient: 'https://else.example/acs' }), 'answer_refused'],
    ['another destination', () => ({ destination: 'https://else.example/acs' }), 'answer_refused'],
    ['another issuer', () => ({ issuer: 'https://else.example' }), 'answer_refused'],
    ['an expiry in the past', (to) => ({ notOnOrAfter: minutes(to, -2) }), 'answer_late'],
    ['an expired confirmation', (to) => ({ confirmedUntil: minutes(to, -2) }), 'answer_late'],
    ['a confirmation without an expiry', () => ({ confirmedUntil: null }), 'answer_refused'],
    ['a start in the future', (to) => ({ notBefore: minutes(to, 3) }), 'answer_late'],
    [
      'an old date and a distant expiry',
      (to) => ({ issuedAt: minutes(to, -70), notOnOrAfter: minutes(to, 9999) }),
      'answer_late',
    ],
    ['times without a zone', () => ({ notOnOrAfter: '2030-01-01T00:00:00' }), 'answer_late'],
    ['no name id', () => ({ nameId: '' }), 'answer_refused'],
    [
      'a transient name id',
      () => ({ nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
      'answer_refused',
    ],
    ['another request', () => ({ inResponseTo: `_${'0'.repeat(40)}` }), 'answer_unasked'],
    ['no request', () => ({ inResponseTo: null }), 'answer_unasked'],
    ['a comment in the name id', () => ({ nameId: 'mei<!---->.evil' }), 'answer_refused'],
    ['CDATA in the name id', () => ({ nameId: '<![CDATA[mei]]>' }), 'answer_refused'],
    ['a processing instruction', () => ({ nameId: 'mei<?x y?>' }), 'answer_refused'],
  ])('is rejected: %s', async (_name, change, code) => {
    const { browser, target } = await begin();
    const landing = await browser.post(target, idp.answer(target, change(target)));
    expect(landing).toEqual({ status: 303, problem: `federation.${code}`, ticket: '' });
  });

  it('may be off by a minute of clock difference, and no more', async () => {
    const { browser, target } = await begin();
    const answer = idp.answer(target, {
      notOnOrAfter: new Date(target.now.getTime() - 50_000).toISOString(),
    });
    expect((await browser.post(target, answer)).problem).toBeNull();
  });
});

describe('T-SAML signatures', () => {
  const stranger = makeSelfSigned('idp.harbour.example');
  test.each<[string, (target: SamlTarget) => string]>([
    [
      'no signature',
      (to) => {
        const parts = idp.parts(to);
        return encodeXml(responseXml(parts, assertionXml(parts)));
      },
    ],
    ['another key of the same name', (to) => idp.answer(to, {}, { key: stranger.key })],
    ['SHA-1 signatures', (to) => idp.answer(to, {}, { algorithm: 'sha1' })],
    ['SHA-1 digests', (to) => idp.answer(to, {}, { digest: 'sha1' })],
    ['a signed response around an unsigned assertion', (to) => idp.answer(to, {}, { what: 'Response' })],
    [
      'an empty algorithm',
      (to) =>
        encodeXml(
          Buffer.from(idp.answer(to), 'base64')
            .toString()
            .replace(/SignatureMethod Algorithm="[^"]*"/, 'SignatureMethod Algorithm=""'),
        ),
    ],
    [
      'an HMAC with the certificate as its key',
      (to) =>
        encodeXml(
          Buffer.from(idp.answer(to), 'base64')
            .toString()
            .replace(
              /SignatureMethod Algorithm="[^"]*"/,
              'SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1"',
            ),
        ),
    ],
    [
      'a changed attribute',
      (to) =>
        encodeXml(Buffer.from(idp.answer(to), 'base64').toString().replace('mei@harbour', 'boss@harbour')),
    ],
    [
      'a document type with entities',
      (to) =>
        encodeXml(
          `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${Buffer.from(idp.answer(to), 'base64').toString()}`,
        ),
    ],
    ['a huge document', (to) => encodeXml(responseXml(idp.parts(to), 'a'.repeat(210_000)))],
    ['deep nesting', (to) => encodeXml(responseXml(idp.parts(to), '<a>'.repeat(20_000)))],
    ['many elements', (to) => encodeXml(responseXml(idp.parts(to), '<a/>'.repeat(20_000)))],
    ['no XML', () => encodeXml('hello')],
    ['no base64', () => '%%%'],
    ['UTF-16', (to) => Buffer.from(responseXml(idp.parts(to), ''), 'utf16le').toString('base64')],
  ])('are rejected: %s', async (_name, make) => {
    const { browser, target } = await begin();
    expect(await browser.post(target, make(target))).toEqual({
      status: 303,
      problem: 'federation.answer_refused',
      ticket: '',
    });
  });

  it('errors of the provider itself are reported', async () => {
    const { browser, target } = await begin();
    const landing = await browser.post(target, encodeXml(responseXml(idp.parts(target), '', 'Requester')));
    expect(landing.problem).toBe('federation.provider_refused');
  });
});

describe('T-SAML repeats and other detours', () => {
  it('a response is accepted once by two consoles together', async () => {
    const { target } = await begin();
    const answer = idp.answer(target);
    const browsers = [console, other, console, other].map(({ address }) => new CompanyBrowser(address));
    const landings = await Promise.all(browsers.map((each) => each.post(target, answer)));
    expect(landings.filter(({ problem }) => problem === null)).toHaveLength(1);
    expect(landings.filter(({ problem }) => problem === 'federation.answer_used')).toHaveLength(3);
  });

  it.each([
    ['that was asked for', false],
    ['that came unasked, where an Admin allowed it', true],
  ])(
    'a response %s is worth nothing after signing out, in the same browser and in another one',
    async (_what, isUnasked) => {
      await console.ok(
        providers.updateProvider,
        changed(provider, { allowsUnsolicited: isUnasked }),
        options,
      );
      const begun = await begin();
      const target = isUnasked ? { ...begun.target, requestId: null } : begun.target;
      const { browser } = begun;
      const answer = idp.answer(target);
      const landing = await browser.post(target, answer);
      const { data } = await browser.complete(landing.ticket);
      const token = data?.token ?? '';
      expect(await console.ok(identity.profile, {}, { token })).toMatchObject({
        account: 'mei@harbour.example',
      });
      expect((await browser.call(identity.logout.path, {})).status).toBe(200);
      expect((await console.call(identity.profile, {}, { token })).status).toBe(401);
      // What is left of it: the ticket, the response, and a login that has been started anew.
      expect(await browser.complete(landing.ticket)).toMatchObject({ status: 401, data: null });
      await browser.begin(console, 'mei@harbour.example');
      for (const each of [browser, new CompanyBrowser(console.address), new CompanyBrowser(other.address)]) {
        const replayed = await each.post(target, answer);
        expect(replayed.problem).toMatch(/^federation\.answer_(used|unasked)$/);
        expect(await each.complete(replayed.ticket)).toMatchObject({ data: null, cookies: [] });
      }
      // Nor when the console no longer remembers it.
      pass(600);
      const late = await browser.post(target, answer);
      pass(-600);
      expect(late.problem).toMatch(/^federation\./);
      const session = await browser.call(identity.session.path, {});
      expect(session.data).toBeNull();
      await console.ok(providers.updateProvider, changed(provider, {}), options);
    },
  );

  it('a second assertion for one request is rejected', async () => {
    const { browser, target } = await begin();
    expect((await browser.post(target, idp.answer(target))).problem).toBeNull();
    expect((await browser.post(target, idp.answer(target))).problem).toBe('federation.answer_unasked');
  });

  it('RelayState cannot redirect elsewhere, and unsolicited responses are accepted only if an Admin allowed them', async () => {
    await console.ok(providers.updateProvider, changed(provider, { allowsUnsolicited: true }), options);
    for (const [relayState, expected] of [
      ['https://evil.example/', '/'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['/usage/statistics', '/usage/statistics'],
    ] as const) {
      const browser = new CompanyBrowser(console.address);
      const target = {
        entityId: provider.ours.entityId,
        acsUrl: provider.ours.acsUrl,
        requestId: null,
        now: console.clock.now(),
      };
      const landing = await browser.post(target, idp.answer(target), relayState);
      expect((await browser.complete(landing.ticket)).data?.redirectUrl).toBe(expected);
    }
    await console.ok(providers.updateProvider, changed(provider, {}), options);
  });

  it('people are identified per provider, so that another company’s provider cannot name the same person', async () => {
    const rival = await registerUser(console, 'rival@rival.example', 'Rival');
    const copy = makeSamlIdp();
    let theirs = await console.ok(
      providers.createProvider,
      newProvider({ idp: copy, organizationId: rival.organizationId, name: 'Rival' }),
      options,
    );
    theirs = await verifyDomain(console, dns, admin, theirs, 'rival.example');
    const browser = new CompanyBrowser(console.address);
    const target = await browser.begin(console, 'x@rival.example');
    // The same entity id and name id, and an address of the other company.
    const landing = await browser.post(target, copy.answer(target, { nameId: 'mei' }));
    expect(await browser.complete(landing.ticket)).toMatchObject({
      status: 403,
      code: 'federation.address_refused',
    });
    // An address of an existing account is linked only after its owner proved their identity.
    const again = await browser.begin(console, 'x@rival.example');
    const known = await browser.post(
      again,
      copy.answer(again, { nameId: 'r', email: 'rival@rival.example' }),
    );
    expect(await browser.complete(known.ticket)).toMatchObject({
      status: 409,
      code: 'federation.link_required',
    });
    const proved = await browser.call('/user/external-identities/confirm', {
      password: 'another long passphrase',
    });
    expect(proved.data?.user.id).toBe(rival.userId);
  });

  it('users without a mapped group or with a deactivated account are rejected, and groups are applied at each sign-in', async () => {
    const enter = async (groups: string[]) => {
      const { browser, target } = await begin();
      return browser.complete((await browser.post(target, idp.answer(target, { groups }))).ticket);
    };
    expect(await enter([])).toMatchObject({ status: 403, code: 'federation.group_refused' });
    await console.ok(
      providers.updateProvider,
      changed(provider, { groups: [...provider.groups, { group: 'auditors', role: 'ReadOnly' }] }),
      options,
    );
    const user = (await enter(['console-users', 'auditors'])).data;
    expect(user?.user.role).toBe('User');
    expect((await enter(['auditors'])).data?.user.role).toBe('ReadOnly');
    // The change ended the earlier session.
    expect((await console.call(identity.profile, {}, { token: user?.token ?? '' })).status).toBe(401);
    const userId = user?.user.id ?? '';
    await console.ok(identity.updateUser, { userId, status: 'inactive' } as never, options);
    expect(await enter(['auditors'])).toMatchObject({ status: 401, code: 'federation.account_inactive' });
    await console.ok(identity.updateUser, { userId, status: 'active' } as never, options);
    await console.ok(providers.updateProvider, changed(provider, {}), options);
  });
});
