// The avatar's menu on small screens: greeting, theme, logout.
import DarkModeOutlined from '~icons/ic/outline-dark-mode';
import LightModeOutlined from '~icons/ic/outline-light-mode';
import LogoutOutlined from '~icons/ic/outline-logout';
import Divider from '@mui/material/Divider';
import ListItemIcon from '@mui/material/ListItemIcon';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useColorScheme } from '@mui/material/styles';
import type { SessionUser } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { greetingAt } from './greeting.ts';
import { useLogout } from './use-logout.ts';

export function SmallMenu({
  user,
  anchor,
  onClose,
}: {
  user: SessionUser;
  anchor: HTMLElement | null;
  onClose: () => void;
}) {
  const { t } = useTranslation('app');
  const logout = useLogout();
  const { mode, setMode } = useColorScheme();
  const isDark = mode === 'dark';
  const now = useNow();
  const timeZone = useBrand((brand) => brand.timeZone);
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      <Typography variant="subtitle2" component="p" sx={{ padding: '8px 16px' }}>
        {t(greetingAt(now, timeZone), { name: user.name })}
      </Typography>
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
        <ListItemIcon>
          <LogoutOutlined />
        </ListItemIcon>
        {t('settings.logout')}
      </MenuItem>
    </Menu>
  );
}
