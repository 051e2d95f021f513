// Validates the provider's access tokens: signature or introspection, issuer, audience, times, and the same
// subject in userinfo (R-AUTH-05).
import { decodeProtectedHeader } from 'jose';
import { domainError } from '#kernel/errors.ts';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { fetchJson, OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { federationErrors } from '../contract.ts';
import {
  accessTokenProblem,
  audienceProblem,
  oldestTokenSeconds,
  toleranceSeconds,
  type Claims,
} from '../rules.ts';
import { providerOf, type Provider } from './discovery.ts';
import { refused, unverified } from './refused.ts';

/** Asymmetric algorithms only: with a shared secret, every verifier could also sign. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/**
 * The user of an access token: the subject, and the merged claims, with those of userinfo taking precedence
 * over the token's.
 */
export type ProviderPerson = { readonly issuer: string; readonly subject: string; readonly claims: Claims };

/**
 * Verifies an access token. Throws, and audits, when it is invalid. Calls the provider, so it must not run
 * inside a transaction.
 */
export async function verifyAccessToken(ctx: Ctx, accessToken: string): Promise<ProviderPerson> {
  const { oidc } = ctx.app.config;
  if (!oidc) throw domainError(federationErrors, 'federation.not_configured');
  try {
    const provider = await providerOf(ctx.app, oidc).get(ctx.now);
    const claims = isJwt(accessToken)
      ? await checkedJwt(ctx, provider, oidc, accessToken)
      : await introspected(ctx, provider, oidc, accessToken);
    const info = await userInfo(ctx, provider, accessToken);
    if (info['sub'] !== claims['sub'])
      throw await refused(ctx, 'oidc', 'federation.token_refused', 'user-info has another subject');
    return { issuer: oidc.issuer, subject: String(claims['sub']), claims: { ...claims, ...info } };
  } catch (error) {
    throw await unverified(ctx, 'oidc', error);
  }
}

function isJwt(token: string): boolean {
  if (token.split('.').length !== 3) return false;
  try {
    return decodeProtectedHeader(token).alg !== undefined;
  } catch {
    // Three parts without a valid header: an opaque token can look like that.
    return false;
  }
}

async function checkedJwt(ctx: Ctx, provider: Provider, oidc: OidcConfig, token: string): Promise<Claims> {
  const { payload, header } = await provider.keys.verify(
    token,
    {
      algorithms,
      issuer: oidc.issuer,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: toleranceSeconds,
      maxTokenAge: oldestTokenSeconds,
    },
    ctx.now,
  );
  const problem = accessTokenProblem(header, payload, oidc);
  if (problem !== undefined) throw await refused(ctx, 'oidc', 'federation.token_refused', problem);
  return payload;
}

/** Introspects an opaque token: userinfo alone would not tell for which client it was issued. */
async function introspected(ctx: Ctx, provider: Provider, oidc: OidcConfig, token: string): Promise<Claims> {
  if (provider.introspection === undefined)
    throw await refused(ctx, 'oidc', 'federation.token_refused', 'opaque token without introspection');
  const introspected = fetchJson(provider.introspection, {
    method: 'POST',
    form: { token, token_type_hint: 'access_token', client_id: oidc.clientId },
  });
  const answer = await refusedWhenRejected(ctx, introspected, 'introspection refused it');
  const nowSeconds = ctx.now.getTime() / 1000;
  const isInForce =
    answer['active'] === true &&
    typeof answer['exp'] === 'number' &&
    answer['exp'] + toleranceSeconds > nowSeconds;
  const isOurs =
    (answer['iss'] === undefined || answer['iss'] === oidc.issuer) &&
    audienceProblem(answer, oidc) === undefined;
  const isAccess =
    (typeof answer['token_type'] === 'string' ? answer['token_type'].toLowerCase() : 'bearer') === 'bearer';
  if (!isInForce || !isOurs || !isAccess || typeof answer['sub'] !== 'string' || answer['sub'] === '')
    throw await refused(ctx, 'oidc', 'federation.token_refused', 'introspection');
  return answer;
}

const userInfo = (ctx: Ctx, provider: Provider, token: string): Promise<Claims> =>
  refusedWhenRejected(ctx, fetchJson(provider.userInfo, { bearer: token }), 'user-info refused it');

/** Handles a rejection by the provider: the token is invalid or expired, and the provider is not down. */
async function refusedWhenRejected(ctx: Ctx, answer: Promise<Claims>, reason: string): Promise<Claims> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof OutboundFailure && [400, 401, 403].includes(error.status))
      throw await refused(ctx, 'oidc', 'federation.token_refused', reason);
    throw error;
  }
}
