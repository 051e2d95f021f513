// The users of the caller's organization: names, roles and status.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type identity, type Member } from '../contract.ts';
import { customRoleAfter } from './custom-role.ts';
import { updateUserRow } from './store.ts';
import { lockActiveUsers, memberOf, membersOf } from './store-organizations.ts';
import { endSessions } from './end-sessions.ts';

export async function members(ctx: Ctx): Promise<Out<typeof identity.members>> {
  return { items: await membersOf(ctx, tenant(ctx)) };
}

const auditedMember = ({ role, customRole, status }: Member) => ({
  role,
  customRole: customRole?.name,
  status,
});

/** Changes the role or status of another member and ends their sessions. */
export async function updateMember(ctx: Ctx, input: In<typeof identity.updateMember>): Promise<Member> {
  const organizationId = tenant(ctx);
  const actor = person(ctx);
  const users = await lockActiveUsers(ctx, organizationId);
  // A concurrent request may have removed the caller's own permission.
  if (!users.includes(actor.userId)) throw new DomainError('platform.forbidden', 403);
  const before = await memberOf(ctx, organizationId, input.userId);
  if (!before) throw domainError(identityErrors, 'identity.user_not_found');
  if (before.id === actor.userId)
    throw domainError(identityErrors, users.length === 1 ? 'identity.last_user' : 'identity.member_self');
  const role = input.role ?? before.role;
  const status = input.status ?? before.status;
  const customRoleId = await customRoleAfter(ctx, before, input.customRoleId, role, organizationId);
  const isSameRole = role === before.role && customRoleId === (before.customRole?.id ?? null);
  if (isSameRole && status === before.status) return before;
  await updateUserRow(ctx, before.id, { role, custom_role_id: customRoleId, status });
  const endedSessions = await endSessions(ctx, before.id, { allBut: null });
  const after = required(await memberOf(ctx, organizationId, before.id), 'the member who was just changed');
  ctx.audit('identity.updateMember', before.id, {
    before: auditedMember(before),
    after: auditedMember(after),
    endedSessions,
  });
  return after;
}
