// Nothing matches what was typed: says so, and what can be looked for.
import SearchOffOutlined from '@mui/icons-material/SearchOffOutlined';
import { menuRole } from '#kernel/roles.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { usePaletteTexts } from './palette-texts.ts';

export function NothingFound({ typed }: { readonly typed: string }) {
  const t = usePaletteTexts();
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
