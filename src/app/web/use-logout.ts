// Ends the session on the server and in this browser, and goes home (R-AUTH-12).
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { endProviderSession } from '#features/access/federation/web/parts.ts';
import { identityApi } from '#features/access/identity/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { signOut } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useLeaving } from './leaving.ts';

/** `goal`: where to go instead of home. */
export function useLogout(goal = '/'): () => void {
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  return useCallback(() => {
    const end = async () => {
      // From now on: the end of the session is heard in this tab too, which is no reason to ask for a sign-in.
      useLeaving.setState({ goal });
      const userId = useAuthStore.getState().user?.id;
      try {
        await identityApi.logout();
      } catch (error) {
        useLeaving.setState({ goal: null });
        // Without the server the session would live on there: say so instead of pretending.
        toast.failure(error);
        return;
      }
      // From anywhere else the guard leads there.
      if (goal === '/') await navigate(goal);
      signOut();
      queryCache.clear();
      toast.success(t('auth.logout_success'));
      await endProviderSession(userId);
    };
    void end();
  }, [navigate, t, goal]);
}
