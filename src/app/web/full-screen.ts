// Normal or full-screen view (R-SHELL-07).
import { useSyncExternalStore } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';

const onFullScreen = (notify: () => void) => {
  document.addEventListener('fullscreenchange', notify);
  return () => document.removeEventListener('fullscreenchange', notify);
};

export function useFullScreen(): readonly [isFull: boolean, change: (full: boolean) => void] {
  const { t } = useTranslation('app');
  const isFull = useSyncExternalStore(onFullScreen, () => document.fullscreenElement !== null);
  const change = (full: boolean) => {
    if (full === isFull) return;
    const done = full ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => toast.error(t('settings.full_screen_denied')));
  };
  return [isFull, change];
}
