// The palette's actions, available on every page.
import { useColorScheme } from '@mui/material/styles';
import { useLocation } from 'react-router';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { changeLanguage, useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { copyText } from '#platform/web/ui/copy-text.ts';
import { mayOpen } from '../../menu.ts';
import { useFullScreen } from '../full-screen.ts';
import { useLogout } from '../use-logout.ts';
import type { ActionIcon, Entry } from './entries.ts';
import { inBoth, type PaletteKey } from './in-both.ts';
import { openShortcuts } from './palette-store.ts';
import { usePins } from './pins.ts';

/** The actions of the signed-in user, or of a visitor. */
export function useActions(): readonly Entry[] {
  const { t } = useTranslation('palette');
  const frame = useFrameActions();
  const own = useOwnActions();
  const isAuthenticated = useAuthStore((auth) => auth.isAuthenticated);
  const ways: readonly Entry[] = [
    { ...action('home', 'palette.home', 'home', t), to: '/', kind: 'pages' },
    { ...action('login', 'auth.login', 'login', t), to: '/login', kind: 'pages' },
    { ...action('register', 'auth.register', 'register', t), to: '/register', kind: 'pages' },
  ];
  return isAuthenticated ? [...frame, ...own] : [...ways, ...frame];
}

type Named = Pick<Entry, 'id' | 'kind' | 'label' | 'icon' | 'names'>;

const action = (
  id: string,
  label: PaletteKey,
  icon: ActionIcon,
  t: (key: PaletteKey) => string,
  words?: PaletteKey,
): Named => ({
  id,
  kind: 'actions',
  label: t(label),
  icon,
  names: [t(label), ...inBoth(label), ...(words ? inBoth(words) : [])],
});

/** Actions for theme, language and layout. */
function useFrameActions(): readonly Entry[] {
  const { t } = useTranslation('palette');
  const { mode, setMode } = useColorScheme();
  const language = useLanguage();
  const [isFull, setFull] = useFullScreen();
  const { density, setDensity } = useLayoutStore();
  const copy = (): void => {
    copyText(location.href).then(
      () => toast.success(t('ui.link_copied')),
      () => toast.error(t('ui.copy_failed')),
    );
  };
  return [
    {
      ...action(
        'theme',
        mode === 'dark' ? 'palette.to_light' : 'palette.to_dark',
        'theme',
        t,
        'settings.theme',
      ),
      act: () => setMode(mode === 'dark' ? 'light' : 'dark'),
    },
    {
      ...action(
        'language',
        language === 'zhTW' ? 'palette.to_english' : 'palette.to_chinese',
        'language',
        t,
        'settings.language',
      ),
      act: () => void changeLanguage(language === 'zhTW' ? 'enUS' : 'zhTW'),
    },
    {
      ...action(
        'full-screen',
        isFull ? 'palette.to_normal_view' : 'palette.to_full_screen',
        'full-screen',
        t,
        'settings.view',
      ),
      act: () => setFull(!isFull),
    },
    {
      ...action(
        'density',
        density === 'compact' ? 'palette.to_standard_rows' : 'palette.to_compact_rows',
        'density',
        t,
        'settings.density',
      ),
      act: () => setDensity(density === 'compact' ? 'standard' : 'compact'),
    },
    { ...action('link', 'palette.copy_link', 'link', t), act: copy },
  ];
}

/** Actions that need a signed-in user. */
function useOwnActions(): readonly Entry[] {
  const { t } = useTranslation('palette');
  const { pathname } = useLocation();
  const logout = useLogout();
  const pins = usePins();
  const user = useAuthStore((auth) => auth.user);
  const { change } = pins;
  const isPage = mayOpen(user, pathname);
  return [
    ...(change && isPage
      ? [
          {
            ...action(
              'pin',
              pins.isPinned(pathname) ? 'palette.unpin_page' : 'palette.pin_page',
              'pin',
              t,
              'palette.pinned',
            ),
            act: () => change(pathname),
          },
        ]
      : []),
    { ...action('shortcuts', 'palette.shortcuts', 'shortcuts', t), keys: ['?'], act: openShortcuts },
    { ...action('logout', 'settings.logout', 'logout', t), act: logout },
  ];
}
