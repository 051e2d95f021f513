// Opens, renews and ends a session: its cookie and its access tokens.
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isAddressIn } from '#platform/server/security/address-list.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { identityErrors, type SignedIn, type User } from '../contract.ts';
import { rotationGraceSeconds, sessionEndOf } from '../rules.ts';
import { endSessions } from './end-sessions.ts';
import { firstUserOf, userById } from './store.ts';
import {
  insertSession,
  markSignedIn,
  rotateToken,
  sessionPolicyOf,
  sessionOfToken,
  sessionOfUsedToken,
  type OpenSession,
} from './store-sessions.ts';
import { requireAdminTwoFactor } from './settings.ts';
import { randomSecret, signAccessToken } from './tokens.ts';

/** The content of the cookie that scripts can read: enough for a greeting, nothing secret. */
const cookieView = (user: User): object => ({ id: user.id, name: user.name, role: user.role });

/**
 * Whether a user's role requires a second factor that they have not set up yet; the same rule as for every
 * request (actorOfSession).
 */
const mustEnrol = async (ctx: Ctx, user: User): Promise<boolean> =>
  user.role === 'Admin' && !user.twoFactor && (await ctx.setting(requireAdminTwoFactor));

/** Whether a policy allows access from an address. */
const mayComeFrom = (networks: readonly string[] | null | undefined, address: string): boolean =>
  !networks || networks.length === 0 || isAddressIn(networks, address);

/**
 * Opens a session for an authenticated user, and sets its cookies.
 * @throws identity.network_refused when the policy of the user's organization does not allow this network
 */
export async function startSession(
  ctx: Ctx,
  user: User,
  reply: Reply,
  known: { readonly mustEnrol?: boolean } = {},
): Promise<SignedIn> {
  const secret = randomSecret();
  const policy = await sessionPolicyOf(ctx.db, user.organizationId);
  if (!mayComeFrom(policy?.networks, reply.address))
    throw domainError(identityErrors, 'identity.network_refused', { address: reply.address });
  const sessionEnd = sessionEndOf(ctx.now, ctx.now, policy);
  const sessionId = insertSession(ctx, {
    userId: user.id,
    tokenHash: sha256(secret),
    device: reply.userAgent,
    address: reply.address,
    expiresAt: sessionEnd,
  });
  markSignedIn(ctx, user.id);
  ctx.audit('signin.login', user.id, { sessionId }, user.id);
  const { token, expiresAt } = signAccessToken(ctx.app, user.id, sessionId, ctx.now);
  reply.setSessionCookies(secret, sessionEnd, cookieView(user));
  return {
    user: { ...user, lastSignInAt: ctx.now },
    token,
    expiresAt,
    mustEnrol: known.mustEnrol ?? (await mustEnrol(ctx, user)),
    idleMinutes: policy?.idleMinutes ?? null,
  };
}

/**
 * Development only: returns an access token for the first active user of a role, without a password;
 * undefined when there is none.
 */
export async function simulateUser(ctx: Ctx, role: Role): Promise<SignedIn | undefined> {
  const user = await firstUserOf(ctx, role);
  if (!user) return undefined;
  const sessionId = insertSession(ctx, {
    userId: user.id,
    tokenHash: sha256(randomSecret()),
    device: 'simulated',
    address: '',
    expiresAt: sessionEndOf(ctx.now, ctx.now, undefined),
  });
  return {
    user,
    ...signAccessToken(ctx.app, user.id, sessionId, ctx.now),
    mustEnrol: false,
    idleMinutes: null,
  };
}

/**
 * Issues a new access token for the cookie's session and rotates the cookie. An already rotated cookie is
 * accepted for {@link rotationGraceSeconds} more, because tabs share one cookie and may renew at the same
 * moment. Later use means that the cookie was stolen, so the session ends for every holder. The same applies
 * to use from a network that the organization's policy does not allow.
 */
export async function session(ctx: Ctx, _input: object, reply: Reply): Promise<SignedIn> {
  const secret = reply.cookie('session');
  const next = randomSecret();
  const continued =
    secret &&
    (await unitOfWork(
      ctx.app,
      { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
      (own) => continueSession(own, secret, next, reply.address),
    ));
  // Leaves the browser's cookies unchanged: the person may have signed in meanwhile, and clearing them would
  // end the new session.
  if (continued === 'elsewhere')
    throw domainError(identityErrors, 'identity.network_refused', { address: reply.address });
  const user = continued && (await userById(ctx.db, continued.userId));
  if (!continued || !user) throw domainError(identityErrors, 'identity.session_ended');
  if (continued.isTurned) reply.setSessionCookies(next, continued.expiresAt, cookieView(user));
  const { token, expiresAt } = signAccessToken(ctx.app, user.id, continued.sessionId, ctx.now);
  return {
    user,
    token,
    expiresAt,
    mustEnrol: await mustEnrol(ctx, user),
    idleMinutes: continued.idleMinutes,
  };
}

async function continueSession(
  ctx: Ctx,
  secret: string,
  next: string,
  address: string,
): Promise<(OpenSession & { isTurned: boolean }) | 'elsewhere' | undefined> {
  const turned = await rotateToken(ctx, sha256(secret), sha256(next));
  const earlier = turned ? undefined : await sessionOfUsedToken(ctx, sha256(secret));
  const found = turned ?? earlier;
  if (found && !mayComeFrom(found.networks, address)) {
    await endSessions(ctx, found.userId, { only: found.sessionId });
    ctx.audit('identity.session_elsewhere', found.userId, { sessionId: found.sessionId, address });
    return 'elsewhere';
  }
  if (turned) return { ...turned, isTurned: true };
  if (!earlier) return undefined;
  if (ctx.now.getTime() - earlier.usedAt.getTime() <= rotationGraceSeconds * 1000)
    return { ...earlier, isTurned: false };
  await endSessions(ctx, earlier.userId, { only: earlier.sessionId });
  ctx.audit('identity.session_copied', earlier.userId, { sessionId: earlier.sessionId });
  return undefined;
}

/**
 * The organization of the user whose session a cookie is of, null for people without one; undefined without an
 * open session. Reads only: the session is neither continued nor used.
 */
export async function organizationOfSession(ctx: Ctx, secret: string): Promise<Id<'org'> | null | undefined> {
  const open = await sessionOfToken(ctx, sha256(secret));
  return open && (await userById(ctx.db, open.userId))?.organizationId;
}

/** Ends the cookie's session, if there is one. */
export async function logout(ctx: Ctx, _input: object, reply: Reply): Promise<null> {
  const secret = reply.cookie('session');
  const open = secret ? await sessionOfToken(ctx, sha256(secret)) : undefined;
  if (open) {
    await endSessions(ctx, open.userId, { only: open.sessionId });
    ctx.audit('identity.logout', open.userId, { sessionId: open.sessionId }, open.userId);
  }
  reply.clearSessionCookies();
  return null;
}
