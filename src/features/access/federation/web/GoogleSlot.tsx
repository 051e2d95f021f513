// Google's own button, or a notice that it is unavailable; account and password stay usable.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useColorScheme } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { currentLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { federationApi, optionsQuery } from './api.ts';
import { loadGoogle } from './google-script.ts';

/** The limits of Google's script. */
const widths = { least: 200, most: 400 } as const;

export type GoogleSlotProps = {
  /** Called with the ID token; undefined when Google responded without one. */
  readonly onCredential: (idToken: string | undefined) => void;
  /** The explanation below the button. */
  readonly note?: string;
};

export function GoogleSlot({ onCredential, note }: GoogleSlotProps) {
  const { t } = useTranslation('federation');
  const { mode } = useColorScheme();
  const { data: options } = useQuery(optionsQuery());
  const [state, setState] = useState<'loading' | 'ready' | 'unavailable'>('loading');
  const place = useRef<HTMLDivElement>(null);
  const handler = useRef(onCredential);
  useEffect(() => {
    handler.current = onCredential;
  });
  const google = options?.google;
  useEffect(() => {
    if (!google) return undefined;
    let isOver = false;
    const show = async () => {
      try {
        const [{ nonce }, script] = await Promise.all([
          federationApi.googleNonce(),
          loadGoogle(google.scriptUrl),
        ]);
        if (isOver || !place.current) return;
        script.initialize({
          client_id: google.clientId,
          nonce,
          ux_mode: 'popup',
          auto_select: false,
          callback: ({ credential }) => handler.current(credential),
        });
        place.current.replaceChildren();
        const width = Math.max(widths.least, Math.min(widths.most, Math.floor(place.current.clientWidth)));
        script.renderButton(place.current, {
          type: 'standard',
          theme: mode === 'dark' ? 'filled_black' : 'outline',
          size: 'large',
          text: 'continue_with',
          width,
          locale: currentLanguage() === 'zhTW' ? 'zh_TW' : 'en',
          logo_alignment: 'center',
        });
        setState('ready');
      } catch {
        if (!isOver) setState('unavailable');
      }
    };
    void show();
    return () => {
      isOver = true;
    };
  }, [google, mode]);
  if (state === 'unavailable') return <Alert severity="warning">{t('federation.google_unavailable')}</Alert>;
  return (
    <Box sx={{ minHeight: 44, position: 'relative', colorScheme: 'light' }}>
      {state === 'loading' && (
        <Skeleton
          variant="rounded"
          height={40}
          aria-label={t('federation.google_loading')}
          sx={{ position: 'absolute', inset: '0 0 auto' }}
        />
      )}
      <Box ref={place} sx={{ display: 'flex', justifyContent: 'center', minHeight: 44 }} />
      {note !== undefined && (
        <Typography variant="caption" component="p" color="textSecondary" sx={{ textAlign: 'center' }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
