// OpenID Connect at a provider that an Admin added: authorization code with PKCE and a nonce, as a client
// with or without a secret. An Admin entered the provider's addresses, so only public ones are contacted.
import { createLocalJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import * as z from 'zod/mini';
import { isSafeAddress } from '#platform/server/config.ts';
import { PinnedRequestFailed, requestPinned } from '#platform/server/outbound/outbound-pinned.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { clientSecretOf, consoleAddresses, type Provider } from '#features/access/providers/server/index.ts';
import { nameOfClaims, oldestTokenSeconds, toleranceSeconds } from '../rules.ts';
import type { CompanyPerson } from '../rules-saml.ts';
import { AnswerRefused } from './answer-refused.ts';

const maxBytes = 256 * 1024;
const longestMs = 10_000;
/** Asymmetric algorithms only: with a shared secret, every verifier could also sign. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const Discovery = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
});
const Keys = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });
const Tokens = z.looseObject({ id_token: z.string().check(z.maxLength(100_000)) });

/** Fetches a JSON object from the provider. @throws AnswerRefused */
async function ask<T extends z.ZodMiniType>(
  app: App,
  address: string,
  shape: T,
  form?: Readonly<Record<string, string>>,
): Promise<z.output<T>> {
  const place = URL.canParse(address) ? new URL(address).host : 'an address that is none';
  try {
    const { status, text } = await requestPinned(address, {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
      privateHosts: app.config.privateHosts,
      maxBytes,
      longestMs,
      signal: AbortSignal.timeout(longestMs),
    });
    if (status !== 200) throw new AnswerRefused(`${place} answered ${status}`);
    const read = z.safeParse(shape, JSON.parse(text));
    if (!read.success) throw new AnswerRefused(`the answer of ${place} lacks what is needed`);
    return read.data;
  } catch (error) {
    if (error instanceof AnswerRefused) throw error;
    if (error instanceof PinnedRequestFailed) throw new AnswerRefused(`${place}: ${error.message}`);
    if (error instanceof SyntaxError) throw new AnswerRefused(`${place} answered no JSON`);
    throw error;
  }
}

async function discover(app: App, provider: Provider): Promise<z.output<typeof Discovery>> {
  const issuer = provider.entityId;
  const found = await ask(app, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, Discovery);
  if (found.issuer !== issuer)
    throw new AnswerRefused(`its discovery document names the issuer ${found.issuer}`);
  if (!isSafeAddress(found.authorization_endpoint))
    throw new AnswerRefused('its authorization endpoint is not safe');
  return found;
}

/** Derives the nonce from the verifier, which only this server knows until it requests the tokens. */
const nonceOf = (verifier: string): string => sha256(`nonce ${verifier}`).toString('base64url');

/** The authorization URL to which the browser is redirected. @throws AnswerRefused */
export async function oidcAddress(
  app: App,
  provider: Provider,
  { id, verifier }: { readonly id: string; readonly verifier: string },
): Promise<string> {
  const { authorization_endpoint: endpoint } = await discover(app, provider);
  const address = new URL(endpoint);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: consoleAddresses(app, provider).acsUrl,
    scope: 'openid profile email',
    state: id,
    nonce: nonceOf(verifier),
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
  }))
    address.searchParams.set(name, value);
  return address.href;
}

/** Exchanges a code and checks the ID token (OpenID Connect Core, 3.1.3.7). @throws AnswerRefused */
export async function acceptCode(
  app: App,
  provider: Provider,
  { code, verifier }: { readonly code: string; readonly verifier: string },
  now: Date,
): Promise<CompanyPerson> {
  const { token_endpoint: endpoint, jwks_uri: keysAddress } = await discover(app, provider);
  const secret = clientSecretOf(app, provider);
  const { id_token: token } = await ask(app, endpoint, Tokens, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: consoleAddresses(app, provider).acsUrl,
    client_id: provider.clientId,
    code_verifier: verifier,
    ...(secret !== undefined && { client_secret: secret }),
  });
  const { keys } = await ask(app, keysAddress, Keys);
  return personOf(provider, await verified(provider, token, keys, verifier, now));
}

async function verified(
  provider: Provider,
  token: string,
  keys: z.output<typeof Keys>['keys'],
  verifier: string,
  now: Date,
): Promise<JWTPayload> {
  try {
    // A symmetric key in a public key set is known to everyone, so it must never verify a signature.
    const known = createLocalJWKSet({ keys: keys.filter(({ kty }) => kty !== 'oct') });
    const { payload } = await jwtVerify(token, known, {
      algorithms,
      issuer: provider.entityId,
      audience: provider.clientId,
      clockTolerance: toleranceSeconds,
      maxTokenAge: oldestTokenSeconds,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: now,
    });
    if (payload['nonce'] !== nonceOf(verifier)) throw new AnswerRefused('another nonce');
    const isShared = Array.isArray(payload.aud) && payload.aud.length > 1;
    if (payload['azp'] === undefined ? isShared : payload['azp'] !== provider.clientId)
      throw new AnswerRefused('another authorized party');
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new AnswerRefused('the ID token has expired', { late: true });
    if (error instanceof errors.JOSEError)
      throw new AnswerRefused(`ID token: ${error.code} ${error.message}`);
    throw error;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function personOf(provider: Provider, claims: JWTPayload): CompanyPerson {
  const subject = textOf(claims.sub);
  if (subject === '' || subject.length > 255) throw new AnswerRefused('no subject');
  // An address that the provider marks as unverified is ignored.
  const email = claims['email_verified'] === false ? '' : textOf(claims[provider.emailAttribute || 'email']);
  const groups: unknown = claims[provider.groupsAttribute || 'groups'];
  const name = textOf(claims[provider.nameAttribute || 'name']);
  return {
    subject,
    email,
    name: nameOfClaims({ ...claims, name }, email),
    groups: (Array.isArray(groups) ? groups : [groups])
      .map(textOf)
      .filter((each) => each !== '')
      .slice(0, 1000),
  };
}
