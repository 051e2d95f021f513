// Shown instead of every screen to an Admin who must set up a second factor first (R-AUTH-18).
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { renewSession } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { signinQueries } from './api.ts';
import { PasskeyList } from './PasskeyList.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

export function EnrolFirst() {
  const { t } = useTranslation('signin');
  const [isBusy, setIsBusy] = useState(false);
  const { data: factors } = useQuery(signinQueries.twoFactor());
  const isDone = factors !== undefined && (factors.authenticator || factors.passkeys > 0);
  const goOn = () => {
    setIsBusy(true);
    // The renewed session no longer requires a second factor, so the screens open.
    renewSession()
      .catch(toast.failure)
      .finally(() => setIsBusy(false));
  };
  return (
    <Page title={t('signin.enrol_first')} lead={t('signin.enrol_first_lead')} width="list">
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isDone && (
          <Alert
            severity="success"
            action={
              <Button color="inherit" loading={isBusy} onClick={goOn}>
                {t('signin.enrol_first_go_on')}
              </Button>
            }
          >
            {t('signin.enrol_first_done')}
          </Alert>
        )}
        <Section title={t('signin.part_two_factor')}>
          <TwoFactorSection />
        </Section>
        <Section title={t('signin.part_passkeys')}>
          <PasskeyList />
        </Section>
      </Box>
    </Page>
  );
}
