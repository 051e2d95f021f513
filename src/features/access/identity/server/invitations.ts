// Invitations to an existing organization (R-AUTH-20). Tokens exist only in the e-mailed links: not in logs,
// not in the audit log.
import type { In, Out } from '#kernel/contract.ts';
import { momentFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/durations.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hasMail, mailText, sendMail } from '#platform/server/mail/mail.ts';
import { identityErrors, identityPaths, type identity, type Invitation } from '../contract.ts';
import { invitationDays, maxInvitations } from '../rules.ts';
import { brandOf } from './brand.ts';
import { customRoleFor } from './custom-role.ts';
import { newInvitationTokens, type InvitationTokens } from './invitation-tokens.ts';
import { organizationById } from './store.ts';
import {
  countInvitations,
  insertInvitation,
  invitationsOf,
  isMember,
  renewInvitation,
  revokeInvitationRow,
} from './store-organizations.ts';

type Sent = Out<typeof identity.invite>;

const endOf = (now: Date): Date => new Date(now.getTime() + invitationDays * dayMs);
/** The token is in the fragment, which browsers send neither to servers nor in Referer headers. */
const linkOf = (address: string, token: string): string =>
  `${address}${identityPaths.invitation}#token=${token}`;

export async function invitations(ctx: Ctx): Promise<Out<typeof identity.invitations>> {
  return { items: await invitationsOf(ctx, tenant(ctx)) };
}

/** Invites a person into the caller's organization. */
export async function invite(ctx: Ctx, input: In<typeof identity.invite>): Promise<Sent> {
  return inviteInto(ctx, tenant(ctx), input);
}

/** Invites a person into any organization, for an Admin. */
export async function inviteFor(ctx: Ctx, input: In<typeof identity.inviteFor>): Promise<Sent> {
  const organization = await organizationById(ctx.db, input.organizationId);
  if (!organization) throw domainError(identityErrors, 'identity.organization_not_found');
  if (organization.closedAt)
    throw domainError(identityErrors, 'identity.organization_closed', { name: organization.name });
  return inviteInto(ctx, input.organizationId, input);
}

/**
 * Invites a person. The answer is the same whether or not the address has an account elsewhere: only the
 * invited person learns that.
 */
async function inviteInto(
  ctx: Ctx,
  organizationId: Id<'org'>,
  {
    email,
    role,
    customRoleId: wanted = null,
  }: { email: string; role: Invitation['role']; customRoleId?: Id<'rol'> | null | undefined },
): Promise<Sent> {
  if (await isMember(ctx, organizationId, email))
    throw domainError(identityErrors, 'identity.already_member');
  await lockUntilEnd(ctx, `invitations ${organizationId}`);
  if ((await countInvitations(ctx, organizationId)) >= maxInvitations)
    throw domainError(identityErrors, 'identity.too_many_invitations', { most: maxInvitations });
  const customRoleId = await customRoleFor(ctx, wanted, role, organizationId);
  const tokens = newInvitationTokens();
  const invitationId = await insertInvitation(ctx, {
    organizationId,
    email,
    role,
    customRoleId,
    tokenHash: tokens.hash,
    invitedBy: person(ctx).userId,
    expiresAt: endOf(ctx.now),
  });
  if (!invitationId) throw domainError(identityErrors, 'identity.invitation_open');
  ctx.audit('identity.invite', invitationId, {
    email,
    role,
    customRoleId: customRoleId ?? undefined,
    organizationId,
  });
  return sent(ctx, organizationId, invitationId, tokens, 1);
}

/** Resends an invitation with a new link. The old link stops working. */
export async function resendInvitation(ctx: Ctx, input: In<typeof identity.resendInvitation>): Promise<Sent> {
  const tokens = newInvitationTokens();
  const times = await renewInvitation(ctx, tenant(ctx), input.invitationId, {
    tokenHash: tokens.hash,
    expiresAt: endOf(ctx.now),
  });
  if (times === undefined) throw domainError(identityErrors, 'identity.invitation_not_found');
  return sent(ctx, tenant(ctx), input.invitationId, tokens, times);
}

/** Revokes an invitation. */
export async function revokeInvitation(ctx: Ctx, input: In<typeof identity.revokeInvitation>): Promise<null> {
  if (!(await revokeInvitationRow(ctx, tenant(ctx), input.invitationId)))
    throw domainError(identityErrors, 'identity.invitation_not_found');
  return null;
}

/**
 * Mails an invitation, and answers with its link for the inviter. An Admin's link is the mailed one: Admins
 * create accounts without asking the owner of the address anyway.
 */
async function sent(
  ctx: Ctx,
  organizationId: Id<'org'>,
  invitationId: Id<'inv'>,
  tokens: InvitationTokens,
  times: number,
): Promise<Sent> {
  const invitation = required(
    (await invitationsOf(ctx, organizationId)).find((one) => one.id === invitationId),
    'the invitation that was just sent',
  );
  const { address } = await brandOf(ctx, organizationId);
  await mail(ctx, organizationId, invitation, linkOf(address, tokens.mailed), times);
  const link = linkOf(address, person(ctx).role === 'Admin' ? tokens.mailed : tokens.shown);
  return { invitation, link, mailed: hasMail(ctx.app.config) };
}

/**
 * Queues the e-mail with the link, in the organization's language, because the recipient's is not known yet.
 */
async function mail(
  ctx: Ctx,
  organizationId: Id<'org'>,
  invitation: Invitation,
  link: string,
  times: number,
): Promise<void> {
  const {
    name: organization,
    language,
    timeZone,
  } = required(await organizationById(ctx.db, organizationId), 'the organization of an invitation');
  const inviter = person(ctx).name;
  const { isReseller, mail: sender } = await brandOf(ctx, organizationId);
  // used as: 'identity.role_*'
  const role = ctx.text(`identity.role_${invitation.role}`, {}, language);
  sendMail(ctx, `invitation ${invitation.id} ${times}`, {
    to: invitation.email,
    ...(isReseller && sender),
    language,
    subject: ctx.text(
      'identity.mail_invitation_subject',
      { organization: organization.replace(/\s+/g, ' ') },
      language,
    ),
    text: mailText(ctx, language, [
      ['identity.mail_invitation_who', { inviter, organization, role }],
      ['identity.mail_invitation_link', { link }],
      [
        'identity.mail_invitation_until',
        { until: momentFormat(language, timeZone).dateTime(invitation.expiresAt) },
      ],
      ['identity.mail_invitation_ignore'],
    ]),
  });
}
