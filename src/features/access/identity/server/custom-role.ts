// Assigning a custom role: it must be based on the person's built-in role, and belong to the platform or to
// their organization.
import type { Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import type { Role } from '#kernel/roles.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors } from '../contract.ts';
import { customRoleRow } from './store.ts';

/**
 * Checks that a person with `role` in an organization can have a custom role, and returns its id.
 * @throws identity.custom_role_not_found, identity.custom_role_base, identity.custom_role_elsewhere
 */
export async function customRoleFor(
  ctx: Ctx,
  customRoleId: Id<'rol'> | null,
  role: Role,
  organizationId: Id<'org'> | null,
): Promise<Id<'rol'> | null> {
  if (customRoleId === null) return null;
  const found = await customRoleRow(ctx, customRoleId);
  if (!found) throw domainError(identityErrors, 'identity.custom_role_not_found', {}, ['customRoleId']);
  if (found.organizationId !== null && found.organizationId !== organizationId)
    throw domainError(identityErrors, 'identity.custom_role_elsewhere', { name: found.name }, [
      'customRoleId',
    ]);
  if (found.baseRole !== role)
    throw domainError(
      identityErrors,
      'identity.custom_role_base',
      // used as: 'identity.role_*'
      { name: found.name, base: ctx.text(`identity.role_${found.baseRole}`) },
      ['customRoleId'],
    );
  return customRoleId;
}

/**
 * The custom role after a change: the one that the change names; otherwise none if the built-in role changes,
 * because that is an explicit choice of the whole role; otherwise the current one, which must still be
 * allowed.
 */
export async function customRoleAfter(
  ctx: Ctx,
  before: { readonly role: Role; readonly customRole: { readonly id: Id<'rol'> } | null },
  wanted: Id<'rol'> | null | undefined,
  role: Role,
  organizationId: Id<'org'> | null,
): Promise<Id<'rol'> | null> {
  const kept = role === before.role ? (before.customRole?.id ?? null) : null;
  return customRoleFor(ctx, wanted === undefined ? kept : wanted, role, organizationId);
}
