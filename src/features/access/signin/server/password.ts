// The caller's own password: its rules, and changing it, which ends every other session.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { shortestPassword } from '#features/access/identity/rules.ts';
import {
  checkPassword,
  endSessions,
  hashPassword,
  isPassword,
  minimumPasswordLength,
  assertHashingHasRoom,
  passwordHashOf,
  updateUserRow,
  userById,
} from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { accessChanged } from './access-changed.ts';
import { beginAttempt } from './attempts.ts';
import { voidLinks } from './store-accounts.ts';
import { forgetDevices } from './store-attempts.ts';
import { recordFailedAttempt, unit } from './unit.ts';

/** The required length of a new password. */
export async function passwordRules(ctx: Ctx): Promise<Out<typeof signin.passwordRules>> {
  const minimum = await ctx.setting(minimumPasswordLength);
  return { minimum, minimumWithTwoFactor: shortestPassword(minimum, true) };
}

/**
 * Changes the caller's password and ends all other sessions. The hashes are computed outside the transaction.
 */
export async function changePassword(
  ctx: Ctx,
  input: In<typeof signin.changePassword>,
  reply: Reply,
): Promise<null> {
  const actor = person(ctx);
  assertHashingHasRoom();
  const attempt = await beginAttempt(ctx.app, {
    address: reply.address,
    subject: `password:${actor.userId}`,
  });
  const user = required(await userById(ctx.db, actor.userId), 'the signed-in user');
  if (!(await isPassword(await passwordHashOf(ctx.db, actor.userId), input.current))) {
    await recordFailedAttempt(ctx, {
      way: 'changePassword',
      reason: 'password',
      userId: actor.userId,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'signin.password_wrong');
  }
  await attempt.good();
  await checkPassword(ctx, input.next, { ...user, field: 'next' });
  const passwordHash = await hashPassword(input.next);
  const device = reply.cookie('device');
  await unit(ctx, async (own) => {
    await updateUserRow(own, actor.userId, { password_hash: passwordHash });
    await voidLinks(own, actor.userId);
    await forgetDevices(own, actor.userId, device === undefined ? null : sha256(device));
    const endedSessions = await endSessions(own, actor.userId, { allBut: actor.sessionId });
    await own.emit(accessChanged, { userId: user.id, what: 'password_changed', params: {} });
    own.audit('signin.changePassword', actor.userId, { endedSessions });
  });
  return null;
}
