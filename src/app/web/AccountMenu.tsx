// The avatar; on small screens it opens a menu with greeting, logout and theme (R-SHELL-06).
import Avatar from '@mui/material/Avatar';
import IconButton from '@mui/material/IconButton';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { lazy, Suspense, useState } from 'react';
import type { SessionUser } from '#platform/web/auth-store.ts';
import { Hint } from '#platform/web/ui/Hint.tsx';
import { useAppTexts } from './texts.ts';

const SmallMenu = lazy(() => import('./SmallMenu.tsx').then((module) => ({ default: module.SmallMenu })));

export function AccountMenu({ user, onSettings }: { user: SessionUser; onSettings: () => void }) {
  const t = useAppTexts();
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
          <UserAvatar user={user} />
        </IconButton>
      </Hint>
      {wasOpened && <Suspense fallback={null}><SmallMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} /></Suspense>}
    </>
  );
}

/** The initial: red for an Admin, blue for everybody else. */
export function UserAvatar({ user, size = 32 }: { user: Pick<SessionUser, 'name' | 'role'>; size?: number }) {
  const tone = user.role.trim() === 'Admin' ? 'admin' : 'primary';
  return (
    <Avatar
      aria-hidden
      sx={(theme) => ({ width: size, height: size, fontSize: size * 0.5, fontWeight: 700, color: theme.vars.palette[tone].contrastText, backgroundColor: theme.vars.palette[tone].main, border: `1px solid ${theme.vars.palette.appBar.text}` })}
    >
      {[...user.name.trim()][0]?.toLocaleUpperCase() ?? '?'}
    </Avatar>
  );
}
