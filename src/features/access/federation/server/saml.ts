// SAML 2.0 as a service provider: requests, our metadata, and answers whose signature is right.
import type { SAML } from '@node-saml/node-saml';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { ourPlaces, type Provider } from '#features/access/providers/server/index.ts';
import { AnswerRefused } from './answer-refused.ts';
import { readAssertion, textProblem, type AcceptedAssertion, type SamlProblem } from '../rules-saml.ts';

/** Loaded when the first company signs in with SAML: it brings two parsers of XML along. */
const saml = () => import('@node-saml/node-saml');

async function libraryFor(app: App, provider: Provider, requestId = ''): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await saml();
  const ours = ourPlaces(app, provider);
  return new SAML({
    entryPoint: provider.ssoUrl,
    issuer: ours.entityId,
    audience: ours.entityId,
    callbackUrl: ours.acsUrl,
    idpCert: [...provider.certificates],
    wantAssertionsSigned: true,
    // A signed assertion is what counts; many providers sign nothing else.
    wantAuthnResponseSigned: false,
    // The provider decides how people prove who they are, and by what name it calls them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    // Requests are kept in the database, for all consoles; times are checked by our own clock.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: -1,
    generateUniqueId: () => requestId,
  });
}

/** The address that asks a provider to sign a person in (HTTP-Redirect binding). */
export async function signInAddress(app: App, provider: Provider, requestId: string): Promise<string> {
  return (await libraryFor(app, provider, requestId)).getAuthorizeUrlAsync('', undefined, {});
}

/** Our metadata for a provider. */
export async function metadataFor(app: App, provider: Provider): Promise<string> {
  return (await libraryFor(app, provider, `_${provider.id}`)).generateServiceProviderMetadata(null, null);
}

/**
 * Checks an answer's signature, issuer, audience, recipient and times. Whether it was asked for and is new is
 * the caller's to check. @throws AnswerRefused
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
  const ours = ourPlaces(app, provider);
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
    // Another encoding: parsers could read other texts from it than we checked.
    throw new AnswerRefused('no UTF-8');
  }
}

/** The assertion, parsed from the very bytes that were signed. */
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
    // The library throws for whatever does not fit; what it says names no secret.
    const reason = error instanceof Error ? error.message : String(error);
    const { SamlStatusError } = await saml();
    throw new AnswerRefused(reason.slice(0, 300), { status: error instanceof SamlStatusError });
  }
}
