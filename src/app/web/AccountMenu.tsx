// The avatar; on small screens it opens a menu with greeting, logout and theme (R-SHELL-06).
import IconButton from '@mui/material/IconButton';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense, useState } from 'react';
import { PersonAvatar } from '#features/access/identity/web/parts.ts';
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Hint } from '#platform/web/ui/Hint.tsx';

const SmallMenu = lazyComponent(() => import('./SmallMenu.tsx').then((module) => module.SmallMenu)).Component;

export function AccountMenu({ user, onSettings }: { user: SessionUser; onSettings: () => void }) {
  const { t } = useTranslation('app');
  const theme = useTheme();
  const isSmall = useMediaQuery(theme.breakpoints.down('sm'));
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const open = (target: HTMLElement) => {
    if (!isSmall) return onSettings();
    setWasOpened(true);
    setAnchor(target);
  };
  return (
    <>
      <Hint text={user.name}>
        <IconButton
          aria-label={t('shell.account', { name: user.name })}
          aria-haspopup={isSmall ? 'menu' : 'dialog'}
          onClick={(event) => open(event.currentTarget)}
        >
          <PersonAvatar user={user} />
        </IconButton>
      </Hint>
      {wasOpened && (
        <Suspense fallback={null}>
          <SmallMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
