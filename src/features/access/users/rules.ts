// Converts users to table rows and back: the export's format, which the import reads. No clock, no database.
import type { User } from '#features/access/identity/contract.ts';

/** The columns that an import reads; the export has them under the same names. */
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

/** A user as a row. Times are in UTC, as RFC 3339. */
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
