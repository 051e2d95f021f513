// People with a custom role.
import * as z from 'zod/mini';
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import { id } from '#kernel/shape.ts';
import { customRoles } from '#features/access/custom-roles/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signIn, userPassword, type TestConsole } from './console.ts';

const organization = id('org');

/** Creates a custom role on a built-in one, and a person with it: an Admin, or a member of the organization. */
export async function personWithRole(
  console: TestConsole,
  admin: string,
  organizationId: string,
  { account, baseRole, held }: { account: string; baseRole: Role; held: readonly Permission[] },
) {
  const asAdmin = { token: admin };
  const role = await console.ok(
    customRoles.createRole,
    { name: `role of ${account}`, description: '', baseRole, permissions: [...held] },
    asAdmin,
  );
  const { user } = await console.ok(
    identity.createUser,
    {
      account,
      name: account,
      role: baseRole,
      password: userPassword,
      customRoleId: role.id,
      ...(baseRole !== 'Admin' && { organizationId: z.parse(organization, organizationId) }),
    },
    asAdmin,
  );
  return { role, user, account, token: await signIn(console, account) };
}
