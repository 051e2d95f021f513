// Users as rows of a table and back: what the export writes, the import reads. No clock, no database.
import type { User } from '#features/access/identity/contract.ts';

/** What an import reads; the export has these too, under the same names. */
export const importColumns = [
  'name',
  'account',
  'role',
  'organization',
  'phone',
  'language',
  'status',
] as const;
export type ImportColumn = (typeof importColumns)[number];
export const exportColumns = [
  ...importColumns,
  'organizationId',
  'twoFactor',
  'lastSignInAt',
  'createdAt',
  'id',
] as const;
export type UserColumn = (typeof exportColumns)[number];
/** A row as texts; an empty text means no value. */
export type UserCells = Readonly<Record<UserColumn, string>>;

/** A user as a row. Moments are UTC, as RFC 3339 writes them. */
export function cellsOf(user: Omit<User, 'registeredOn'>): UserCells {
  return {
    name: user.name,
    account: user.account,
    role: user.role,
    organization: user.organization ?? '',
    phone: user.phone,
    language: user.language,
    status: user.status,
    organizationId: user.organizationId ?? '',
    twoFactor: String(user.twoFactor),
    lastSignInAt: user.lastSignInAt?.toISOString() ?? '',
    createdAt: user.createdAt.toISOString(),
    id: user.id,
  };
}
