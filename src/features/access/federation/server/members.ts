// Users from the provider: created at their first sign-in, with role and organization kept in sync with their
// claims.
import { contentLanguageOf } from '#kernel/language.ts';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { User } from '#features/access/identity/contract.ts';
import {
  addUser,
  countActiveAdmins,
  endSessions,
  insertOrganization,
  timeZoneSetting,
  updateUserRow,
} from '#features/access/identity/server/index.ts';
import type { GivenRole } from '#features/access/providers/rules.ts';
import { nameOfClaims, organizationRef, roleOfClaim } from '../rules.ts';
import type { ProviderPerson } from './access-token.ts';
import { allowAdminSetting, defaultRoleSetting } from './settings.ts';
import { insertIdentity, type Upstream } from './store.ts';

/** The role derived from a user's claims; undefined when the claims do not allow signing in. */
export async function claimedRole(
  ctx: Ctx,
  oidc: OidcConfig,
  person: ProviderPerson,
): Promise<Role | undefined> {
  return roleOfClaim(person.claims[oidc.roleClaim], {
    allowAdmin: await ctx.setting(allowAdminSetting),
    defaultRole: await ctx.setting(defaultRoleSetting),
  });
}

/**
 * The organization named by a user's claim, created if it is new; an organization of the user's own when the
 * provider names none.
 */
async function claimedOrganization(
  ctx: Ctx,
  oidc: OidcConfig,
  person: ProviderPerson,
  ownName: string,
): Promise<Id<'org'>> {
  const claimed = organizationRef(oidc.issuer, person.claims[oidc.organizationClaim]);
  const made = await insertOrganization(ctx, {
    name: claimed?.name ?? ownName,
    timeZone: await ctx.setting(timeZoneSetting),
    language: contentLanguageOf(ctx.language),
    externalRef: claimed?.ref ?? null,
  });
  return made.id;
}

/** Creates the account at a user's first sign-in. */
export async function addMember(
  ctx: Ctx,
  oidc: OidcConfig,
  person: ProviderPerson,
  upstream: Upstream,
  role: Role,
): Promise<User> {
  const name = nameOfClaims(person.claims, upstream.email);
  const organizationId = role === 'Admin' ? null : await claimedOrganization(ctx, oidc, person, name);
  const user = await addUser(ctx, {
    account: upstream.email,
    name,
    phone: '',
    role,
    organizationId,
    passwordHash: null,
    language: ctx.language,
  });
  await insertIdentity(ctx, upstream, user.id, { isManaged: true, isUsed: false });
  ctx.audit('federation.register', user.id, {
    source: 'oidc',
    issuer: upstream.issuer,
    role,
    organizationId,
  });
  return user;
}

/**
 * Applies role and organization from the claims. The last active Admin stays an Admin. A change ends the
 * user's other sessions.
 */
export async function applyClaims(
  ctx: Ctx,
  oidc: OidcConfig,
  person: ProviderPerson,
  user: User,
  claimed: Role,
): Promise<void> {
  const keepsOwnOrganization =
    user.organizationId !== null &&
    organizationRef(oidc.issuer, person.claims[oidc.organizationClaim]) === undefined;
  // The claim names built-in roles only: a custom role assigned by an Admin stays while it is based on that
  // role.
  const customRoleId = claimed === user.role ? (user.customRole?.id ?? null) : null;
  await follow(ctx, user, { role: claimed, customRoleId }, () =>
    keepsOwnOrganization
      ? Promise.resolve(user.organizationId)
      : claimedOrganization(ctx, oidc, person, user.name),
  );
}

/**
 * At a sign-in, applies the role and organization that the provider assigns. The last active Admin stays an
 * Admin. A change ends the user's other sessions.
 */
export async function follow(
  ctx: Ctx,
  user: User,
  claimed: GivenRole,
  organizationOf: Id<'org'> | null | (() => Promise<Id<'org'> | null>),
): Promise<void> {
  const losesAdmin =
    user.role === 'Admin' &&
    user.customRole === null &&
    (claimed.role !== 'Admin' || claimed.customRoleId !== null);
  const isLastAdmin = losesAdmin && (await countActiveAdmins(ctx)) <= 1;
  const { role, customRoleId }: GivenRole = isLastAdmin ? { role: 'Admin', customRoleId: null } : claimed;
  const organizationId =
    role === 'Admin' ? null : typeof organizationOf === 'function' ? await organizationOf() : organizationOf;
  const isSameRole = role === user.role && customRoleId === (user.customRole?.id ?? null);
  if (isSameRole && organizationId === user.organizationId) return;
  await updateUserRow(ctx, user.id, { role, custom_role_id: customRoleId, organization_id: organizationId });
  await endSessions(ctx, user.id, { allBut: null });
  ctx.audit('federation.followClaims', user.id, {
    before: { role: user.role, customRoleId: user.customRole?.id, organizationId: user.organizationId },
    after: { role, customRoleId: customRoleId ?? undefined, organizationId },
  });
}
