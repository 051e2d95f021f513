// Asks the owner of an account for proof before an external account is linked to it.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState, type FormEvent } from 'react';
import { asError } from '#kernel/errors.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { FormError } from '#platform/web/form/FormError.tsx';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export type LinkPanelProps = {
  readonly lead: string;
  readonly confirmLabel?: string;
  /** Links the account; throws the server's error. */
  readonly onProve: (proof: { password: string; otp?: string }) => Promise<void>;
  readonly onCancel: () => void;
};

export function LinkPanel({ lead, confirmLabel, onProve, onCancel }: LinkPanelProps) {
  const { t } = useTranslation('federation');
  const [values, setValues] = useState({ password: '', otp: '' });
  const [state, setState] = useState<{ isBusy: boolean; asksOtp: boolean; error?: string }>({
    isBusy: false,
    asksOtp: false,
  });
  const required = useRequired(values.password !== '');
  const send = async () => {
    setState(({ asksOtp }) => ({ isBusy: true, asksOtp }));
    try {
      const otp = values.otp.trim();
      await onProve({ password: values.password, ...(otp !== '' && { otp }) });
    } catch (error) {
      const asksOtp = error instanceof ApiError && error.code === 'signin.otp_required';
      setState((now) => ({
        isBusy: false,
        asksOtp: now.asksOtp || asksOtp,
        error: asError(error).message,
      }));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The panel may be inside another form, which must not be submitted.
    event.stopPropagation();
    if (!state.isBusy && required.check()) void send();
  };
  return (
    <Stack
      component="form"
      noValidate
      aria-label={t('federation.link_title')}
      onSubmit={submit}
      sx={{ gap: 1.5, paddingBottom: 1 }}
    >
      <Alert severity="info">{lead}</Alert>
      <FormError sentence={state.error} />
      <PasswordBox
        name="password"
        value={values.password}
        problem={required.problem}
        inputRef={required.input}
        onChange={(password) => setValues((now) => ({ ...now, password }))}
        label={t('federation.link_password')}
        autoComplete="current-password"
        required
        autoFocus
      />
      {state.asksOtp && (
        <TextBox
          name="otp"
          value={values.otp}
          onChange={(otp) => setValues((now) => ({ ...now, otp }))}
          label={t('federation.link_otp')}
          autoComplete="one-time-code"
        />
      )}
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={onCancel} disabled={state.isBusy}>
          {t('federation.link_cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={state.isBusy}>
          {confirmLabel ?? t('federation.link_confirm')}
        </Button>
      </Stack>
    </Stack>
  );
}
