// The user's password, authenticator and passkeys, on their profile.
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
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
      <PanelPart title={t('signin.part_password')}>
        <PasswordChange hasTwoFactor={hasTwoFactor} />
      </PanelPart>
      <Divider />
      <PanelPart title={t('signin.part_two_factor')}>
        <TwoFactorSection />
      </PanelPart>
      <Divider />
      <PanelPart title={t('signin.part_passkeys')}>
        <PasskeyList />
      </PanelPart>
    </Box>
  );
}
