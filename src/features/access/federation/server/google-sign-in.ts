// Google sign-in: tries to register first, then to sign in (R-AUTH-04).
import { contentLanguageOf } from '#kernel/language.ts';
import { randomBytes } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  addUser,
  insertOrganization,
  startSession,
  timeZoneSetting,
  userToSignIn,
} from '#features/access/identity/server/index.ts';
import type { SignedIn } from '#features/access/identity/contract.ts';
import { federationErrors, type federation } from '../contract.ts';
import { nonceMinutes } from '../rules.ts';
import { nonceCookie, nonceOf, verifyGoogle, type GooglePerson } from './google.ts';
import { askForProof, openIdentity, unitOptions, type Outcome } from './open-identity.ts';
import { claimToken, findIdentity, insertIdentity } from './store.ts';

/** Issues a nonce for one sign-in; its secret half stays in this browser's cookie. */
export async function googleNonce(
  ctx: Ctx,
  _input: object,
  reply: Reply,
): Promise<Out<typeof federation.googleNonce>> {
  if (!ctx.app.config.google) throw domainError(federationErrors, 'federation.not_configured');
  // Open tabs share the cookie, so they share the nonce too.
  const known = reply.cookie(nonceCookie);
  const secret =
    known !== undefined && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url');
  reply.setCookie(nonceCookie, secret, nonceMinutes * 60);
  return { nonce: nonceOf(secret) };
}

/** Registers a user with an organization of their own. Changes nothing when an account exists already. */
export async function googleRegister(
  ctx: Ctx,
  input: In<typeof federation.googleRegister>,
  reply: Reply,
): Promise<SignedIn> {
  const person = await verifyGoogle(ctx, input.idToken, reply);
  const answer = await unitOfWork(ctx.app, unitOptions(ctx), async (own) => {
    await lockUntilEnd(own, `external ${person.issuer} ${person.subject}`);
    if (await findIdentity(own.db, person)) throw domainError(federationErrors, 'federation.identity_known');
    if (await userToSignIn(own.db, person.email))
      throw domainError(federationErrors, 'federation.account_known');
    await useUp(own, person);
    const organization = await insertOrganization(own, {
      name: person.hostedDomain ?? person.name,
      timeZone: await own.setting(timeZoneSetting),
      language: contentLanguageOf(own.language),
      externalRef: null,
    });
    const user = await addUser(own, {
      account: person.email,
      name: person.name,
      phone: '',
      role: 'User',
      organizationId: organization.id,
      passwordHash: null,
      language: own.language,
    });
    await insertIdentity(own, person, user.id, { isManaged: false, isUsed: true });
    own.audit('federation.register', user.id, {
      source: 'google',
      issuer: person.issuer,
      organizationId: organization.id,
      subscribeToNewsletter: input.subscribeToNewsletter,
    });
    return startSession(own, user, reply);
  });
  reply.clearCookie(nonceCookie);
  return answer;
}

/**
 * Signs in a user whose Google account is linked. When the address has an account here that is not linked,
 * its owner must prove ownership first.
 */
export async function googleLogin(
  ctx: Ctx,
  input: In<typeof federation.googleLogin>,
  reply: Reply,
): Promise<SignedIn> {
  const person = await verifyGoogle(ctx, input.idToken, reply);
  const outcome = await unitOfWork(ctx.app, unitOptions(ctx), async (own): Promise<Outcome> => {
    await lockUntilEnd(own, `external ${person.issuer} ${person.subject}`);
    const identity = await findIdentity(own.db, person);
    if (identity) {
      await useUp(own, person);
      return openIdentity(own, 'google', identity, reply);
    }
    const account = await userToSignIn(own.db, person.email);
    if (!account) return { errorCode: 'federation.not_registered' };
    return person.isAuthority
      ? askForProof(own, person, account.user.id, reply)
      : { errorCode: 'federation.account_known' };
  });
  if ('errorCode' in outcome) throw domainError(federationErrors, outcome.errorCode);
  reply.clearCookie(nonceCookie);
  return outcome.signedIn;
}

/** Marks an ID token as used: each succeeds once. A later failure rolls this back with everything else. */
async function useUp(ctx: Ctx, person: GooglePerson): Promise<void> {
  if (!(await claimToken(ctx, person.tokenHash, person.tokenEndsAt)))
    throw domainError(federationErrors, 'federation.token_used');
}
