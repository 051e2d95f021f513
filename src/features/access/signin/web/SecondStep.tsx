// The second step of sign-in: a code of the authenticator, a recovery code, or a passkey.
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { LoginFormState } from './login-fields.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

export type SecondStepProps = {
  readonly form: LoginFormState;
  readonly onBack: () => void;
};

export function SecondStep({ form, onBack }: SecondStepProps) {
  const { t } = useTranslation('signin');
  const [isRecovery, setIsRecovery] = useState(false);
  const swap = () => {
    form.setValue('otp', '');
    setIsRecovery(!isRecovery);
  };
  return (
    <>
      <Typography variant="body2" role="status">
        {t(isRecovery ? 'signin.step_recovery' : 'signin.step_code')}
      </Typography>
      <TextField
        key={isRecovery ? 'recovery' : 'code'}
        form={form}
        name="otp"
        label={t(isRecovery ? 'signin.recovery_code' : 'signin.otp')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        {...(!isRecovery && { inputMode: 'numeric' as const })}
        required
        autoFocus
      />
      <SubmitButton form={form} fullWidth>
        {t('signin.confirm_code')}
      </SubmitButton>
      <PasskeyButton />
      <Link component="button" type="button" variant="body2" onClick={swap}>
        {t(isRecovery ? 'signin.use_code' : 'signin.use_recovery')}
      </Link>
      <Link component="button" type="button" variant="body2" onClick={onBack}>
        {t('signin.other_account')}
      </Link>
    </>
  );
}
