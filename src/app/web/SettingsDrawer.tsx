// The settings panel at the right: account, logout, language, theme, view (R-SHELL-07), and the console's
// behaviour.
import KeyboardOutlined from '~icons/ic/outline-keyboard';
import LogoutOutlined from '~icons/ic/outline-logout';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { packOf } from '#kernel/language.ts';
import { menuRole } from '#kernel/roles.ts';
import { PersonAvatar } from '#features/access/identity/web/parts.ts';
import { useAuthStore, useViewing } from '#platform/web/session/auth-store.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore, type Density } from '#platform/web/shell/layout-store.ts';
import { useEnrolment } from '#platform/web/session/session.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFullScreen } from './full-screen.ts';
import { openShortcuts } from './palette/palette-store.ts';
import { canKeepBills, forgetOfflineBill } from './offline-bill.ts';
import { LanguageSwitch, ThemeSwitch } from './Switches.tsx';
import { useLogout } from './use-logout.ts';

/** A note that the texts are in a language that no native speaker has reviewed. */
function MachineTranslated() {
  const { t } = useTranslation('app');
  if (packOf(useLanguage())?.isMachineTranslated !== true) return null;
  return (
    <Typography variant="caption" component="p" color="textSecondary">
      {t('settings.language_machine')}
    </Typography>
  );
}

export function SettingsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('app');
  return (
    <SidePanel open={open} title={t('settings.title')} onClose={onClose} width={320}>
      <Stack sx={{ gap: 3 }}>
        <Who onClose={onClose} />
        <Choice label={t('settings.language')}>
          <LanguageSwitch size="medium" />
          <MachineTranslated />
        </Choice>
        <Choice label={t('settings.theme')}>
          <ThemeSwitch size="medium" labelled />
        </Choice>
        <Choice label={t('settings.view')}>
          <ViewSwitch />
        </Choice>
        <Divider />
        <Behaviour onClose={onClose} />
      </Stack>
    </SidePanel>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
      <Typography variant="subtitle2" component="h3">
        {label}
      </Typography>
      {children}
    </Stack>
  );
}

function Who({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('app');
  // used as: 'role.*'
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const logout = useLogout();
  if (!user) return null;
  const leave = () => {
    onClose();
    logout();
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', minWidth: 0 }}>
        <PersonAvatar user={user} size={44} />
        <Stack sx={{ minWidth: 0 }}>
          <Typography variant="subtitle1" component="p" noWrap>
            {user.name}
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {t(`role.${menuRole(user.role)}`)}
          </Typography>
        </Stack>
      </Stack>
      <Button variant="outlined" startIcon={<LogoutOutlined />} onClick={leave}>
        {t('settings.logout')}
      </Button>
      <Divider />
    </Stack>
  );
}

function ViewSwitch() {
  const { t } = useTranslation('app');
  const [isFull, setFull] = useFullScreen();
  return (
    <ToggleButtonGroup
      exclusive
      value={isFull ? 'full' : 'normal'}
      aria-label={t('settings.view')}
      onChange={(_, next: 'normal' | 'full' | null) => next && setFull(next === 'full')}
    >
      <ToggleButton value="normal" sx={{ paddingInline: 1.5 }}>
        {t('settings.normal_view')}
      </ToggleButton>
      <ToggleButton value="full" sx={{ paddingInline: 1.5 }}>
        {t('settings.full_screen')}
      </ToggleButton>
    </ToggleButtonGroup>
  );
}

function Behaviour({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette');
  const layout = useLayoutStore();
  // If the frame has no menu (before the second factor is set up), it has no shortcuts either.
  const mustEnrol = useEnrolment((enrolment) => enrolment.mustEnrol);
  const hasSheet = useAuthStore((auth) => auth.isAuthenticated) && !mustEnrol;
  const showSheet = () => {
    onClose();
    openShortcuts();
  };
  return (
    <>
      <Stack sx={{ gap: 0.5, alignItems: 'flex-start' }}>
        <FormControlLabel
          control={<Switch checked={layout.shortcuts} onChange={(_, isOn) => layout.setShortcuts(isOn)} />}
          label={t('settings.shortcuts')}
        />
        {hasSheet && (
          <Button size="small" startIcon={<KeyboardOutlined />} onClick={showSheet}>
            {t('palette.show_shortcuts')}
          </Button>
        )}
      </Stack>
      <Choice label={t('settings.density')}>
        <ToggleButtonGroup
          exclusive
          value={layout.density}
          aria-label={t('settings.density')}
          onChange={(_, next: Density | null) => next && layout.setDensity(next)}
        >
          <ToggleButton value="standard" sx={{ paddingInline: 1.5 }}>
            {t('settings.standard')}
          </ToggleButton>
          <ToggleButton value="compact" sx={{ paddingInline: 1.5 }}>
            {t('settings.compact')}
          </ToggleButton>
        </ToggleButtonGroup>
      </Choice>
      <FormControlLabel
        control={
          <Switch checked={layout.reducedMotion} onChange={(_, isOn) => layout.setReducedMotion(isOn)} />
        }
        label={t('settings.reduced_motion')}
      />
      <OfflineBillSwitch />
    </>
  );
}

/** For customers only: an Admin who views as a customer stores none of their bills. */
function OfflineBillSwitch() {
  const { t } = useTranslation('app');
  const { offlineBill, setOfflineBill } = useLayoutStore();
  const isCustomer = useAuthStore(
    (auth) => auth.isAuthenticated && auth.user !== null && auth.user.role !== 'Admin',
  );
  const isViewing = useViewing((viewing) => viewing.viewer !== null);
  if (!isCustomer || isViewing || !canKeepBills()) return null;
  const change = (isOn: boolean): void => {
    setOfflineBill(isOn);
    if (!isOn) void forgetOfflineBill();
  };
  return (
    <Stack>
      <FormControlLabel
        control={<Switch checked={offlineBill} onChange={(_, isOn) => change(isOn)} />}
        label={t('settings.offline_bill')}
      />
      <Typography variant="caption" color="textSecondary">
        {t('settings.offline_bill_note')}
      </Typography>
    </Stack>
  );
}
