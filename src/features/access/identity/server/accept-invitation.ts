// The invited person's side of an invitation: viewing and accepting it.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { identityErrors, type identity, type User } from '../contract.ts';
import { shortestPassword } from '../rules.ts';
import { hashesOf } from './invitation-tokens.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import { minimumPasswordLength } from './settings.ts';
import { insertUser, userById } from './store.ts';
import {
  invitationByToken,
  storeAcceptedBy,
  takeInvitation,
  type FoundInvitation,
} from './store-organizations.ts';

/**
 * Describes an invitation. It does not reveal whether the address has an account, because the inviter has the
 * link too.
 */
export async function checkInvitation(
  ctx: Ctx,
  input: In<typeof identity.checkInvitation>,
): Promise<Out<typeof identity.checkInvitation>> {
  const { organization, email, role, language, expiresAt } = await invited(ctx, input.token);
  return {
    organization,
    email,
    role,
    language,
    expiresAt,
    expired: expiresAt <= ctx.now,
    shortestPassword: shortestPassword(await ctx.setting(minimumPasswordLength), false),
  };
}

/** Finds an invitation; an unknown, used, replaced or revoked link gets the same error. */
async function invited(ctx: Ctx, token: string): Promise<Invited> {
  const { asMailed, asShown } = hashesOf(token);
  const mailed = await invitationByToken(ctx, asMailed);
  const found = mailed ?? (await invitationByToken(ctx, asShown));
  if (!found) throw domainError(identityErrors, 'identity.invitation_invalid');
  return { ...found, tokenHash: mailed ? asMailed : asShown, isMailed: mailed !== undefined };
}

/** `isMailed`: the link is the one from the mail, so its reader has the mailbox. */
type Invited = FoundInvitation & { readonly tokenHash: Buffer; readonly isMailed: boolean };

/** Emitted when an account was made by somebody who did not prove to have its mailbox. */
export const addressUnproven = domainEvent<{ readonly user: User }>('identity.addressUnproven');

/**
 * Makes the invited person a member. The password is hashed outside the transaction, and only for a valid
 * link. An existing account stays in its organization: then nothing changes, and the link remains valid. With
 * the link that the inviter was shown, the address has to be confirmed before the first sign-in.
 */
export async function acceptInvitation(
  ctx: Ctx,
  input: In<typeof identity.acceptInvitation>,
): Promise<Out<typeof identity.acceptInvitation>> {
  const { expiresAt, email, organization, tokenHash, isMailed } = await invited(ctx, input.token);
  if (expiresAt <= ctx.now) throw domainError(identityErrors, 'identity.invitation_expired');
  await checkPassword(ctx, input.password, { account: email, name: input.name, organization });
  const passwordHash = await hashPassword(input.password);
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (own) => {
      const taken = await takeInvitation(own, tokenHash);
      if (!taken) throw domainError(identityErrors, 'identity.invitation_invalid');
      const userId = await insertUser(own, {
        account: taken.email,
        name: input.name,
        phone: '',
        role: taken.role,
        customRoleId: taken.customRoleId,
        organizationId: taken.organizationId,
        passwordHash,
        language: input.language ?? taken.language,
      });
      if (!userId)
        throw domainError(identityErrors, 'identity.invitation_account_taken', { email: taken.email });
      await storeAcceptedBy(own, taken.id, userId);
      own.audit('identity.acceptInvitation', userId, {
        invitationId: taken.id,
        organizationId: taken.organizationId,
        role: taken.role,
      });
      const user = required(await userById(own.db, userId), 'the user who was just made');
      if (!isMailed) await own.emit(addressUnproven, { user });
      return { user, mustConfirm: !isMailed && hasMail(own.app.config) };
    },
  );
}
