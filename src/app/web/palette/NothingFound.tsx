// Says that nothing matches, and what can be searched for.
import SearchOffOutlined from '~icons/ic/outline-search-off';
import { menuRole } from '#kernel/roles.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';

export function NothingFound({ typed }: { readonly typed: string }) {
  const { t } = useTranslation('palette');
  const role = useAuthStore((auth) => (auth.isAuthenticated ? menuRole(auth.user?.role) : 'nobody'));
  // used as: 'palette.searches_*'
  return (
    <EmptyState
      compact
      icon={<SearchOffOutlined />}
      title={t('palette.nothing', { typed })}
      hint={t(`palette.searches_${role}`)}
    />
  );
}
