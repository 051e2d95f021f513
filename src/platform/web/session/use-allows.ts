// Whether the signed-in person's custom role includes a permission, so that a screen leaves out what cannot be used.
import type { Permission } from '#kernel/permissions.ts';
import { useAuthStore } from './auth-store.ts';

/** Everything is allowed to who has a whole built-in role; the server decides in any case. */
export function useAllows(): (permission: Permission) => boolean {
  const customRole = useAuthStore((auth) => auth.user?.customRole);
  return (permission) => !customRole || customRole.permissions.includes(permission);
}
