// The end of a logout through the identity provider.
import { useEffect } from 'react';
import { takeSignOut } from '#features/access/federation/web/index.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';

/**
 * Confirms the logout when the user returns from the provider's end-session page, since the navigation
 * removed the first toast.
 */
export function useLogoutReturn(): void {
  const { t } = useTranslation('app');
  useEffect(() => {
    if (takeSignOut()) toast.success(t('auth.logout_success'));
  }, [t]);
}
