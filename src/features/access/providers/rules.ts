// Rules of identity providers: mail domains, the records that prove them, and the role of a person's groups.
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { GroupRole } from './contract.ts';

/** A mail domain as stored (lower case, without a final dot); undefined when the text is none. */
export function mailDomain(given: string): string | undefined {
  const domain = given.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '');
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  return domain.length <= 253 && new RegExp(`^(?:${label}\\.)+[a-z][a-z0-9-]*[a-z0-9]$`).test(domain)
    ? domain
    : undefined;
}

/** The domain of an address in lower case; '' when it is no address. Subdomains are domains of their own. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1
    ? ''
    : address
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/** Where the TXT record of a domain stands, and what it says. */
export function proofRecord(domain: string, challenge: string): { name: string; value: string } {
  return { name: `_skytally.${domain}`, value: `skytally-domain=${challenge}` };
}

/** The roles that a provider may give: of the platform Admin alone, of an organization any other. */
export function rolesOf(organizationId: string | null): readonly Role[] {
  return organizationId === null ? ['Admin'] : ['User', 'ReadOnly'];
}

const strength: Readonly<Record<Role, number>> = { Admin: 3, User: 2, ReadOnly: 1 };

/** What a provider gives a person: a built-in role, and the custom role that narrows it, if any. */
export type GivenRole = { readonly role: Role; readonly customRoleId: Id<'rol'> | null };

/**
 * The role of a person in `groups`: the one that allows most of those that their groups have, else the default
 * one. Of two that stand on the same built-in role, the whole one allows more than a custom one, and of custom ones the first in the
 * table counts. Undefined: they may not sign in. Groups are compared exactly.
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

/** The first group that a table has twice. */
export function repeatedGroup(table: readonly GroupRole[]): string | undefined {
  return table.find(({ group }, index) => table.findIndex((each) => each.group === group) !== index)?.group;
}
