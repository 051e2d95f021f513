// Choosing a new password through a link that was requested by mail or created by an Admin.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { normalAccount } from '#features/access/identity/rules.ts';
import {
  checkPassword,
  endSessions,
  endSessionsOfMany,
  hashPassword,
  assertHashingHasRoom,
  updateUserRow,
  userById,
  userToSignIn,
} from '#features/access/identity/server/index.ts';
import { signinErrors, type signin } from '../contract.ts';
import { handoverHours } from '../rules.ts';
import { accessChanged } from './access-changed.ts';
import { accountDigest, forgetFailures, beginAttempt } from './attempts.ts';
import { isBoundToCompany } from './company.ts';
import { mail, mailLink, makeLinks, type Reader } from './links.ts';
import { forgetDevices } from './store-attempts.ts';
import { forgetPasswords, markVerified, openLink, takeLink, voidLinks } from './store-accounts.ts';
import { recordFailedAttempt, unit } from './unit.ts';

/**
 * The job that looks up the account and mails it. The answer does not wait for the job, so its duration
 * reveals nothing.
 */
export const resetJobName = 'signin-reset';

/** Accepts a request for a reset link. The answer is always the same and takes the same time. */
export async function askReset(ctx: Ctx, input: In<typeof signin.askReset>, reply: Reply): Promise<null> {
  await beginAttempt(ctx.app, { address: reply.address, isCharged: true });
  const account = normalAccount(input.account);
  // People type passwords into the wrong field: anything but an address is not stored, not even until the job
  // runs.
  if (hasMail(ctx.app.config))
    await unit(ctx, (own) =>
      own.enqueue(
        resetJobName,
        { account: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(account) ? account : '' },
        accountDigest(account),
      ),
    );
  return null;
}

/** Mails a reset link to the owner of an account, if there is one who may sign in. */
export async function mailReset(app: App, { account }: { account: string }): Promise<void> {
  await unitOfWork(app, { actor: { kind: 'system', name: resetJobName } }, async (ctx) => {
    const found = await userToSignIn(ctx.db, account);
    if (found?.user.status !== 'active') return;
    // An Admin may need the password for emergency access; nobody else of the company could use it.
    if (found.user.role !== 'Admin' && (await isBoundToCompany(app, account))) return;
    await mailLink(ctx, found.user, 'reset');
    ctx.audit('signin.askReset', found.user.id);
  });
}

const purposes = ['reset', 'handover'] as const;

/**
 * Sets a new password through a link and ends every session. The hash is computed outside the transaction.
 */
export async function resetPassword(
  ctx: Ctx,
  input: In<typeof signin.resetPassword>,
  reply: Reply,
): Promise<null> {
  assertHashingHasRoom();
  const attempt = await beginAttempt(ctx.app, { address: reply.address });
  const hash = sha256(input.token);
  const open = await openLink(ctx.db, hash, purposes, ctx.now);
  const user = open && (await userById(ctx.db, open.userId));
  const passwordHash =
    user &&
    (await hashOfNewPassword(ctx, input.password, user).catch(async (error: unknown) => {
      await attempt.undone();
      throw error;
    }));
  const isDone = passwordHash !== undefined && (await unit(ctx, (own) => setByLink(own, hash, passwordHash)));
  if (!user || !isDone) {
    await recordFailedAttempt(ctx, {
      way: 'link',
      reason: 'reset',
      address: reply.address,
      waitUntil: await attempt.failed(),
    });
    throw domainError(signinErrors, 'signin.link_invalid');
  }
  await attempt.good();
  await forgetFailures(ctx.app, user.account);
  return null;
}

async function hashOfNewPassword(
  ctx: Ctx,
  password: string,
  user: { account: string; name: string; organization: string | null; twoFactor: boolean },
): Promise<string> {
  await checkPassword(ctx, password, user);
  return hashPassword(password);
}

async function setByLink(own: Ctx, hash: Buffer, passwordHash: string): Promise<boolean> {
  const link = await takeLink(own, hash, purposes);
  if (!link) return false;
  await updateUserRow(own, link.userId, { password_hash: passwordHash });
  // Only a mailed link proves ownership of the mailbox; one that was handed over does not.
  if (link.purpose === 'reset') await markVerified(own, link.userId);
  await voidLinks(own, link.userId);
  await forgetDevices(own, link.userId, null);
  await endSessions(own, link.userId, { allBut: null });
  await own.emit(accessChanged, {
    userId: required(await userById(own.db, link.userId), 'the owner of the link').id,
    what: 'password_changed',
    params: {},
  });
  own.audit('signin.resetPassword', link.userId, { by: link.purpose });
  return true;
}

/** Creates a link for a user whom an Admin helps. */
export async function resetForUser(
  ctx: Ctx,
  input: In<typeof signin.resetForUser>,
): Promise<Out<typeof signin.resetForUser>> {
  const user = await userById(ctx.db, input.userId);
  if (!user || user.status === 'deleted') throw domainError(signinErrors, 'signin.user_not_found');
  const [made] = await resetMany(ctx, [user]);
  ctx.audit('signin.resetForUser', user.id);
  return required(made, 'the link that was just made');
}

/**
 * Creates a link to be handed over for each of several users; if e-mail is configured, each also gets theirs
 * by mail. Their sessions, passwords and known browsers end now, because somebody else may have them. The
 * links are returned in the order of the users and are not stored.
 */
export async function resetMany(
  ctx: Ctx,
  users: readonly Reader[],
): Promise<{ readonly link: string; readonly expiresAt: Date }[]> {
  const ids = users.map((user) => user.id);
  const made = await makeLinks(ctx, ids, 'handover');
  await forgetPasswords(ctx, ids);
  await endSessionsOfMany(ctx, ids);
  for (const [index, user] of users.entries())
    await mail(ctx, user, `signin.handover:${ctx.newId('out')}`, 'signin.mail_handover_subject', [
      ['signin.mail_handover'],
      ['signin.mail_link', { link: made[index]?.link ?? '' }],
      ['signin.mail_handover_ignore', { hours: handoverHours }],
    ]);
  return made;
}
