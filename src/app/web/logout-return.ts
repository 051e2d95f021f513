// The end of a sign-out that led through the provider.
import { useEffect } from 'react';
import { takeSignOut } from '#features/access/federation/web/index.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';

/** Says that the person is logged out when they come back from the provider's end-session page, which took the message with it. */
export function useLogoutReturn(): void {
  const { t } = useTranslation('app');
  useEffect(() => {
    if (takeSignOut()) toast.success(t('auth.logout_success'));
  }, [t]);
}
