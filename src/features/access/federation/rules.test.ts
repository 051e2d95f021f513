// The rules of federation, case by case.
import { describe, expect, it, test } from 'vitest';
import {
  accessTokenProblem,
  googleProblem,
  isEndpointAllowed,
  isGoogleAddress,
  nameOfClaims,
  organizationRef,
  roleOfClaim,
  safeReturnPath,
} from './rules.ts';

const backslash = '\\';
/** Paths that attackers use so that a browser, a proxy or a decoder ends at another site. */
const hostile = [
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '\\/evil.example',
  `/${backslash}${backslash}evil.example`,
  '/\t/evil.example',
  '\t//evil.example',
  '\n//evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\n/evil.example',
  '\u0000//evil.example',
  '/\u0000/evil.example',
  ' //evil.example',
  '/ /evil.example',
  '\u000b//evil.example',
  '\u00a0//evil.example',
  '\ufeff//evil.example',
  '%2f%2fevil.example',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%2f%2fevil.example',
  '%2F%2Fevil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '%5c%5cevil.example',
  '/%252fevil.example',
  '/%255cevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20//evil.example',
  '/%00/evil.example',
  '/%e2%80%ae',
  'https://evil.example',
  'http://evil.example',
  'HTTPS://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'ftp://evil.example',
  'file:///etc/passwd',
  'evil.example',
  'www.evil.example/path',
  '@evil.example',
  '/@evil.example',
  'user:pass@evil.example',
  '/user@evil.example/x',
  '.evil.example',
  ':80',
  ':443@evil.example',
  '?next=//evil.example',
  '#//evil.example',
  '',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  '/javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'about:blank',
  'mailto:x@evil.example',
  'ws://evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/../evil.example',
  '/./evil',
  '/a/..//evil.example',
  '/a//evil.example',
  '/user/dashboard//evil.example',
  '/%2e%2e//evil.example',
  '/...',
  '..//evil.example',
  './/evil.example',
  '/／evil.example',
  '／／evil.example',
  '/＼evil.example',
  '/。/evil',
  '//evil。example',
  '/\u2044evil',
  '/\u2215evil',
  '/\u29f8evil',
  '/ｅvil',
  '/\u202e/evil',
  '/user/dashboard?x=\\evil',
  '/user/dashboard?x=%0d%0aset-cookie:a',
  '/user/dashboard?x=%00',
  '/user/dashboard?\n',
  '/<script>',
  '/"onload=',
  "/'",
  '/a;b',
  '/a|b',
  '/{x}',
  `/${'a'.repeat(3000)}`,
];

describe('allowed redirect targets (reliability.md 2.I-154)', () => {
  it('exclude at least 80 hostile forms', () => expect(new Set(hostile).size).toBeGreaterThanOrEqual(80));
  test.each(hostile)('%j leads to /', (path) => expect(safeReturnPath(path)).toBe('/'));
  test.each([null, undefined])('%s leads to /', (path) => expect(safeReturnPath(path)).toBe('/'));
  test.each([
    '/',
    '/user/dashboard',
    '/usage/statistics?from=2026-01&to=2026-02',
    '/billing/management?bill=bil_0123#top',
    '/service/overview?q=%E5%84%B2%E5%AD%98',
    '/cloud-service/management/',
  ])('%s stays', (path) => expect(safeReturnPath(path)).toBe(path));
});

const google = {
  iss: 'https://accounts.google.com',
  aud: 'us',
  sub: '1',
  iat: 1000,
  exp: 4600,
  email: 'a@gmail.com',
  email_verified: true,
};
const expected = { clientId: 'us', hostedDomains: [], nonce: null, nowSeconds: 1100 };

describe('Google ID tokens (R-AUTH-04, reliability.md 2.I-147, 148, 151)', () => {
  test.each([
    ['is good', {}, {}, undefined],
    ['with an unrequested nonce', { nonce: 'x' }, {}, 'token'],
    ['with the requested nonce', { nonce: 'x' }, { nonce: 'x' }, undefined],
    ['with another nonce', { nonce: 'y' }, { nonce: 'x' }, 'token'],
    ['without the requested nonce', {}, { nonce: 'x' }, 'token'],
    ['without nonce, five minutes old', {}, { nowSeconds: 1300 }, undefined],
    ['without nonce, older', {}, { nowSeconds: 1301 }, 'token'],
    ['with a nonce, older', { nonce: 'x' }, { nonce: 'x', nowSeconds: 2000 }, undefined],
    ['with several audiences, issued to this client', { aud: ['us', 'them'], azp: 'us' }, {}, undefined],
    ['with several audiences, issued to another client', { aud: ['us', 'them'], azp: 'them' }, {}, 'token'],
    ['with several audiences and no authorized party', { aud: ['us', 'them'] }, {}, 'token'],
    ['of an unverified address', { email_verified: false }, {}, 'email'],
    ['of an address verified as text', { email_verified: 'true' }, {}, 'email'],
    ['without an address', { email: undefined }, {}, 'email'],
    ['without a subject', { sub: '' }, {}, 'token'],
    ['of a listed domain', { hd: 'Formosa.example' }, { hostedDomains: ['formosa.example'] }, undefined],
    ['of another domain', { hd: 'evil.example' }, { hostedDomains: ['formosa.example'] }, 'domain'],
    ['without a domain where one is required', {}, { hostedDomains: ['formosa.example'] }, 'domain'],
  ] as const)('%s', (_name, claims, restriction, problem) =>
    expect(googleProblem({ ...google, ...claims }, { ...expected, ...restriction })).toBe(problem),
  );

  test.each([
    [{ email: 'a@gmail.com' }, true],
    [{ email: 'A@GMAIL.COM' }, true],
    [{ email: 'a@formosa.example', hd: 'formosa.example' }, true],
    [{ email: 'a@formosa.example' }, false],
    [{ email: 'a@notgmail.com' }, false],
    [{ email: 'a@gmail.com.evil.example' }, false],
  ])('Google is the authority for %j: %s', (claims, isIt) => expect(isGoogleAddress(claims)).toBe(isIt));
});

