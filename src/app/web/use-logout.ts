// Ends the session on the server and in this browser, and goes home (R-AUTH-12).
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { endProviderSession } from '#features/access/federation/web/parts.ts';
import { forgetLoaded } from '#features/operations/administration/web/index.ts';
import { identityApi } from '#features/access/identity/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signOut } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useLeaveTarget } from './leave-target.ts';
import { forgetOfflineBill } from './offline-bill.ts';

/** `goal` is the page to go to instead of home. */
export function useLogout(goal = '/'): () => void {
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  return useCallback(() => {
    const end = async () => {
      // Set before the session ends: the end is noticed in this tab too and must not lead to the sign-in
      // page.
      useLeaveTarget.setState({ goal });
      const userId = useAuthStore.getState().user?.id;
      try {
        await identityApi.logout();
      } catch (error) {
        useLeaveTarget.setState({ goal: null });
        // If the server cannot be reached, its session stays valid, so report the failure.
        toast.failure(error);
        return;
      }
      // For any other goal, the guard navigates. It may have done so already when this tab noticed the end
      // before the response arrived: replacing keeps one history entry for home either way, so that Back
      // leaves it.
      if (goal === '/') await navigate(goal, { replace: true });
      await forgetOfflineBill();
      signOut();
      forgetLoaded();
      toast.success(t('auth.logout_success'));
      await endProviderSession(userId);
    };
    void end();
  }, [navigate, t, goal]);
}
