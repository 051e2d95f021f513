// One field for a code, with its button.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type FormEvent } from 'react';
import { asError } from '#kernel/errors.ts';
import { FormError } from '#platform/web/form/FormError.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export type CodeFormProps = {
  /** Whether a recovery code is accepted, too. */
  readonly takesRecovery?: boolean;
  readonly submitLabel: string;
  readonly tone?: 'primary' | 'error';
  readonly onCode: (otp: string) => Promise<unknown>;
  readonly onCancel: () => void;
};

export function CodeForm({
  takesRecovery = false,
  submitLabel,
  tone = 'primary',
  onCode,
  onCancel,
}: CodeFormProps) {
  const { t } = useTranslation('signin');
  const [otp, setOtp] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onCode(otp.trim());
    } catch (thrown) {
      setError(asError(thrown).message);
      setOtp('');
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && otp.trim() !== '') void send();
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit}
      aria-label={submitLabel}
      sx={{ display: 'grid', gap: 1, maxWidth: 360 }}
    >
      <FormError sentence={error} />
      <TextBox
        name="otp"
        label={t('signin.otp')}
        help={t(takesRecovery ? 'signin.otp_help' : 'signin.otp_help_app')}
        value={otp}
        onChange={setOtp}
        autoComplete="one-time-code"
        {...(!takesRecovery && { inputMode: 'numeric' as const })}
        required
        autoFocus
      />
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button type="submit" variant="contained" color={tone} loading={isBusy}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel} disabled={isBusy}>
          {t('ui.cancel')}
        </Button>
      </Box>
    </Box>
  );
}
