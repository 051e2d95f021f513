// Validates Google's ID tokens with Google's keys and the checks that R-AUTH-04 and OpenID Connect require.
import { domainError } from '#kernel/errors.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { KeySet } from './key-set.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import { federationErrors } from '../contract.ts';
import {
  googleIssuers,
  googleProblem,
  isGoogleAddress,
  nameOfClaims,
  oldestTokenSeconds,
  toleranceSeconds,
} from '../rules.ts';
import { refused, unverified } from './refused.ts';
import type { Upstream } from './store.ts';

/** The cookie that ties a nonce to one browser. */
export const nonceCookie = 'google_nonce';

/** A user as described by Google's claims, and the hash that marks this token as used. */
export type GooglePerson = Upstream & {
  readonly name: string;
  /** Whether Google is the authority for the address. */
  readonly isAuthority: boolean;
  readonly hostedDomain: string | undefined;
  readonly tokenHash: Buffer;
  readonly tokenEndsAt: Date;
};

const keySets = new WeakMap<App, KeySet>();
function keysOf(app: App, address: string): KeySet {
  const known = keySets.get(app) ?? new KeySet(address, app.log);
  keySets.set(app, known);
  return known;
}

/** The nonce for a cookie's secret. It is a hash, so the token does not reveal the cookie. */
export const nonceOf = (secret: string): string => sha256(secret).toString('base64url');

/**
 * Returns the user of an ID token. Throws, and audits, when it is invalid. Fetches Google's keys, so it must
 * not run inside a transaction.
 */
export async function verifyGoogle(ctx: Ctx, idToken: string, reply: Reply): Promise<GooglePerson> {
  const { google } = ctx.app.config;
  if (!google) throw domainError(federationErrors, 'federation.not_configured');
  const claims = await claimsOf(ctx, idToken, google);
  const secret = reply.cookie(nonceCookie);
  const problem = googleProblem(claims, {
    clientId: google.clientId,
    hostedDomains: google.hostedDomains,
    nonce: secret === undefined ? null : nonceOf(secret),
    nowSeconds: Math.floor(ctx.now.getTime() / 1000),
  });
  if (problem === 'token')
    throw await refused(ctx, 'google', 'federation.token_refused', 'audience, nonce or age');
  if (problem === 'email')
    throw await refused(ctx, 'google', 'federation.email_unverified', 'address not verified');
  if (problem === 'domain')
    throw await refused(ctx, 'google', 'federation.domain_refused', 'hosted domain not listed');
  const email = normalAccount(String(claims['email']));
  return {
    source: 'google',
    issuer: googleIssuers[0],
    subject: String(claims['sub']),
    email,
    name: nameOfClaims(claims, email),
    isAuthority: isGoogleAddress(claims),
    hostedDomain: typeof claims['hd'] === 'string' && claims['hd'] !== '' ? claims['hd'] : undefined,
    // The hash covers only the signed part, because the same signature can be encoded in several ways.
    tokenHash: sha256(idToken.slice(0, idToken.lastIndexOf('.'))),
    tokenEndsAt: new Date((Number(claims['exp']) + 2 * toleranceSeconds) * 1000),
  };
}

async function claimsOf(
  ctx: Ctx,
  idToken: string,
  google: { clientId: string; jwksUrl: string },
): Promise<Record<string, unknown>> {
  try {
    const { payload, header } = await keysOf(ctx.app, google.jwksUrl).verify(
      idToken,
      {
        algorithms: ['RS256'],
        issuer: [...googleIssuers],
        audience: google.clientId,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: toleranceSeconds,
        maxTokenAge: oldestTokenSeconds,
      },
      ctx.now,
    );
    if (header['typ'] !== undefined && header['typ'] !== 'JWT')
      throw await refused(ctx, 'google', 'federation.token_refused', 'typ');
    return payload;
  } catch (error) {
    throw await unverified(ctx, 'google', error);
  }
}
