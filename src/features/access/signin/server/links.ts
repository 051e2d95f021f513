// Links that let somebody in once: made, and mailed in the reader's language.
import type { Language } from '#kernel/language.ts';
import { required } from '#kernel/assert.ts';
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

/** Makes a link of 256 random bits. The secret stands behind `#`: browsers send that to no server and in no Referer. */
export async function makeLink(
  ctx: Ctx,
  userId: string,
  purpose: LinkPurpose,
): Promise<{ link: string; expiresAt: Date }> {
  const [made] = await makeLinks(ctx, [userId], purpose);
  return required(made, 'the link that was just made');
}

/** Makes a link for each user, in their order. */
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

/** Mails a link, unless the person got enough of them within the hour. */
export async function mailLink(ctx: Ctx, reader: Reader, purpose: 'verify' | 'reset'): Promise<void> {
  if ((await countLinks(ctx, reader.id, purpose, new Date(ctx.now.getTime() - 3_600_000))) >= mailsPerHour)
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

/** Leaves a mail of paragraphs for the outbox. */
export async function mail(
  ctx: Ctx,
  reader: Reader,
  key: string,
  subject: string,
  paragraphs: Parameters<typeof mailText>[2],
): Promise<void> {
  const { isReseller, mail: said } = (await brandsOfUsers(ctx, [reader.id]))(reader.id);
  sendMail(ctx, key, {
    to: reader.account,
    ...(isReseller && said),
    language: reader.language,
    subject: ctx.text(subject, {}, reader.language),
    text: mailText(ctx, reader.language, paragraphs),
  });
}
