// A forgotten password: asks for a link by mail, or chooses a new password with one (R-AUTH-19).
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { signinPaths } from '../contract-paths.ts';
import { useTranslation } from '#platform/web/i18n.ts';
import { signOut } from '#platform/web/session.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { emailAddress } from '#platform/web/form/checks.ts';
import { FormFrame } from '#platform/web/form/FormFrame.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { usePlainForm } from '#platform/web/form/use-plain-form.ts';
import { toast } from '#platform/web/toasts.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { newPasswordFields, NewPasswordFields } from './NewPasswordFields.tsx';
import { askReset, resetPassword } from './open-calls.ts';
import { useLinkToken } from '#platform/web/use-link-token.ts';
import { useShortestPassword } from './use-password-rules.ts';

const askFields = [
  ['account', emailAddress({ required: 'signin.email_required', invalid: 'signin.email_invalid' })],
] as const;

/** `canReset`: whether the server can mail links; undefined while that is not known. */
export function PasswordResetScreen({ canReset }: { canReset: boolean | undefined }) {
  const token = useLinkToken();
  return token === undefined ? <Ask canReset={canReset} /> : <Choose key={token} token={token} />;
}

const ToLogin = () => {
  const { t } = useTranslation('signin');
  return (
    <Link component={RouterLink} to={signinPaths.login}>
      {t('signin.to_login')}
    </Link>
  );
};

function Ask({ canReset }: { canReset: boolean | undefined }) {
  const { t } = useTranslation('signin');
  const form = usePlainForm(askFields, { summary: t('form.check') });
  const [sentTo, setSentTo] = useState<string>();
  const send = async () => {
    const account = form.valueOf('account').trim();
    await askReset({ account });
    setSentTo(account);
  };
  if (canReset === false)
    return (
      <FormCard title={t('signin.reset_title')} footer={<ToLogin />}>
        <Alert severity="info">
          {t('signin.reset_no_mail')}
          <ContactLine />
        </Alert>
      </FormCard>
    );
  if (sentTo !== undefined)
    return (
      <FormCard title={t('signin.check_mail')} footer={<ToLogin />}>
        <p role="status">{t('signin.reset_sent', { account: sentTo })}</p>
      </FormCard>
    );
  return (
    <FormCard title={t('signin.reset_title')} lead={t('signin.reset_lead')} footer={<ToLogin />}>
      <FormFrame
        label={t('signin.reset_title')}
        refusal={form.refusal}
        onSubmit={(event) => form.submit(event, send)}
      >
        <TextBox
          {...form.bind('account')}
          label={t('signin.account')}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <Button type="submit" variant="contained" size="large" fullWidth loading={form.isBusy}>
          {t('signin.reset_ask')}
        </Button>
      </FormFrame>
    </FormCard>
  );
}

function Choose({ token }: { token: string }) {
  const { t } = useTranslation('signin');
  const navigate = useNavigate();
  const minimum = useShortestPassword();
  const form = usePlainForm(newPasswordFields(minimum), { summary: t('form.check') });
  const send = async () => {
    await resetPassword({ token, password: form.valueOf('password') });
    // Whoever was signed in here is no longer: every session of the account has ended.
    if (useAuthStore.getState().isAuthenticated) signOut();
    toast.success(t('signin.reset_done'));
    await navigate(signinPaths.login);
  };
  return (
    <FormCard
      title={t('signin.choose_title')}
      lead={t('signin.choose_lead')}
      footer={
        <Link component={RouterLink} to={signinPaths.passwordReset}>
          {t('signin.reset_again')}
        </Link>
      }
    >
      <FormFrame
        label={t('signin.choose_title')}
        refusal={form.refusal}
        onSubmit={(event) => form.submit(event, send)}
      >
        <NewPasswordFields form={form} label={t('signin.new_password')} minimum={minimum} />
        <Button type="submit" variant="contained" size="large" fullWidth loading={form.isBusy}>
          {t('signin.choose')}
        </Button>
      </FormFrame>
    </FormCard>
  );
}
