// Ways in besides a form.
import Divider from '@mui/material/Divider';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useSigninTexts } from './texts.ts';

/** Below a line that says so; nothing when there are none. */
export function OtherWays({ passkey, google, provider }: { passkey?: ReactNode; google?: ReactNode; provider?: ReactNode }) {
  const t = useSigninTexts();
  if (!passkey && !google && !provider) return null;
  return (
    <Stack sx={{ gap: 2, marginTop: 2.5 }}>
      <Divider sx={{ typography: 'body2', color: 'text.secondary' }}>{t('signin.or')}</Divider>
      {passkey}
      {google}
      {provider}
    </Stack>
  );
}
