// Announces that the console cannot be reached and what still works. Disappears by itself, and the screen's
// queries are then refetched. Its code and texts are loaded with the frame, because neither can be loaded
// offline.
import CloudOffOutlined from '~icons/ic/outline-cloud-off';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { recordReachability, notifyReturn, useReach } from '#platform/web/api/reach.ts';

/** The interval, in ms, at which the notice checks whether the console responds again. */
const askAgainMs = 5000;

const onNetwork = (notify: () => void) => {
  addEventListener('online', notify);
  addEventListener('offline', notify);
  return () => {
    removeEventListener('online', notify);
    removeEventListener('offline', notify);
  };
};

export function OfflineNotice() {
  const { t } = useTranslation('platform');
  const texts = connectionTextsOf(useLanguage());
  const isOffline = !useSyncExternalStore(onNetwork, () => navigator.onLine);
  const { isShown, ask } = useAway(isOffline);
  const isRecovering = useReach((reach) => reach.isRecovering);
  const what = isOffline ? 'connection.offline' : isRecovering ? 'connection.recovering' : 'connection.away';
  return (
    <Box role="status" data-screen-only sx={{ position: 'sticky', top: 56, zIndex: 3 }}>
      {isShown && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1.5,
            padding: { xs: '8px 16px', sm: '8px 24px' },
            bgcolor: 'warning.soft',
            color: 'warning.softText',
            borderBottom: '1px solid',
            borderColor: 'warning.main',
            fontSize: '0.875rem',
            lineHeight: 22 / 14,
          }}
        >
          <CloudOffOutlined aria-hidden />
          <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
            <Box component="strong">{texts[what]}</Box> {texts['connection.still_shown']}
          </Box>
          <Button size="small" color="inherit" sx={{ flexShrink: 0 }} onClick={() => void ask()}>
            {t('ui.retry')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/**
 * Whether the console cannot be reached. After a failed call, it is checked again before anything is shown,
 * and then repeatedly.
 */
function useAway(isOffline: boolean): { readonly isShown: boolean; readonly ask: () => Promise<void> } {
  const { isLost, isSure } = useReach();
  const wasShown = useRef(false);
  const asking = useRef<Promise<boolean>>(undefined);
  const ask = useCallback(async () => {
    // While a check is pending, no other one is sent.
    if (asking.current) return;
    asking.current = answers();
    const isReached = await asking.current;
    asking.current = undefined;
    if (isReached) return;
    useReach.setState({ isSure: true });
    wasShown.current = true;
  }, []);
  useEffect(() => {
    if (isOffline) recordReachability('lost');
  }, [isOffline]);
  useEffect(() => {
    if (!isLost) {
      if (wasShown.current) notifyReturn();
      wasShown.current = false;
      return undefined;
    }
    void ask();
    const again = setInterval(() => {
      if (document.visibilityState === 'visible') void ask();
    }, askAgainMs);
    return () => clearInterval(again);
    // When the network is back, check at once.
  }, [isLost, isOffline, ask]);
  return { isShown: isSure, ask };
}

/** Checks without a session whether the server responds and is available. */
async function answers(): Promise<boolean> {
  try {
    await consoleApi.send({ method: 'GET', path: '/system/status', needsSession: false });
    // The call itself records a response that the console is unavailable.
    return !useReach.getState().isLost;
  } catch {
    // A failed call means that it does not respond.
    return false;
  }
}
