import { describe, expect, it, test } from 'vitest';
import { readAssertion, textProblem, type SamlExpectation } from './rules-saml.ts';

const now = new Date('2026-11-20T10:00:00Z');
const expected: SamlExpectation = {
  issuer: 'https://idp.example',
  audience: 'https://console.example/metadata',
  acsUrl: 'https://console.example/acs',
  now,
  attributes: { email: '', name: '', groups: '' },
};
const at = (seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();
const attribute = (Name: string, ...values: string[]) => ({
  $: { Name },
  AttributeValue: values.map((_) => ({ _ })),
});
type Confirmed = Record<string, string>;
const parsed = (
  changes: {
    confirmation?: Confirmed;
    conditions?: Record<string, string>;
    issuedAt?: string;
    attributes?: object[];
    nameId?: string;
  } = {},
) => ({
  Assertion: {
    $: { ID: '_a', IssueInstant: changes.issuedAt ?? at(0), Version: '2.0' },
    Issuer: [{ _: 'https://idp.example' }],
    Subject: [
      {
        NameID: [{ _: changes.nameId ?? 'mei' }],
        SubjectConfirmation: [
          {
            $: { Method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer' },
            SubjectConfirmationData: [
              {
                $: changes.confirmation ?? {
                  Recipient: expected.acsUrl,
                  NotOnOrAfter: at(300),
                  InResponseTo: '_r',
                },
              },
            ],
          },
        ],
      },
    ],
    Conditions: [
      {
        $: changes.conditions ?? { NotBefore: at(-10), NotOnOrAfter: at(300) },
        AudienceRestriction: [{ Audience: [{ _: expected.audience }] }],
      },
    ],
    AttributeStatement: [{ Attribute: changes.attributes ?? [attribute('mail', 'mei@example.com')] }],
  },
});

describe('T-SAML readAssertion', () => {
  it('returns the user, the request it responds to, and how long it must be remembered', () => {
    expect(readAssertion(parsed(), expected)).toEqual({
      accepted: {
        assertionId: '_a',
        inResponseTo: '_r',
        rememberUntil: new Date(now.getTime() + (3600 + 120) * 1000),
        person: { subject: 'mei', email: 'mei@example.com', name: '', groups: [] },
      },
    });
  });

  test.each<[string, Parameters<typeof parsed>[0], boolean]>([
    ['ended 61 s ago', { conditions: { NotOnOrAfter: at(-61) } }, false],
    ['ended 59 s ago', { conditions: { NotOnOrAfter: at(-59) } }, true],
    ['begins in 59 s', { conditions: { NotBefore: at(59) } }, true],
    ['begins in 61 s', { conditions: { NotBefore: at(61) } }, false],
    ['made 3661 s ago', { issuedAt: at(-3661) }, false],
    ['made 3600 s ago', { issuedAt: at(-3600) }, true],
    ['made in 61 s', { issuedAt: at(61) }, false],
    ['without a time', { issuedAt: 'yesterday' }, false],
    ['an invalid expiry', { conditions: { NotOnOrAfter: '9999' } }, false],
    ['no expiry of the confirmation', { confirmation: { Recipient: expected.acsUrl } }, false],
    [
      'a confirmation for a longer address',
      { confirmation: { Recipient: `${expected.acsUrl}/x`, NotOnOrAfter: at(300) } },
      false,
    ],
  ])('%s', (_name, changes, isAccepted) => {
    expect('accepted' in readAssertion(parsed(changes), expected)).toBe(isAccepted);
  });

  test.each<[string, object[], SamlExpectation['attributes'], object]>([
    [
      'the usual names of Microsoft',
      [
        attribute('http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', 'a@b.example'),
        attribute('http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', 'one', 'two'),
        attribute('http://schemas.microsoft.com/identity/claims/displayname', 'A B'),
      ],
      expected.attributes,
      { email: 'a@b.example', name: 'A B', groups: ['one', 'two'] },
    ],
    [
      'only the names that an Admin configured',
      [
        attribute('mail', 'usual@b.example'),
        attribute('work', 'chosen@b.example'),
        attribute('memberOf', 'x'),
      ],
      { email: 'work', name: '', groups: 'teams' },
      { email: 'chosen@b.example', groups: [] },
    ],
    ['no attribute', [], expected.attributes, { email: '', groups: [] }],
  ])('reads %s', (_name, attributes, chosen, person) => {
    expect(readAssertion(parsed({ attributes }), { ...expected, attributes: chosen })).toMatchObject({
      accepted: { person },
    });
  });

  it('uses the name id as the address when there is no other', () => {
    expect(readAssertion(parsed({ nameId: 'a@b.example', attributes: [] }), expected)).toMatchObject({
      accepted: { person: { subject: 'a@b.example', email: 'a@b.example' } },
    });
  });

  test.each([[null], [{}], [{ Assertion: {} }], ['text']])('rejects %j', (given) => {
    expect(readAssertion(given, expected)).toHaveProperty('problem');
  });
});

describe('T-SAML textProblem', () => {
  const algorithm = (name: string): string => `<a Algorithm = '${name}'/>`;
  test.each<[string, string, boolean]>([
    ['SHA-256', algorithm('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'), true],
    ['SHA-1', algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha1'), false],
    ['a reference in the name', algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha&#49;'), false],
    ['encryption', algorithm('http://www.w3.org/2001/04/xmlenc#aes256-cbc'), false],
    ['a declaration', '<?xml version="1.0" encoding="UTF-8"?><a/>', true],
    ['two declarations', '<?xml version="1.0"?><?xml version="1.0"?><a/>', false],
    ['40 levels', '<a>'.repeat(40) + '</a>'.repeat(40), true],
    ['41 levels', '<a>'.repeat(41), false],
    ['a comment', '<a><!-- --></a>', false],
  ])('%s', (_name, xml, isGood) => {
    expect(textProblem(xml) === undefined).toBe(isGood);
  });
});
