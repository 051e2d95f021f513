// One-time sign-in links: created, and mailed in the recipient's language.
import type { Language } from '#kernel/language.ts';
import { required } from '#kernel/assert.ts';
import { hourMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { mailText, sendMail } from '#platform/server/mail/mail.ts';
import { brandsOfUsers, randomSecret } from '#features/access/identity/server/index.ts';
import { signinPaths } from '../contract.ts';
import { handoverHours, mailsPerHour, resetMinutes, verifyHours } from '../rules.ts';
import { countLinks, insertLinks, type LinkPurpose } from './store-accounts.ts';

const minutes: Record<LinkPurpose, number> = {
  verify: verifyHours * 60,
  reset: resetMinutes,
  handover: handoverHours * 60,
};

/**
 * Creates a link with 256 random bits. The secret is in the fragment, which browsers send neither to servers
 * nor in Referer headers.
 */
export async function makeLink(
  ctx: Ctx,
  userId: string,
  purpose: LinkPurpose,
): Promise<{ link: string; expiresAt: Date }> {
  const [made] = await makeLinks(ctx, [userId], purpose);
  return required(made, 'the link that was just made');
}

/** Creates a link for each user, in the order given. */
export async function makeLinks(
  ctx: Ctx,
  userIds: readonly string[],
  purpose: LinkPurpose,
): Promise<{ link: string; expiresAt: Date }[]> {
  const expiresAt = new Date(ctx.now.getTime() + minutes[purpose] * 60_000);
  const secrets = userIds.map(() => randomSecret());
  await insertLinks(
    ctx,
    userIds.map((userId, index) => ({ hash: sha256(secrets[index] ?? ''), userId })),
    purpose,
    expiresAt,
  );
  const path = purpose === 'verify' ? signinPaths.verifyEmail : signinPaths.passwordReset;
  const brandOfUser = await brandsOfUsers(ctx, userIds);
  return secrets.map((secret, index) => ({
    link: `${brandOfUser(userIds[index] ?? '').address}${path}#token=${secret}`,
    expiresAt,
  }));
}

export type Reader = { readonly id: string; readonly account: string; readonly language: Language };

/** Mails a link, unless the person has reached the hourly limit. */
export async function mailLink(ctx: Ctx, reader: Reader, purpose: 'verify' | 'reset'): Promise<void> {
  if ((await countLinks(ctx, reader.id, purpose, new Date(ctx.now.getTime() - hourMs))) >= mailsPerHour)
    return;
  const { link } = await makeLink(ctx, reader.id, purpose);
  const key = `signin.${purpose}:${ctx.newId('out')}`;
  if (purpose === 'verify')
    await mail(ctx, reader, key, 'signin.mail_verify_subject', [
      ['signin.mail_verify'],
      ['signin.mail_link', { link }],
      ['signin.mail_verify_ignore', { hours: verifyHours }],
    ]);
  else
    await mail(ctx, reader, key, 'signin.mail_reset_subject', [
      ['signin.mail_reset'],
      ['signin.mail_link', { link }],
      ['signin.mail_reset_ignore', { minutes: resetMinutes }],
    ]);
}

/** Queues a mail made of paragraphs in the outbox. */
export async function mail(
  ctx: Ctx,
  reader: Reader,
  key: string,
  subject: string,
  paragraphs: Parameters<typeof mailText>[2],
): Promise<void> {
  const { isReseller, mail: sender } = (await brandsOfUsers(ctx, [reader.id]))(reader.id);
  sendMail(ctx, key, {
    to: reader.account,
    ...(isReseller && sender),
    language: reader.language,
    subject: ctx.text(subject, {}, reader.language),
    text: mailText(ctx, reader.language, paragraphs),
  });
}
