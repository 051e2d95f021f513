// Asks the user to authenticate again before a critical action; the waiting call then continues by itself.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type FormEvent } from 'react';
import { asError } from '#kernel/errors.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useProof } from '#platform/web/api/proof.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { signinApi } from './api.ts';

export function ProofDialog() {
  const answer = useProof((proof) => proof.answer);
  return answer && <Question answer={answer} />;
}

function Question({ answer }: { answer: (isProved: boolean) => void }) {
  const { t } = useTranslation('signin');
  const formId = useId();
  const account = useAuthStore((auth) => auth.user?.account);
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [state, setState] = useState<{
    readonly isBusy: boolean;
    readonly asksOtp: boolean;
    readonly problem?: string;
  }>({ isBusy: false, asksOtp: false });
  const send = async () => {
    setState(({ asksOtp }) => ({ isBusy: true, asksOtp }));
    try {
      await signinApi.reauthenticate({ password, ...(otp.trim() !== '' && { otp: otp.trim() }) });
      answer(true);
    } catch (error) {
      const needsCode = error instanceof ApiError && error.code === 'signin.otp_required';
      setState(({ asksOtp }) => ({
        isBusy: false,
        asksOtp: asksOtp || needsCode,
        problem: asError(error).message,
      }));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.isBusy && password !== '') void send();
  };
  return (
    <Modal
      open
      width="xs"
      title={t('signin.proof_title')}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{t('ui.cancel')}</Button>
          <Button type="submit" form={formId} variant="contained" loading={state.isBusy}>
            {t('signin.proof_confirm')}
          </Button>
        </>
      }
    >
      <Stack component="form" id={formId} noValidate onSubmit={submit} sx={{ gap: 1.5 }}>
        <Typography>{t('signin.proof_lead')}</Typography>
        {state.problem !== undefined && (
          <Alert severity={state.asksOtp && otp === '' ? 'info' : 'error'} role="alert">
            {state.problem}
          </Alert>
        )}
        {/* Tells password managers whose password is needed. */}
        <input type="text" name="username" autoComplete="username" value={account ?? ''} readOnly hidden />
        <PasswordBox
          name="password"
          value={password}
          onChange={setPassword}
          label={t('signin.password')}
          autoComplete="current-password"
          required
          autoFocus
        />
        {state.asksOtp && (
          <TextBox
            name="otp"
            value={otp}
            onChange={setOtp}
            label={t('signin.otp')}
            help={t('signin.otp_help')}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
          />
        )}
      </Stack>
    </Modal>
  );
}
