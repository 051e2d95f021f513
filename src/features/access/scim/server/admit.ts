// Applies a provider's data to an account: its role by the person's groups, whether it is active, and the end
// of its sessions.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allowAdminSetting, follow } from '#features/access/federation/server/index.ts';
import {
  countActiveAdmins,
  endSessions,
  updateUserRow,
  userById,
} from '#features/access/identity/server/index.ts';
import { roleOfGroups, type GivenRole } from '#features/access/providers/rules.ts';
import type { Provider } from '#features/access/providers/server/index.ts';
import { ScimError } from '../rules.ts';
import { setAdmitted, userOf } from './store.ts';

/**
 * The role derived from a person's groups; undefined when they give none, or one that providers may not
 * assign.
 */
export async function roleFor(
  ctx: Ctx,
  provider: Provider,
  groups: readonly string[],
): Promise<GivenRole | undefined> {
  const given = roleOfGroups(groups, provider.groups, provider.defaultRole);
  return given?.role === 'Admin' && !(await ctx.setting(allowAdminSetting)) ? undefined : given;
}

/**
 * Updates an account from its provider's data. The last active Admin is never deactivated. @throws ScimError
 */
export async function admit(ctx: Ctx, provider: Provider, userId: string): Promise<void> {
  const row = required(await userOf(ctx, provider.id, userId), 'the person of the provider');
  const user = required(await userById(ctx.db, userId), 'the account of the person');
  const role = await roleFor(
    ctx,
    provider,
    row.groups.map(({ display }) => display),
  );
  const isAdmitted = row.isActive && role !== undefined;
  if (role !== undefined && isAdmitted) await follow(ctx, user, role, provider.organizationId);
  if (isAdmitted === row.isAdmitted) return;
  await setAdmitted(ctx, userId, isAdmitted);
  if (isAdmitted) {
    if (user.status === 'active') return;
    await updateUserRow(ctx, userId, { status: 'active' });
    ctx.audit('scim.activateUser', userId, { provider: provider.id });
    return;
  }
  if (user.status !== 'active') return;
  if (user.role === 'Admin' && user.customRole === null && (await countActiveAdmins(ctx)) <= 1)
    throw new ScimError(409, 'This is the last active administrator, who cannot be deactivated.');
  await updateUserRow(ctx, userId, { status: 'inactive' });
  await endSessions(ctx, userId, { allBut: null });
  ctx.audit('scim.deactivateUser', userId, { provider: provider.id });
}
