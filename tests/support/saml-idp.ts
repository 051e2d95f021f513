// An identity provider that signs real SAML responses, correct ones and wrong ones.
import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { signXml } from '@node-saml/node-saml/lib/xml.js';
import { makeSelfSigned } from './certificates.ts';

/** The content of a response; every part can be made wrong. */
export type AnswerParts = {
  readonly assertionId: string;
  readonly responseId: string;
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
  readonly destination: string;
  readonly inResponseTo: string | null;
  readonly issuedAt: string;
  readonly notBefore: string;
  readonly notOnOrAfter: string;
  readonly confirmedUntil: string | null;
  /** XML, so that a test can put a comment into it. */
  readonly nameId: string;
  readonly nameFormat: string;
  readonly email: string | null;
  readonly name: string;
  readonly groups: readonly string[];
};
export type SignOptions = {
  readonly key?: string;
  readonly algorithm?: 'sha1' | 'sha256';
  readonly digest?: 'sha1' | 'sha256';
  readonly what?: 'Assertion' | 'Response';
};

export type SamlIdp = {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificate: string;
  readonly key: string;
  readonly metadata: string;
  /** The parts of a correct response to a request at a moment. */
  readonly parts: (to: SamlTarget, changes?: Partial<AnswerParts>) => AnswerParts;
  /** A correct, signed response in base64, as a browser posts it. */
  readonly answer: (to: SamlTarget, changes?: Partial<AnswerParts>, options?: SignOptions) => string;
  readonly sign: (xml: string, options?: SignOptions) => string;
};
export type SamlTarget = {
  readonly entityId: string;
  readonly acsUrl: string;
  readonly requestId: string | null;
  readonly now: Date;
};

const newId = (): string => `_${randomBytes(16).toString('hex')}`;
const attribute = (name: string, values: readonly string[]): string =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`;

/** The assertion as XML, unsigned. */
export function assertionXml(parts: AnswerParts): string {
  const answers = parts.inResponseTo === null ? '' : ` InResponseTo="${parts.inResponseTo}"`;
  const until = parts.confirmedUntil === null ? '' : ` NotOnOrAfter="${parts.confirmedUntil}"`;
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${parts.assertionId}" IssueInstant="${parts.issuedAt}" Version="2.0">` +
    `<saml:Issuer>${parts.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${parts.nameFormat}">${parts.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${parts.recipient}"${answers}${until}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${parts.notBefore}" NotOnOrAfter="${parts.notOnOrAfter}"><saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${parts.issuedAt}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${parts.email === null ? '' : attribute('email', [parts.email])}${attribute('displayName', [parts.name])}${parts.groups.length === 0 ? '' : attribute('groups', parts.groups)}</saml:AttributeStatement></saml:Assertion>`
  );
}

/** A response with the given content. */
export function responseXml(parts: AnswerParts, content: string, status = 'Success'): string {
  const answers = parts.inResponseTo === null ? '' : ` InResponseTo="${parts.inResponseTo}"`;
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${parts.responseId}" Version="2.0" IssueInstant="${parts.issuedAt}" Destination="${parts.destination}"${answers}>` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${parts.issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${content}</samlp:Response>`
  );
}

export const encodeXml = (xml: string): string => Buffer.from(xml, 'utf8').toString('base64');

/** A provider with its own key. */
export function makeSamlIdp(origin = 'https://idp.harbour.example'): SamlIdp {
  const { certificate, key } = makeSelfSigned('idp.harbour.example');
  const entityId = `${origin}/metadata`;
  const ssoUrl = `${origin}/sso`;
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  const parts: SamlIdp['parts'] = (to, changes = {}) => {
    const at = (seconds: number): string => new Date(to.now.getTime() + seconds * 1000).toISOString();
    return {
      assertionId: newId(),
      responseId: newId(),
      issuer: entityId,
      audience: to.entityId,
      recipient: to.acsUrl,
      destination: to.acsUrl,
      inResponseTo: to.requestId,
      issuedAt: at(0),
      notBefore: at(-30),
      notOnOrAfter: at(300),
      confirmedUntil: at(300),
      nameId: 'mei',
      nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      email: 'mei@harbour.example',
      name: 'Mei Lin',
      groups: ['console-users'],
      ...changes,
    };
  };
  const sign: SamlIdp['sign'] = (xml, options = {}) => {
    const what = `//*[local-name(.)='${options.what ?? 'Assertion'}']`;
    return signXml(
      xml,
      what,
      { reference: `${what}/*[local-name(.)='Issuer']`, action: 'after' },
      {
        privateKey: options.key ?? key,
        signatureAlgorithm: options.algorithm ?? 'sha256',
        digestAlgorithm: options.digest ?? 'sha256',
      },
    );
  };
  return {
    entityId,
    ssoUrl,
    certificate,
    key,
    metadata:
      `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">` +
      `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>` +
      `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ssoUrl}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
    parts,
    sign,
    answer: (to, changes, options) => {
      const made = parts(to, changes);
      return encodeXml(sign(responseXml(made, assertionXml(made)), options));
    },
  };
}

/** Parses a request that a browser brings to the provider (HTTP-Redirect binding). */
export function readRequest(address: string): {
  readonly id: string;
  readonly acsUrl: string;
  readonly issuer: string;
} {
  const encoded = new URL(address).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString('utf8');
  const value = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    id: value(/\sID="([^"]+)"/),
    acsUrl: value(/AssertionConsumerServiceURL="([^"]+)"/),
    issuer: value(/Issuer[^>]*>([^<]+)</),
  };
}
