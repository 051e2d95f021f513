// The caller's own authenticator and recovery codes.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { brandsOfUsers, endSessions, userById } from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { readOtp } from '../rules.ts';
import { beginAttempt } from './attempts.ts';
import { updateTwoFactorFlag, makeRecoveryCodes, proveAuthenticator, proveFactor } from './factors.ts';
import { sealSeed } from './seeds.ts';
import { gateOf } from './store-accounts.ts';
import { forgetDevices } from './store-attempts.ts';
import { countRecoveryCodes, deleteAuthenticator, deleteFactors, storeSeed } from './store-factors.ts';
import { recordFailedAttempt, unit } from './unit.ts';

/** The caller's own second factors. */
export async function twoFactor(ctx: Ctx): Promise<Out<typeof signin.twoFactor>> {
  const { userId } = person(ctx);
  const { authenticator, passkeys } = await gateOf(ctx.db, userId);
  return { authenticator, passkeys, recoveryCodes: await countRecoveryCodes(ctx.db, userId) };
}

const seedBytes = 20;

/** Creates a seed; it is returned only this once, and becomes active after one of its codes is confirmed. */
export async function startTwoFactor(ctx: Ctx): Promise<Out<typeof signin.startTwoFactor>> {
  const { userId } = person(ctx);
  const user = required(await userById(ctx.db, userId), 'the signed-in user');
  // The name by which the person knows the console; in the app, a colon would end it early.
  const issuer = (await brandsOfUsers(ctx, [userId]))(userId).name.replaceAll(':', ' ');
  const { generateSecret, generateURI } = await import('otplib');
  const secret = generateSecret({ length: seedBytes });
  if (!(await storeSeed(ctx, userId, sealSeed(ctx.app, userId, secret))))
    throw domainError(signinErrors, 'signin.two_factor_on');
  return { secret, uri: generateURI({ issuer, label: user.account, secret }) };
}

/**
 * Runs a change that requires a code; after five wrong ones the person must wait. `run` returns undefined for
 * a wrong code.
 */
async function withCode<T>(
  ctx: Ctx,
  reply: Reply,
  run: (own: Ctx, userId: string) => Promise<T | undefined>,
): Promise<T> {
  const { userId } = person(ctx);
  const attempt = await beginAttempt(ctx.app, { address: reply.address, subject: `otp:${userId}` });
  const done = await unit(ctx, (own) => run(own, userId));
  if (done === undefined) {
    await recordFailedAttempt(ctx, {
      way: 'twoFactor',
      reason: 'otp',
      userId,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'signin.otp_wrong');
  }
  await attempt.good();
  return done;
}

/** Confirms the seed with one of its codes; from now on, sign-in requires a code. */
export async function confirmTwoFactor(
  ctx: Ctx,
  input: In<typeof signin.confirmTwoFactor>,
  reply: Reply,
): Promise<Out<typeof signin.confirmTwoFactor>> {
  return withCode(ctx, reply, async (own, userId) => {
    const otp = readOtp(input.otp);
    if (otp?.kind !== 'totp' || !(await proveAuthenticator(own, userId, otp.code, true))) return undefined;
    await updateTwoFactorFlag(own, userId, 'authenticator_on');
    own.audit('signin.confirmTwoFactor', userId);
    return { recoveryCodes: await makeRecoveryCodes(own, userId) };
  });
}

/** Removes the caller's authenticator. */
export async function removeTwoFactor(
  ctx: Ctx,
  input: In<typeof signin.removeTwoFactor>,
  reply: Reply,
): Promise<null> {
  if (!(await gateOf(ctx.db, person(ctx).userId)).authenticator)
    throw domainError(signinErrors, 'signin.two_factor_off');
  await withCode(ctx, reply, async (own, userId) => {
    const factor = await proveFactor(own, userId, input.otp);
    if (!factor) return undefined;
    await deleteAuthenticator(own, userId);
    const isOn = await updateTwoFactorFlag(own, userId, 'authenticator_off');
    own.audit('signin.removeTwoFactor', userId, { provedBy: factor, isOn });
    return factor;
  });
  return null;
}

/**
 * Removes the second factors of a user who lost them and whom an Admin has identified by other means. Ends
 * their sessions and known browsers, and notifies them. Users remove their own in the profile, which requires
 * a proof of them.
 */
export async function removeFactors(ctx: Ctx, { userId }: In<typeof signin.removeFactors>): Promise<null> {
  const user = await userById(ctx.db, userId);
  if (!user || user.status === 'deleted') throw domainError(signinErrors, 'signin.user_not_found');
  if (ctx.actor.kind === 'user' && ctx.actor.userId === userId)
    throw domainError(signinErrors, 'signin.own_factors');
  const factors = await deleteFactors(ctx, userId);
  if (factors === 0) return null;
  await updateTwoFactorFlag(ctx, userId, 'factors_removed');
  await forgetDevices(ctx, userId, null);
  await endSessions(ctx, userId, { allBut: null });
  ctx.audit('signin.removeFactors', userId, { factors });
  return null;
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(
  ctx: Ctx,
  input: In<typeof signin.renewRecoveryCodes>,
  reply: Reply,
): Promise<Out<typeof signin.renewRecoveryCodes>> {
  return withCode(ctx, reply, async (own, userId) => {
    const factor = await proveFactor(own, userId, input.otp);
    if (!factor) return undefined;
    await updateTwoFactorFlag(own, userId, 'codes_renewed');
    own.audit('signin.renewRecoveryCodes', userId, { provedBy: factor });
    return { recoveryCodes: await makeRecoveryCodes(own, userId) };
  });
}
