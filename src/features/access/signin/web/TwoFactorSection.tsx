// Second factors: the authenticator and its recovery codes. Also on the page where an Admin must set one up
// (R-AUTH-18).
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { signinApi, signinKey, signinQueries } from './api.ts';
import { CodeForm } from './CodeForm.tsx';
import { Enrolment } from './Enrolment.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Step =
  | { readonly kind: 'rest' | 'enrol' | 'renew' | 'remove' }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };
const rest: Step = { kind: 'rest' };

export function TwoFactorSection() {
  const { t } = useTranslation('signin');
  const factors = useQuery(signinQueries.twoFactor());
  const [step, setStep] = useState<Step>(rest);
  const changed = { invalidates: [signinKey('twoFactor'), identityKey('profile')] };
  const renew = useCall(signinApi.renewRecoveryCodes, changed);
  const remove = useCall(signinApi.removeTwoFactor, changed);
  const cancel = () => setStep(rest);
  const removeBy = async (otp: string) => {
    await remove.mutateAsync({ otp });
    toast.success(t('signin.authenticator_removed'));
    cancel();
  };
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={cancel} />;
  if (step.kind === 'enrol')
    return <Enrolment onDone={(codes) => setStep({ kind: 'codes', codes })} onCancel={cancel} />;
  if (step.kind === 'renew')
    return (
      <CodeForm
        takesRecovery
        submitLabel={t('signin.renew_recovery')}
        onCode={async (otp) =>
          setStep({ kind: 'codes', codes: (await renew.mutateAsync({ otp })).recoveryCodes })
        }
        onCancel={cancel}
      />
    );
  if (step.kind === 'remove')
    return (
      <CodeForm
        takesRecovery
        submitLabel={t('signin.remove_authenticator')}
        tone="error"
        onCode={removeBy}
        onCancel={cancel}
      />
    );
  return (
    <QueryState query={factors}>
      {({ authenticator, passkeys, recoveryCodes }) => (
        <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
          <StatusBadge
            tone={authenticator ? 'success' : 'neutral'}
            label={t(authenticator ? 'signin.authenticator_on' : 'signin.authenticator_off')}
          />
          <Typography variant="body2" color="textSecondary">
            {t('signin.authenticator_lead')}
          </Typography>
          {(authenticator || passkeys > 0) && (
            <Typography variant="body2">{t('signin.recovery_left', { count: recoveryCodes })}</Typography>
          )}
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            {!authenticator && (
              <Button aria-haspopup="dialog" variant="outlined" onClick={() => setStep({ kind: 'enrol' })}>
                {t('signin.set_up_authenticator')}
              </Button>
            )}
            {(authenticator || recoveryCodes > 0) && (
              <Button aria-haspopup="dialog" variant="outlined" onClick={() => setStep({ kind: 'renew' })}>
                {t('signin.renew_recovery')}
              </Button>
            )}
            {authenticator && (
              <Button
                aria-haspopup="dialog"
                variant="outlined"
                color="error"
                onClick={() => setStep({ kind: 'remove' })}
              >
                {t('signin.remove_authenticator')}
              </Button>
            )}
          </Box>
        </Box>
      )}
    </QueryState>
  );
}
