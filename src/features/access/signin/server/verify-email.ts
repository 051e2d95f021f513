// Confirms the e-mail of a registration.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { signinErrors, type signin } from '../contract.ts';
import { beginAttempt } from './attempts.ts';
import { markVerified, takeLink } from './store-accounts.ts';
import { recordFailedAttempt, unit } from './unit.ts';

/** Confirms an e-mail through the link that was mailed to it. */
export async function verifyEmail(
  ctx: Ctx,
  input: In<typeof signin.verifyEmail>,
  reply: Reply,
): Promise<null> {
  const attempt = await beginAttempt(ctx.app, { address: reply.address });
  const link = await unit(ctx, async (own) => {
    const taken = await takeLink(own, sha256(input.token), ['verify']);
    if (taken) {
      await markVerified(own, taken.userId);
      own.audit('signin.verifyEmail', taken.userId);
    }
    return taken;
  });
  if (!link) {
    await recordFailedAttempt(ctx, {
      way: 'link',
      reason: 'verify',
      address: reply.address,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'signin.link_invalid');
  }
  await attempt.good();
  return null;
}
