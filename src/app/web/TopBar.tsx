// The top bar: menu toggle, the name with a link home, search, bell, avatar, settings (R-SHELL-06).
import MenuOutlined from '~icons/ic/outline-menu';
import MenuOpenOutlined from '~icons/ic/outline-menu-open';
import SettingsOutlined from '~icons/ic/outline-settings';
import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { brandTitle } from '#kernel/brand-title.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { Hint } from '#platform/web/ui/Hint.tsx';
import { Logo } from './Logo.tsx';

const SettingsDrawer = lazyComponent(() =>
  import('./SettingsDrawer.tsx').then((module) => module.SettingsDrawer),
).Component;

export type TopBarProps = {
  readonly hasMenu: boolean;
  readonly search?: ReactNode;
  readonly bell?: ReactNode;
  /** The signed-in user's part; its argument opens the settings. */
  readonly account?: (onSettings: () => void) => ReactNode;
};

export function TopBar({ hasMenu, search, bell, account }: TopBarProps) {
  const { t } = useTranslation('app');
  const title = useBrand(brandTitle);
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  // Once opened it stays mounted, so that closing is animated too.
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setIsSettingsOpen(true);
  };
  return (
    <AppBar position="sticky" sx={{ zIndex: (theme) => theme.zIndex.drawer + 1 }} data-screen-only>
      {/* Touch targets are wide enough to be adjacent and include their own margin: on a phone, the name
          needs the space. */}
      <Toolbar
        variant="dense"
        sx={{
          minHeight: 56,
          gap: { xs: 0, sm: 1 },
          paddingInline: { xs: hasMenu ? '4px' : '16px 4px', sm: '16px' },
        }}
      >
        {hasMenu && <MenuToggle />}
        <Box
          component={Link}
          to="/"
          aria-label={t('shell.home', { name: title })}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: { xs: 0.75, sm: 1.25 },
            minWidth: 0,
            minHeight: 44,
            color: 'inherit',
            textDecoration: 'none',
          }}
        >
          <Logo size={26} onColour />
          {/* A long name wraps to two lines instead of being cut: on a phone, it gets half of the bar. */}
          <Typography
            variant="h3"
            component="span"
            sx={{
              display: '-webkit-box',
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: { xs: '2', sm: '1' },
              overflow: 'hidden',
              overflowWrap: 'anywhere',
            }}
          >
            {title}
          </Typography>
        </Box>
        <Box sx={{ flex: 1 }} />
        {search}
        {bell}
        {account?.(open)}
        <Hint text={t('shell.open_settings')}>
          <IconButton aria-label={t('shell.open_settings')} aria-haspopup="dialog" onClick={open}>
            <SettingsOutlined />
          </IconButton>
        </Hint>
      </Toolbar>
      {wasOpened && (
        <Suspense fallback={null}>
          <SettingsDrawer open={isSettingsOpen} onClose={() => setIsSettingsOpen(false)} />
        </Suspense>
      )}
    </AppBar>
  );
}

function MenuToggle() {
  const { t } = useTranslation('app');
  const isOpen = useLayoutStore((layout) => layout.sidebarShow);
  const setIsOpen = useLayoutStore((layout) => layout.setSidebarShow);
  const label = t(isOpen ? 'shell.close_menu' : 'shell.open_menu');
  return (
    <Hint text={label}>
      <IconButton
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? <MenuOpenOutlined /> : <MenuOutlined />}
      </IconButton>
    </Hint>
  );
}
