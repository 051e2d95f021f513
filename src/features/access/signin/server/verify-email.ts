// Confirms the e-mail of a registration, and of an invitation that was not accepted from the mail.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import type { User } from '#features/access/identity/contract.ts';
import { signinErrors, type signin } from '../contract.ts';
import { beginAttempt } from './attempts.ts';
import { mailLink } from './links.ts';
import { insertUnverified, markVerified, takeLink } from './store-accounts.ts';
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

/** Handles the event of an account whose mailbox nobody has proven: it has to be confirmed before signing in. */
export async function askToConfirm(ctx: Ctx, { user }: { readonly user: User }): Promise<void> {
  if (!hasMail(ctx.app.config)) return;
  await insertUnverified(ctx, user.id, true);
  await mailLink(ctx, user, 'verify');
}
