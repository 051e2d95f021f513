// The avatar; on small screens it opens a menu with greeting, logout and theme (R-SHELL-06).
import DarkModeOutlined from '@mui/icons-material/DarkModeOutlined';
import LightModeOutlined from '@mui/icons-material/LightModeOutlined';
import LogoutOutlined from '@mui/icons-material/LogoutOutlined';
import Avatar from '@mui/material/Avatar';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useColorScheme, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';
import type { SessionUser } from '#platform/web/auth-store.ts';
import { greetingAt } from './greeting.ts';
import { useAppTexts } from './texts.ts';
import { useLogout } from './use-logout.ts';

export function AccountMenu({ user, onSettings }: { user: SessionUser; onSettings: () => void }) {
  const t = useAppTexts();
  const theme = useTheme();
  const isSmall = useMediaQuery(theme.breakpoints.down('sm'));
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={user.name}>
        <IconButton
          aria-label={t('shell.account', { name: user.name })}
          aria-haspopup={isSmall ? 'menu' : 'dialog'}
          onClick={(event) => (isSmall ? setAnchor(event.currentTarget) : onSettings())}
        >
          <UserAvatar user={user} />
        </IconButton>
      </Tooltip>
      <SmallMenu user={user} anchor={anchor} onClose={() => setAnchor(null)} />
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

function SmallMenu({ user, anchor, onClose }: { user: SessionUser; anchor: HTMLElement | null; onClose: () => void }) {
  const t = useAppTexts();
  const logout = useLogout();
  const { mode, setMode } = useColorScheme();
  const isDark = mode === 'dark';
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      <Typography variant="subtitle2" component="p" sx={{ padding: '8px 16px' }}>{t(greetingAt(new Date()), { name: user.name })}</Typography>
      <Divider />
      <MenuItem onClick={() => setMode(isDark ? 'light' : 'dark')}>
        <ListItemIcon>{isDark ? <LightModeOutlined /> : <DarkModeOutlined />}</ListItemIcon>
        {t(isDark ? 'settings.light' : 'settings.dark')}
      </MenuItem>
      <MenuItem
        onClick={() => {
          onClose();
          logout();
        }}
      >
        <ListItemIcon><LogoutOutlined /></ListItemIcon>
        {t('settings.logout')}
      </MenuItem>
    </Menu>
  );
}
