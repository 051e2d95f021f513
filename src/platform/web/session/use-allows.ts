// Whether the signed-in person's custom role includes a permission, so that a screen can hide what they
// cannot use.
import type { Permission } from '#kernel/permissions.ts';
import { useAuthStore } from './auth-store.ts';

/** A whole built-in role allows everything here; the server decides in any case. */
export function useAllows(): (permission: Permission) => boolean {
  const customRole = useAuthStore((auth) => auth.user?.customRole);
  return (permission) => !customRole || customRole.permissions.includes(permission);
}
