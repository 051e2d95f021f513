// The user's password, authenticator and passkeys, on their profile.
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signinQueries } from './api.ts';
import { PasskeyList } from './PasskeyList.tsx';
import { PasswordChange } from './PasswordChange.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

export function SecuritySection() {
  const { t } = useTranslation('signin');
  const { data: factors } = useQuery(signinQueries.twoFactor());
  const hasTwoFactor = factors !== undefined && (factors.authenticator || factors.passkeys > 0);
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Part title={t('signin.part_password')}>
        <PasswordChange hasTwoFactor={hasTwoFactor} />
      </Part>
      <Divider />
      <Part title={t('signin.part_two_factor')}>
        <TwoFactorSection />
      </Part>
      <Divider />
      <Part title={t('signin.part_passkeys')}>
        <PasskeyList />
      </Part>
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ marginBottom: 1.5 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
