// Whether the user may move money; users with the role ReadOnly may not. The server enforces this; here it
// only hides buttons that would fail.
import { menuRole } from '#kernel/roles.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';

export function useMayPay(): boolean {
  return useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
}
