// The outcomes of every external sign-in: a session, an error code, or a ticket to prove ownership of the
// account.
import { randomBytes } from 'node:crypto';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { UnitOfWorkOptions } from '#platform/server/unit-of-work/unit-of-work.ts';
import { startSession, userById } from '#features/access/identity/server/index.ts';
import type { SignedIn } from '#features/access/identity/contract.ts';
import { domainOf } from '#features/access/providers/rules.ts';
import { isProviderRequired } from '#features/access/providers/server/index.ts';
import type { ExternalIdentity, federationErrors } from '../contract.ts';
import { linkTicketMinutes } from '../rules.ts';
import { insertLinkRequest, markUsed, type Upstream } from './store.ts';

/** An error code is returned, not thrown, so that the transaction's audit entry is committed. */
export type Outcome = { readonly signedIn: SignedIn } | { readonly errorCode: keyof typeof federationErrors };

/** Holds the ticket of a link that awaits proof; only this server reads it. */
export const ticketCookie = 'link_ticket';

/** Options for the transaction of an API call that manages its own. */
export const unitOptions = (ctx: Ctx): UnitOfWorkOptions => ({
  actor: ctx.actor,
  language: ctx.language,
  requestId: ctx.requestId,
});

/** Opens a session for the account of a linked identity. */
export async function openIdentity(
  ctx: Ctx,
  source: ExternalIdentity['source'],
  identity: { id: string; userId: string },
  reply: Reply,
): Promise<Outcome> {
  const user = required(await userById(ctx.db, identity.userId), 'an identity has a user');
  if (user.status !== 'active') {
    ctx.audit('federation.refused', user.id, { source, code: 'federation.account_inactive' });
    return { errorCode: 'federation.account_inactive' };
  }
  // A Google account would bypass the company's provider, which could then not block the person.
  if (
    source === 'google' &&
    user.role !== 'Admin' &&
    (await isProviderRequired(ctx.db, domainOf(user.account)))
  ) {
    ctx.audit('federation.refused', user.id, { source, code: 'federation.company_required' });
    return { errorCode: 'federation.company_required' };
  }
  await markUsed(ctx, identity.id);
  ctx.audit('federation.login', user.id, { source, identity: identity.id });
  return { signedIn: await startSession(ctx, user, reply) };
}

/** Sets a ticket with which only the account's owner can link exactly this identity. */
export async function askForProof(
  ctx: Ctx,
  upstream: Upstream,
  userId: string,
  reply: Reply,
): Promise<Outcome> {
  const secret = randomBytes(32).toString('base64url');
  await insertLinkRequest(
    ctx,
    sha256(secret),
    upstream,
    userId,
    new Date(ctx.now.getTime() + linkTicketMinutes * 60_000),
  );
  reply.setCookie(ticketCookie, secret, linkTicketMinutes * 60);
  ctx.audit('federation.linkAsked', userId, { source: upstream.source, issuer: upstream.issuer });
  return { errorCode: 'federation.link_required' };
}