const ours = { clientId: 'console', audience: undefined };
const at = { typ: 'at+jwt' };
const jwt = { typ: 'JWT' };

describe('access tokens (reliability.md 2.I-139, 142, 147)', () => {
  test.each([
    ['for us', at, { sub: '1', aud: 'console' }, ours, undefined],
    [
      'for an API, issued to this client',
      at,
      { sub: '1', aud: 'urn:api', client_id: 'console' },
      ours,
      undefined,
    ],
    [
      'for an API, issued to another client',
      at,
      { sub: '1', aud: 'urn:api', client_id: 'other' },
      ours,
      'client',
    ],
    [
      'for this client, issued to another client',
      at,
      { sub: '1', aud: 'console', azp: 'other' },
      ours,
      'client',
    ],
    ['for an unknown API', at, { sub: '1', aud: 'urn:api' }, ours, 'audience'],
    ['without audience', at, { sub: '1' }, ours, 'audience'],
    [
      'for the configured audience',
      at,
      { sub: '1', aud: 'urn:api', client_id: 'console' },
      { clientId: 'console', audience: 'urn:api' },
      undefined,
    ],
    [
      'for another API than the configured one',
      at,
      { sub: '1', aud: 'urn:other', client_id: 'console' },
      { clientId: 'console', audience: 'urn:api' },
      'audience',
    ],
    [
      'with several audiences, issued to this client',
      at,
      { sub: '1', aud: ['console', 'x'], azp: 'console' },
      ours,
      undefined,
    ],
    ['with several audiences and no authorized party', at, { sub: '1', aud: ['console', 'x'] }, ours, 'azp'],
    ['with its media type', { typ: 'application/at+jwt' }, { sub: '1', aud: 'console' }, ours, undefined],
    ['plain JWT with a scope', jwt, { sub: '1', aud: 'console', scope: 'api' }, ours, undefined],
    [
      'an ID token by its hash',
      jwt,
      { sub: '1', aud: 'console', scope: 'api', at_hash: 'x' },
      ours,
      'id token',
    ],
    [
      'an ID token by its nonce',
      jwt,
      { sub: '1', aud: 'console', scope: 'api', nonce: 'x' },
      ours,
      'id token',
    ],
    ['an ID token by its type', jwt, { sub: '1', aud: 'console', scope: 'api', typ: 'ID' }, ours, 'id token'],
    ['an ID token by its missing fields', jwt, { sub: '1', aud: 'console' }, ours, 'id token'],
    ['of another type', { typ: 'logout+jwt' }, { sub: '1', aud: 'console', scope: 'api' }, ours, 'typ'],
    ['without subject', at, { aud: 'console' }, ours, 'sub'],
    ['with an empty subject', at, { sub: '', aud: 'console' }, ours, 'sub'],
  ] as const)('%s', (_name, header, claims, us, problem) =>
    expect(accessTokenProblem(header, claims, us)).toBe(problem),
  );
});

describe('the role and organization from claims (R-AUTH-15)', () => {
  const strict = { allowAdmin: false, defaultRole: 'User' } as const;
  test.each([
    ['User', strict, 'User'],
    ['ReadOnly', strict, 'ReadOnly'],
    ['Admin', strict, undefined],
    ['Admin', { ...strict, allowAdmin: true }, 'Admin'],
    ['admin', { ...strict, allowAdmin: true }, 'User'],
    [' Admin', { ...strict, allowAdmin: true }, 'User'],
    [['Admin'], { ...strict, allowAdmin: true }, 'User'],
    [undefined, strict, 'User'],
    [undefined, { ...strict, defaultRole: 'ReadOnly' }, 'ReadOnly'],
    ['root', { ...strict, defaultRole: 'refuse' }, undefined],
    [undefined, { ...strict, defaultRole: 'refuse' }, undefined],
  ] as const)('%j by %j is %s', (claim, policy, role) => expect(roleOfClaim(claim, policy)).toBe(role));

  it('identify an organization by issuer and claim together', () => {
    expect(organizationRef('https://a.example', ' Harbour ')).toEqual({
      ref: 'oidc:https://a.example:Harbour',
      name: 'Harbour',
    });
    for (const claim of [undefined, '', '  ', 5, ['Harbour'], 'x'.repeat(161)])
      expect(organizationRef('https://a.example', claim)).toBeUndefined();
  });
  it('include the best available name', () => {
    expect(nameOfClaims({ name: 'A\nB' }, 'x@y.example')).toBe('A B');
    expect(nameOfClaims({ name: ' ', preferred_username: 'p' }, 'x@y.example')).toBe('p');
    expect(nameOfClaims({}, 'x@y.example')).toBe('x');
  });
});

describe('endpoints (reliability.md 2.I-138)', () => {
  const issuer = { protocol: 'https:', host: 'id.example' };
  test.each([
    [{ protocol: 'https:', host: 'id.example' }, true],
    [{ protocol: 'https:', host: 'keys.example' }, true],
    [{ protocol: 'https:', host: 'evil.example' }, false],
    [{ protocol: 'http:', host: 'id.example' }, false],
    [{ protocol: 'https:', host: 'id.example:8443' }, false],
    [{ protocol: 'https:', host: 'id.example.evil.example' }, false],
  ])('%j: %s', (endpoint, isIt) => expect(isEndpointAllowed(endpoint, issuer, ['keys.example'])).toBe(isIt));
});
