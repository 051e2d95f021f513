// Normal or full-screen view (R-SHELL-07).
import { useSyncExternalStore } from 'react';
import { toast } from '#platform/web/toasts.ts';
import { useAppTexts } from './texts.ts';

const onFullScreen = (notify: () => void) => {
  document.addEventListener('fullscreenchange', notify);
  return () => document.removeEventListener('fullscreenchange', notify);
};

export function useFullScreen(): readonly [isFull: boolean, change: (full: boolean) => void] {
  const t = useAppTexts();
  const isFull = useSyncExternalStore(onFullScreen, () => document.fullscreenElement !== null);
  const change = (full: boolean) => {
    if (full === isFull) return;
    const done = full ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => toast.error(t('settings.full_screen_denied')));
  };
  return [isFull, change];
}
