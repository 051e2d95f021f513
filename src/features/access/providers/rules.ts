// Rules of identity providers: mail domains, the records that verify them, and the role derived from a
// person's groups.
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { GroupRole } from './contract.ts';

/**
 * Normalizes a mail domain for storage (lower case, no final dot); undefined when the text is not a domain.
 */
export function mailDomain(given: string): string | undefined {
  const domain = given.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '');
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  return domain.length <= 253 && new RegExp(`^(?:${label}\\.)+[a-z][a-z0-9-]*[a-z0-9]$`).test(domain)
    ? domain
    : undefined;
}

/**
 * The domain of an address in lower case; '' when it is not an address. Subdomains count as separate domains.
 */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1
    ? ''
    : address
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/** The name and the value of the TXT record that verifies a domain. */
export function proofRecord(domain: string, challenge: string): { name: string; value: string } {
  return { name: `_skytally.${domain}`, value: `skytally-domain=${challenge}` };
}

/** The roles that a provider can assign: the platform's only Admin, an organization's any other. */
export function rolesOf(organizationId: string | null): readonly Role[] {
  return organizationId === null ? ['Admin'] : ['User', 'ReadOnly'];
}

const strength: Readonly<Record<Role, number>> = { Admin: 3, User: 2, ReadOnly: 1 };

/**
 * The role that a provider assigns to a person: a built-in role, and optionally a custom role based on it.
 */
export type GivenRole = { readonly role: Role; readonly customRoleId: Id<'rol'> | null };

/**
 * The role of a person in `groups`: the one of their groups' roles that allows most, or else the default one.
 * With the same built-in role, the whole role beats a custom one, and of custom roles the first in the table
 * wins. Undefined: they may not sign in. Groups are compared exactly.
 */
export function roleOfGroups(
  groups: readonly string[],
  table: readonly GroupRole[],
  defaultRole: Role | null,
): GivenRole | undefined {
  const found = table
    .filter(({ group }) => groups.includes(group))
    .map(({ role, customRoleId = null }) => ({ role, customRoleId }))
    .toSorted((one, other) => strengthOf(other) - strengthOf(one));
  return found[0] ?? (defaultRole === null ? undefined : { role: defaultRole, customRoleId: null });
}

const strengthOf = ({ role, customRoleId }: GivenRole): number =>
  2 * strength[role] - (customRoleId === null ? 0 : 1);

/** The first group that occurs twice in a table. */
export function repeatedGroup(table: readonly GroupRole[]): string | undefined {
  return table.find(({ group }, index) => table.findIndex((each) => each.group === group) !== index)?.group;
}
