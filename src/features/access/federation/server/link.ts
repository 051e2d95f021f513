// Links external accounts: after a sign-in that matched an existing account, and from the profile.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { passwordHashOf, userById } from '#features/access/identity/server/index.ts';
import type { SignedIn, User } from '#features/access/identity/contract.ts';
import { federationErrors, type federation } from '../contract.ts';
import { verifyAccessToken } from './access-token.ts';
import { verifyGoogle } from './google.ts';
import { openIdentity, ticketCookie, unitOptions } from './open-identity.ts';
import { upstreamOf } from './sso.ts';
import { linkChanged } from './link-changed.ts';
import {
  attemptLink,
  claimToken,
  deleteIdentity,
  findIdentity,
  identitiesOf,
  insertIdentity,
  takeLinkRequest,
} from './store.ts';

/**
 * Whether a user proves that an account is theirs: by password, and by a second factor if the account has
 * one. Runs outside transactions.
 */
export type ProveOwner = (
  ctx: Ctx,
  user: User,
  proof: { readonly password: string; readonly otp?: string | undefined },
) => Promise<boolean>;

/**
 * Creates the operation that links the external account named by the ticket of a rejected sign-in, and signs
 * in.
 */
export function confirmLinkBy(proveLogin: ProveOwner) {
  return async (ctx: Ctx, input: In<typeof federation.confirmLink>, reply: Reply): Promise<SignedIn> => {
    const ticket = input.ticket ?? reply.cookie(ticketCookie);
    const hash = sha256(ticket ?? '');
    const wanted =
      ticket === undefined
        ? undefined
        : await unitOfWork(ctx.app, unitOptions(ctx), (own) => attemptLink(own, hash));
    const owner = wanted && (await userById(ctx.db, wanted.userId));
    if (!wanted || owner?.status !== 'active') throw domainError(federationErrors, 'federation.ticket_gone');
    if (!(await proveLogin(ctx, owner, input))) {
      await unitOfWork(ctx.app, unitOptions(ctx), async (own) =>
        own.audit('federation.refused', owner.id, { source: wanted.source, code: 'federation.proof_wrong' }),
      );
      throw domainError(federationErrors, 'federation.proof_wrong');
    }
    const outcome = await unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
      if (!(await takeLinkRequest(own, hash))) throw domainError(federationErrors, 'federation.ticket_gone');
      const identityId = await insertIdentity(own, wanted, owner.id, { isManaged: false, isUsed: false });
      if (!identityId) throw domainError(federationErrors, 'federation.identity_known');
      own.audit('federation.link', owner.id, { source: wanted.source, issuer: wanted.issuer });
      await own.emit(linkChanged, { userId: owner.id, what: 'identity_linked', account: wanted.email });
      return openIdentity(own, wanted.source, { id: identityId, userId: owner.id }, reply);
    });
    if ('errorCode' in outcome) throw domainError(federationErrors, outcome.errorCode);
    reply.clearCookie(ticketCookie);
    return outcome.signedIn;
  };
}

/**
 * Creates the operation that links an external account to the signed-in user. A user with a password must
 * enter it: otherwise a stolen token could add a permanent way to sign in.
 */
export function linkIdentityBy(proveOwner: ProveOwner) {
  return async (
    ctx: Ctx,
    input: In<typeof federation.linkIdentity>,
    reply: Reply,
  ): Promise<Out<typeof federation.linkIdentity>> => {
    const { userId } = person(ctx);
    const user = required(await userById(ctx.db, userId), 'the signed-in person');
    const hasPassword = (await passwordHashOf(ctx.db, userId)) !== null;
    if (hasPassword && !(await proveOwner(ctx, user, { password: input.password ?? '', otp: input.otp })))
      throw domainError(federationErrors, 'federation.proof_wrong');
    return withoutUnauthorized(linkTo(ctx, user, input, reply));
  };
}

/**
 * Replaces a 401, which a browser takes as the end of its own session: here only the external token was
 * invalid.
 */
async function withoutUnauthorized<T>(linking: Promise<T>): Promise<T> {
  try {
    return await linking;
  } catch (error) {
    throw error instanceof DomainError && error.status === 401
      ? new DomainError(error.code, 422, error.params)
      : error;
  }
}

async function linkTo(
  ctx: Ctx,
  owner: User,
  input: In<typeof federation.linkIdentity>,
  reply: Reply,
): Promise<Out<typeof federation.linkIdentity>> {
  const userId = owner.id;
  const google = input.source === 'google' ? await verifyGoogle(ctx, input.token, reply) : undefined;
  const upstream = google ?? upstreamOf(await verifyAccessToken(ctx, input.token));
  return unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
    if (google && !(await claimToken(own, google.tokenHash, google.tokenEndsAt)))
      throw domainError(federationErrors, 'federation.token_used');
    const identityId = (await findIdentity(own.db, upstream))
      ? undefined
      : await insertIdentity(own, upstream, userId, { isManaged: false, isUsed: false });
    if (!identityId) throw domainError(federationErrors, 'federation.identity_known');
    own.audit('federation.link', userId, { source: upstream.source, issuer: upstream.issuer });
    await own.emit(linkChanged, { userId: owner.id, what: 'identity_linked', account: upstream.email });
    return required(
      (await identitiesOf(own.db, userId)).find(({ id }) => id === identityId),
      'the identity that was just linked',
    );
  });
}

/** The caller's own linked identities. */
export async function externalIdentities(ctx: Ctx): Promise<Out<typeof federation.externalIdentities>> {
  return { items: await identitiesOf(ctx.db, person(ctx).userId) };
}

/** Removes a linked identity. A user without a password keeps at least one. */
export async function unlinkIdentity(ctx: Ctx, input: In<typeof federation.unlinkIdentity>): Promise<null> {
  const { userId } = person(ctx);
  await lockUntilEnd(ctx, `ways in ${userId}`);
  const ownIdentities = await identitiesOf(ctx.db, userId);
  const wanted = ownIdentities.find(({ id }) => id === input.identityId);
  if (wanted && ownIdentities.length === 1 && (await passwordHashOf(ctx.db, userId)) === null)
    throw domainError(federationErrors, 'federation.last_way_in');
  if (!(await deleteIdentity(ctx, userId, input.identityId)))
    throw domainError(federationErrors, 'federation.identity_not_found');
  ctx.audit('federation.unlink', userId, { identity: input.identityId });
  await ctx.emit(linkChanged, { userId, what: 'identity_unlinked', account: wanted?.email ?? '' });
  return null;
}
