// Who may move money: users; read-only members look on. The server decides, this only keeps dead buttons away.
import { menuRole } from '#kernel/roles.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';

export function useMayPay(): boolean {
  return useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
}
