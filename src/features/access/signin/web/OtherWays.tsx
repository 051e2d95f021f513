// Sign-in methods other than the form.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** Shown below a divider; renders nothing when there are none. */
export function OtherWays({
  passkey,
  google,
  provider,
  company,
  elsewhere,
}: {
  passkey?: ReactNode;
  google?: ReactNode;
  provider?: ReactNode;
  company?: ReactNode;
  /** Where the other methods work, if they do not work here. */
  elsewhere?: ReactNode;
}) {
  const { t } = useTranslation('signin');
  if (!passkey && !google && !provider && !company && !elsewhere) return null;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, marginTop: 2.5 }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          typography: 'body2',
          color: 'text.secondary',
          '&::before, &::after': { content: '""', flex: 1, borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        {t('signin.or')}
      </Box>
      {passkey}
      {google}
      {provider}
      {company}
      {elsewhere}
    </Box>
  );
}
