// SAML 2.0 as a service provider: requests, our metadata, and signature checks of answers.
import type { SAML } from '@node-saml/node-saml';
import { asError } from '#kernel/errors.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { consoleAddresses, type Provider } from '#features/access/providers/server/index.ts';
import { AnswerRefused } from './answer-refused.ts';
import { readAssertion, textProblem, type AcceptedAssertion, type SamlProblem } from '../rules-saml.ts';

/** Loaded when the first company signs in with SAML: it brings two XML parsers. */
const saml = () => import('@node-saml/node-saml');

async function libraryFor(app: App, provider: Provider, requestId = ''): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await saml();
  const ours = consoleAddresses(app, provider);
  return new SAML({
    entryPoint: provider.ssoUrl,
    issuer: ours.entityId,
    audience: ours.entityId,
    callbackUrl: ours.acsUrl,
    idpCert: [...provider.certificates],
    wantAssertionsSigned: true,
    // The assertion's signature is what matters; many providers sign nothing else.
    wantAuthnResponseSigned: false,
    // The provider decides how people authenticate, and which name id it sends.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    // Requests are stored in the database, shared by all consoles; times are checked against our own clock.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: -1,
    generateUniqueId: () => requestId,
  });
}

/** The URL of the sign-in request (HTTP-Redirect binding). */
export async function signInAddress(app: App, provider: Provider, requestId: string): Promise<string> {
  return (await libraryFor(app, provider, requestId)).getAuthorizeUrlAsync('', undefined, {});
}

/** Our metadata for a provider. */
export async function metadataFor(app: App, provider: Provider): Promise<string> {
  return (await libraryFor(app, provider, `_${provider.id}`)).generateServiceProviderMetadata(null, null);
}

/**
 * Checks an answer's signature, issuer, audience, recipient and times. The caller checks that it was
 * requested and is not a replay. @throws AnswerRefused
 */
export async function acceptAnswer(
  app: App,
  provider: Provider,
  encoded: string,
  now: Date,
): Promise<AcceptedAssertion> {
  const xml = decoded(encoded);
  const problem = textProblem(xml);
  if (problem !== undefined) throw new AnswerRefused(problem);
  const ours = consoleAddresses(app, provider);
  const destination = /^[^>]*?<(?:[\w.-]+:)?Response\b[^>]*?\sDestination\s*=\s*["']([^"']*)["']/.exec(
    xml,
  )?.[1];
  if (destination !== undefined && destination !== '' && destination !== ours.acsUrl)
    throw new AnswerRefused('another destination');
  const read = readAssertion(await signedAssertion(app, provider, encoded), {
    issuer: provider.entityId,
    audience: ours.entityId,
    acsUrl: ours.acsUrl,
    now,
    attributes: {
      email: provider.emailAttribute,
      name: provider.nameAttribute,
      groups: provider.groupsAttribute,
    },
  });
  if ('problem' in read) throw refusalOf(read);
  return read.accepted;
}

const refusalOf = ({ problem, isLate }: SamlProblem): AnswerRefused =>
  new AnswerRefused(problem, { late: isLate === true });

function decoded(encoded: string): string {
  const compact = encoded.replace(/\s/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new AnswerRefused('no base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'));
  } catch {
    // Another encoding: parsers could read texts that differ from those that we checked.
    throw new AnswerRefused('no UTF-8');
  }
}

/** The assertion, parsed from exactly the bytes that were signed. */
async function signedAssertion(app: App, provider: Provider, encoded: string): Promise<unknown> {
  try {
    const library = await libraryFor(app, provider);
    const { profile } = await library.validatePostResponseAsync({
      SAMLResponse: encoded.replace(/\s/g, ''),
    });
    if (!profile?.getAssertion) throw new AnswerRefused('no assertion');
    return profile.getAssertion();
  } catch (error) {
    if (error instanceof AnswerRefused) throw error;
    // The library throws for any invalid answer; its message contains no secret.
    const reason = asError(error).message;
    const { SamlStatusError } = await saml();
    throw new AnswerRefused(reason.slice(0, 300), { status: error instanceof SamlStatusError });
  }
}
