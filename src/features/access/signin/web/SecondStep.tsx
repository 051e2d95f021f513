// The second step of signing in: a code of the authenticator, a recovery code, or a passkey.
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { TextBox, type TextBoxProps } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

export type SecondStepProps = {
  readonly otp: Pick<TextBoxProps, 'name' | 'value' | 'onChange' | 'onBlur'>;
  readonly isBusy: boolean;
  readonly onBack: () => void;
};

export function SecondStep({ otp, isBusy, onBack }: SecondStepProps) {
  const { t } = useTranslation('signin');
  const [isRecovery, setIsRecovery] = useState(false);
  const swap = () => {
    otp.onChange('');
    setIsRecovery(!isRecovery);
  };
  return (
    <>
      <Typography variant="body2" role="status">
        {t(isRecovery ? 'signin.step_recovery' : 'signin.step_code')}
      </Typography>
      <TextBox
        key={isRecovery ? 'recovery' : 'code'}
        {...otp}
        label={t(isRecovery ? 'signin.recovery_code' : 'signin.otp')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        {...(!isRecovery && { inputMode: 'numeric' as const })}
        required
        autoFocus
      />
      <Button type="submit" variant="contained" size="large" fullWidth loading={isBusy}>
        {t('signin.confirm_code')}
      </Button>
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
