// People hear by mail when an outside account was linked or unlinked, so that nobody else does it unnoticed.
import type { Ctx } from '#platform/server/ctx.ts';
import { mailText, sendMail } from '#platform/server/mail.ts';
import type { User } from '#features/identity/contract.ts';

/** Mails the owner of an account what happened; `account` is how the outside account is called. */
export function tellOwner(ctx: Ctx, owner: User, what: 'federation.mail_linked' | 'federation.mail_unlinked', account: string): void {
  sendMail(ctx, `federation.changed:${ctx.newId('out')}`, {
    to: owner.account, subject: ctx.text('federation.mail_subject', {}, owner.language),
    text: mailText(ctx, owner.language, [[what, { account }], ['federation.mail_not_you', { address: ctx.world.address() }]]),
  });
}
