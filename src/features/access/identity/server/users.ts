// Users: registration, the caller's own profile, and user management by Admins.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { domainError, type DomainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { person } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type identity, type User } from '../contract.ts';
import { normalAccount, restoreDays } from '../rules.ts';
import { mailLanguage } from './settings.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import {
  countActiveAdmins,
  insertUser,
  organizationById,
  pageOfUsers,
  updateUserRow,
  userById,
  userToSignIn,
  type NewUser,
} from './store.ts';
import { customRoleAfter, customRoleFor } from './custom-role.ts';
import { endSessions } from './end-sessions.ts';
import { randomSecret } from './tokens.ts';

async function requireUser(ctx: Ctx, userId: string): Promise<User> {
  const user = await userById(ctx.db, userId);
  if (!user) throw domainError(identityErrors, 'identity.user_not_found');
  return user;
}

/** Adds a user and returns it; throws when the account is taken. */
export async function addUser(ctx: Ctx, user: NewUser): Promise<User> {
  const userId = await insertUser(ctx, user);
  if (!userId) throw await takenBy(ctx, user.account);
  return requireUser(ctx, userId);
}

/** The error for an account name that is not available: its owner may be deleted but not erased yet. */
async function takenBy(ctx: Ctx, account: string): Promise<DomainError> {
  const owner = await userToSignIn(ctx.db, account);
  return owner?.user.status === 'deleted'
    ? domainError(identityErrors, 'identity.account_deleted', { name: owner.user.name, days: restoreDays }, [
        'account',
      ])
    : domainError(identityErrors, 'identity.account_taken', {}, ['account']);
}

export async function profile(ctx: Ctx): Promise<User> {
  return requireUser(ctx, person(ctx).userId);
}

/** Changes the caller's own profile. */
export async function updateProfile(ctx: Ctx, input: In<typeof identity.updateProfile>): Promise<User> {
  const { userId } = person(ctx);
  await updateUserRow(ctx, userId, {
    ...pick('name', input.name),
    ...pick('phone', input.phone),
    ...pick('address', input.address),
    ...pick('language', input.language),
    ...pick('email_notifications', input.emailNotifications),
    ...pick('sms_notifications', input.smsNotifications),
  });
  return requireUser(ctx, userId);
}

const pick = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<K, V>);

export async function listUsers(ctx: Ctx, input: In<typeof identity.listUsers>): Promise<Page<User>> {
  return pageOfUsers(ctx, input);
}

export async function getUser(ctx: Ctx, input: In<typeof identity.getUser>): Promise<User> {
  return requireUser(ctx, input.userId);
}

/** The organization of a new user: none for an Admin, an existing one for every other role. */
async function organizationFor(
  ctx: Ctx,
  role: User['role'],
  organizationId: Id<'org'> | null | undefined,
  isActive = true,
): Promise<Id<'org'> | null> {
  if (role === 'Admin') return null;
  if (!organizationId) throw domainError(identityErrors, 'identity.organization_required');
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization) throw domainError(identityErrors, 'identity.organization_not_found');
  if (organization.closedAt && isActive)
    throw domainError(identityErrors, 'identity.organization_closed', { name: organization.name });
  return organizationId;
}

/** Creates a user for an Admin. A generated password is only in the answer; only its hash is stored. */
export async function createUser(
  ctx: Ctx,
  input: In<typeof identity.createUser>,
): Promise<Out<typeof identity.createUser>> {
  const organizationId = await organizationFor(ctx, input.role, input.organizationId);
  if (input.password !== undefined)
    await checkPassword(ctx, input.password, { account: input.account, name: input.name });
  const customRoleId = await customRoleFor(ctx, input.customRoleId ?? null, input.role, organizationId);
  const generated = input.password === undefined ? randomSecret().slice(0, 20) : null;
  const passwordHash = await hashPassword(input.password ?? generated ?? '');
  const user = await addUser(ctx, {
    account: normalAccount(input.account),
    name: input.name,
    phone: input.phone ?? '',
    role: input.role,
    organizationId,
    passwordHash,
    language: input.language ?? (await ctx.setting(mailLanguage)),
    customRoleId,
  });
  ctx.audit('identity.createUser', user.id, {
    role: user.role,
    customRole: user.customRole?.name,
    organizationId,
  });
  return { user, password: generated };
}

const auditedUser = ({ role, customRole, status, name }: User) => ({
  role,
  customRole: customRole?.name,
  status,
  name,
});

/** Changes a user for an Admin. A change of role or status ends the user's sessions. */
export async function updateUser(ctx: Ctx, input: In<typeof identity.updateUser>): Promise<User> {
  const before = await requireUser(ctx, input.userId);
  if (before.status === 'deleted') throw domainError(identityErrors, 'identity.user_not_found');
  const role = input.role ?? before.role;
  const status = input.status ?? before.status;
  const customRoleId = input.customRoleId === undefined ? before.customRole?.id : input.customRoleId;
  const losesAdmin =
    before.role === 'Admin' &&
    before.customRole === null &&
    before.status === 'active' &&
    (role !== 'Admin' || status !== 'active' || customRoleId);
  if (losesAdmin && (await countActiveAdmins(ctx)) <= 1)
    throw domainError(identityErrors, 'identity.last_admin');
  // The command line acts without a user.
  if (
    ctx.actor.kind === 'user' &&
    before.id === ctx.actor.userId &&
    (role !== before.role ||
      status !== before.status ||
      (customRoleId ?? null) !== (before.customRole?.id ?? null))
  )
    throw domainError(identityErrors, 'identity.own_account');
  const organizationId = await organizationFor(
    ctx,
    role,
    input.organizationId ?? before.organizationId,
    status === 'active',
  );
  const nextRoleId = await customRoleAfter(ctx, before, input.customRoleId, role, organizationId);
  const isNewRole = role !== before.role || nextRoleId !== (before.customRole?.id ?? null);
  await updateUserRow(ctx, input.userId, {
    ...pick('name', input.name),
    ...pick('phone', input.phone),
    role,
    custom_role_id: nextRoleId,
    status,
    organization_id: organizationId,
  });
  if (isNewRole || status !== before.status || organizationId !== before.organizationId)
    await endSessions(ctx, input.userId, { allBut: null });
  const after = await requireUser(ctx, input.userId);
  ctx.audit('identity.updateUser', input.userId, {
    before: auditedUser(before),
    after: auditedUser(after),
  });
  return after;
}
