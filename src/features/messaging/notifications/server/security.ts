// Security notices: changes of passwords, factors and keys are reported to the users concerned.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  activeAdmins,
  membersOfMany,
  type KeyChanged,
  type ViewStarted,
} from '#features/access/identity/server/index.ts';
import type { AccessChanged } from '#features/access/signin/server/index.ts';
import type { LinkChanged } from '#features/access/federation/server/index.ts';
import type { ApprovalAsked } from '#features/access/approvals/server/index.ts';
import { postToUsers } from './post.ts';

const accountPath = async (ctx: Ctx, userId: Id<'usr'>): Promise<string> =>
  (await activeAdmins(ctx)).includes(userId) ? '/admin/account' : '/user/profile';

/** Notifies a user that their password or factors were changed, or used from a new browser. */
export async function notifyAccessChange(
  ctx: Ctx,
  { userId, what, params, about }: AccessChanged,
): Promise<void> {
  await postToUsers(ctx, [userId], {
    kind: `security.${what}`,
    type: 'security',
    category: 'security',
    subject: about ?? userId,
    period: about === undefined ? ctx.now.toISOString() : ctx.now.toISOString().slice(0, 10),
    textKey: `notifications.security_${what}`,
    params,
    link: await accountPath(ctx, userId),
  });
}

/** Notifies a user that an external account was linked or unlinked. */
export async function notifyLinkChange(ctx: Ctx, { userId, what, account }: LinkChanged): Promise<void> {
  await postToUsers(ctx, [userId], {
    kind: `security.${what}`,
    type: 'security',
    category: 'security',
    subject: userId,
    period: ctx.now.toISOString(),
    textKey: `notifications.security_${what}`,
    params: { account },
    link: await accountPath(ctx, userId),
  });
}

/** Notifies of a changed key: an organization's Users for its keys, the Admins for the platform's. */
export async function notifyKeyChange(
  ctx: Ctx,
  { keyId, name, organizationId, what, by }: KeyChanged,
): Promise<void> {
  const readers =
    organizationId === null
      ? await activeAdmins(ctx)
      : (await membersOfMany(ctx, [organizationId]))
          .filter((member) => member.role === 'User')
          .map((member) => member.id);
  await postToUsers(ctx, readers, {
    kind: `security.${what}`,
    type: 'security',
    category: 'security',
    subject: keyId,
    period: ctx.now.toISOString(),
    textKey: `notifications.security_${what}`,
    params: { name, by },
    link: organizationId === null ? '/admin/api-keys' : '/user/profile',
  });
}

/** Notifies the Admins who can approve a waiting call. */
export async function notifyApproval(ctx: Ctx, asked: ApprovalAsked): Promise<void> {
  const { approvalId, call, subject, by, readers } = asked;
  await postToUsers(ctx, readers, {
    kind: 'system.approval_waiting',
    type: 'warning',
    category: 'system',
    subject: approvalId,
    period: '',
    textKey: 'approvals.notice_waiting',
    params: {
      by,
      // The reader's language is not known yet.
      call_zhTW: ctx.text(`approvals.call_${call}`, {}, 'zhTW'),
      call_enUS: ctx.text(`approvals.call_${call}`, {}, 'enUS'),
      subject: subject ?? '–',
    },
    link: `/admin/approvals?approval=${approvalId}`,
  });
}

/** Notifies a user that an Admin views the console as them, once a day per Admin. */
export async function notifyView(ctx: Ctx, { userId, adminId, admin, reason }: ViewStarted): Promise<void> {
  await postToUsers(ctx, [userId], {
    kind: 'security.viewed_as',
    type: 'security',
    category: 'security',
    subject: adminId,
    period: ctx.now.toISOString().slice(0, 10),
    textKey: 'notifications.security_viewed_as',
    params: { admin, reason },
    link: '/user/notifications',
  });
}
