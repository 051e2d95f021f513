// Validation of a provider’s responses in the browser: valid and invalid ones.
import { describe, expect, test } from 'vitest';
import { answerProblem, idTokenProblem, providerErrorText } from './rules-answer.ts';

const issuer = 'https://id.example';
const stored = { created: 1000, authority: issuer, client_id: 'console' };
const expected = {
  issuer,
  clientId: 'console',
  mustNameIssuer: true,
  stored,
  hasOther: false,
  nowSeconds: 1100,
};
const good = [
  ['code', 'c'],
  ['state', 's'],
  ['iss', issuer],
] as const;

describe('the parameters of a response (R-AUTH-07, reliability.md 2.I-133, 134, 136)', () => {
  test.each([
    ['is good', good, {}, undefined],
    [
      'from a provider that never names itself',
      [
        ['code', 'c'],
        ['state', 's'],
      ],
      { mustNameIssuer: false },
      undefined,
    ],
    [
      'without the promised issuer',
      [
        ['code', 'c'],
        ['state', 's'],
      ],
      {},
      'Issuer does not match',
    ],
    [
      'of another provider (mix-up)',
      [
        ['code', 'c'],
        ['state', 's'],
        ['iss', 'https://evil.example'],
      ],
      {},
      'Issuer does not match',
    ],
    [
      'from another provider that promised no issuer',
      [
        ['code', 'c'],
        ['state', 's'],
        ['iss', 'https://evil.example'],
      ],
      { mustNameIssuer: false },
      'Issuer does not match',
    ],
    ['with two codes', [...good, ['code', 'd']], {}, 'Repeated parameter: code'],
    ['with two states', [...good, ['state', 's']], {}, 'Repeated parameter: state'],
    ['with two issuers', [...good, ['iss', issuer]], {}, 'Repeated parameter: iss'],
    ['with a token', [...good, ['access_token', 't']], {}, 'Tokens in the address are not accepted'],
    ['with an ID token', [...good, ['id_token', 't']], {}, 'Tokens in the address are not accepted'],
    [
      'without state',
      [
        ['code', 'c'],
        ['iss', issuer],
      ],
      {},
      'No matching state found in storage',
    ],
    ['without a pending request', good, { stored: undefined }, 'No matching state found in storage'],
    ['with another state', good, { stored: undefined, hasOther: true }, 'State does not match'],
    ['fifteen minutes later', good, { nowSeconds: 1900 }, undefined],
    ['after more than that', good, { nowSeconds: 1901 }, 'No matching state found in storage'],
    [
      'to a request for another provider',
      good,
      { stored: { ...stored, authority: 'https://other.example' } },
      'Authority does not match',
    ],
    [
      'to another client’s request',
      good,
      { stored: { ...stored, client_id: 'other' } },
      'Client does not match',
    ],
    [
      'an error with its state',
      [
        ['error', 'access_denied'],
        ['state', 's'],
        ['iss', issuer],
      ],
      {},
      undefined,
    ],
  ] as const)('%s', (_name, params, change, problem) =>
    expect(answerProblem(params, { ...expected, ...change })).toBe(problem),
  );
});

const claims = { sub: '1', iss: issuer, aud: 'console', nonce: 'n', exp: 2000 };
const expectedClaims = { issuer, clientId: 'console', nonce: 'n', nowSeconds: 1100 };

describe('an ID token from the token endpoint (R-AUTH-07, reliability.md 2.I-137, 140)', () => {
  test.each([
    ['is good', {}, '1', undefined],
    [
      'with several audiences and this client as authorized party',
      { aud: ['console', 'x'], azp: 'console' },
      '1',
      undefined,
    ],
    ['for several', { aud: ['console', 'x'] }, '1', 'Audience of the ID Token does not match'],
    ['for another', { aud: 'other' }, '1', 'Audience of the ID Token does not match'],
    ['without subject', { sub: undefined }, undefined, 'ID Token is missing a subject claim'],
    ['with an empty subject', { sub: '' }, '', 'ID Token is missing a subject claim'],
    ['of another issuer', { iss: 'https://evil.example' }, '1', 'Issuer of the ID Token does not match'],
    ['with another nonce', { nonce: 'm' }, '1', 'Nonce does not match'],
    ['without nonce', { nonce: undefined }, '1', 'Nonce does not match'],
    ['after its expiry', { exp: 1000 }, '1', 'ID Token is past its end'],
    ['without end', { exp: undefined }, '1', 'ID Token is past its end'],
    ['with user-info of another user', {}, '2', 'Subject of the user info does not match'],
    ['without user-info', {}, undefined, 'Subject of the user info does not match'],
  ] as const)('%s', (_name, change, info, problem) =>
    expect(idTokenProblem({ ...claims, ...change }, info, expectedClaims)).toBe(problem),
  );
});

test.each([
  ['Popup closed by user', 'Popup closed'],
  ['Popup blocked by user', 'Popup blocked by user'],
  ['Network timed out', 'Network timed out'],
  ['IFrame timed out without a response', 'IFrame timed out without a response'],
  ['State does not match', 'State does not match'],
  ['No matching state found in storage', 'No matching state found in storage'],
])('shows %j as %j (R-AUTH-07)', (message, text) => expect(providerErrorText(message)).toBe(text));
