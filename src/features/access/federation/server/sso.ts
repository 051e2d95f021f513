// Signing in with an access token of the configured provider (R-AUTH-05).
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import * as z from 'zod/mini';
import { email } from '#kernel/shape.ts';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import { userById, userToSignIn } from '#features/access/identity/server/index.ts';
import { federationErrors, type federation } from '../contract.ts';
import { safeReturnPath } from '../rules.ts';
import { verifyAccessToken, type ProviderPerson } from './access-token.ts';
import { addMember, claimedRole, applyClaims } from './members.ts';
import { askForProof, openIdentity, unitOptions, type Outcome } from './open-identity.ts';
import { findIdentity, type Upstream } from './store.ts';

/** Signs a user in and sets the session's cookie. */
export async function sso(
  ctx: Ctx,
  input: In<typeof federation.sso>,
  reply: Reply,
): Promise<Out<typeof federation.sso>> {
  const oidc = ctx.app.config.oidc;
  if (!oidc) throw domainError(federationErrors, 'federation.not_configured');
  const person = await verifyAccessToken(ctx, input.accessToken);
  const outcome = await unitOfWork(ctx.app, unitOptions(ctx), (own) => enter(own, oidc, person, reply));
  if ('errorCode' in outcome) throw domainError(federationErrors, outcome.errorCode);
  return { ...outcome.signedIn, redirectUrl: safeReturnPath(input.redirectUrl) };
}

/**
 * The same with the token in the URL. Any site can make a browser open a URL, so this must not change which
 * user the browser is signed in as.
 */
export async function ssoByQuery(
  ctx: Ctx,
  input: In<typeof federation.ssoByQuery>,
  reply: Reply,
): Promise<Out<typeof federation.ssoByQuery>> {
  return sso(ctx, input, { ...reply, setSessionCookies: () => undefined });
}

/** The external identity from a provider's claims. */
export function upstreamOf(person: ProviderPerson): Upstream {
  const read = z.safeParse(email, person.claims['email']);
  return {
    source: 'oidc',
    issuer: person.issuer,
    subject: person.subject,
    email: read.success ? normalAccount(read.data) : '',
  };
}

async function enter(ctx: Ctx, oidc: OidcConfig, person: ProviderPerson, reply: Reply): Promise<Outcome> {
  await lockUntilEnd(ctx, `external ${person.issuer} ${person.subject}`);
  const role = await claimedRole(ctx, oidc, person);
  if (role === undefined) return refusedAs(ctx, 'federation.role_refused');
  const upstream = upstreamOf(person);
  const identity = await findIdentity(ctx.db, upstream);
  if (identity) {
    const user = required(await userById(ctx.db, identity.userId), 'an identity has a user');
    if (identity.isManaged && user.status === 'active') await applyClaims(ctx, oidc, person, user, role);
    return openIdentity(ctx, 'oidc', identity, reply);
  }
  // The operator chose the provider, so a missing email_verified claim is accepted for a new account, but
  // never for an existing one.
  const isVerified = person.claims['email_verified'];
  if (upstream.email === '' || isVerified === false) return refusedAs(ctx, 'federation.email_unverified');
  const account = await userToSignIn(ctx.db, upstream.email);
  if (account)
    return isVerified === true
      ? askForProof(ctx, upstream, account.user.id, reply)
      : refusedAs(ctx, 'federation.account_known');
  await addMember(ctx, oidc, person, upstream, role);
  return openIdentity(
    ctx,
    'oidc',
    required(await findIdentity(ctx.db, upstream), 'the identity that was just made'),
    reply,
  );
}

function refusedAs(ctx: Ctx, errorCode: keyof typeof federationErrors): Outcome {
  ctx.audit('federation.refused', undefined, { source: 'oidc', code: errorCode });
  return { errorCode };
}
