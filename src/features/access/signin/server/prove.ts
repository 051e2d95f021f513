// Re-authentication: before a critical action, and before an external account is linked.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { ownSession, person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { User } from '#features/access/identity/contract.ts';
import {
  isPassword,
  markProved,
  assertHashingHasRoom,
  passwordHashOf,
  userById,
} from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { beginAttempt } from './attempts.ts';
import { proveFactor } from './factors.ts';
import { gateOf } from './store-accounts.ts';
import { recordFailedAttempt, unit } from './unit.ts';

export type Proof = { readonly password: string; readonly otp?: string | undefined };

/**
 * Whether the proof of a signed-in person belongs to their account: its password, and a code if an
 * authenticator is set up. Counted and limited like a sign-in. Runs outside transactions. Throws
 * `signin.otp_required` while a code is missing.
 */
export async function proveOwner(ctx: Ctx, user: User, proof: Proof, address?: string): Promise<boolean> {
  return prove(ctx, user, proof, address, (await gateOf(ctx.db, user.id)).authenticator);
}

/**
 * Like {@link proveOwner} for somebody who is not signed in. Like login, it takes no passkey, so whoever has
 * one needs a code, too; otherwise the password alone would be enough.
 */
export async function proveLogin(ctx: Ctx, user: User, proof: Proof): Promise<boolean> {
  const { authenticator, passkeys } = await gateOf(ctx.db, user.id);
  return prove(ctx, user, proof, undefined, authenticator || passkeys > 0);
}

async function prove(
  ctx: Ctx,
  user: User,
  proof: Proof,
  address: string | undefined,
  needsCode: boolean,
): Promise<boolean> {
  assertHashingHasRoom();
  const attempt = await beginAttempt(ctx.app, {
    ...(address === undefined ? {} : { address }),
    subject: `prove:${user.id}`,
  });
  const failed = async (reason: string): Promise<false> => {
    await recordFailedAttempt(ctx, {
      way: 'prove',
      reason,
      userId: user.id,
      waitUntil: await attempt.failed(),
    });
    return false;
  };
  if (!(await isPassword(await passwordHashOf(ctx.db, user.id), proof.password))) return failed('password');
  if (needsCode) {
    const { otp } = proof;
    if (otp === undefined) {
      await attempt.undone();
      throw domainError(signinErrors, 'signin.otp_required');
    }
    if (!(await unit(ctx, (own) => proveFactor(own, user.id, otp)))) return failed('otp');
  }
  await attempt.good();
  return true;
}

/** Re-authenticates the signed-in person for this session. */
export async function reauthenticate(
  ctx: Ctx,
  input: In<typeof signin.reauthenticate>,
  reply: Reply,
): Promise<null> {
  const actor = person(ctx);
  const user = required(await userById(ctx.db, actor.userId), 'the signed-in user');
  if (!(await proveOwner(ctx, user, input, reply.address)))
    throw domainError(signinErrors, input.otp === undefined ? 'signin.password_wrong' : 'signin.proof_wrong');
  await unit(ctx, async (own) => {
    await markProved(own, ownSession(own));
    own.audit('signin.reauthenticate', actor.userId, { sessionId: actor.sessionId });
  });
  return null;
}
