// A forgotten password: requests a link by mail, or sets a new password with one (R-AUTH-19).
import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useMemo, useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { signinPaths } from '../contract.ts';
import { newPasswordPair } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signOut } from '#platform/web/session/session.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { signinApi } from './api.ts';
import { emailField } from './email-field.ts';
import { NewPasswordFields, newPasswordSentences } from './NewPasswordFields.tsx';
import { useLinkToken } from '#platform/web/routing/use-link-token.ts';
import { useShortestPassword } from './use-password-rules.ts';

const askSchema = z.strictObject({ account: emailField });

/** `canReset`: whether the server can mail links; undefined until that is loaded. */
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
  const form = useZodForm(askSchema, { account: '' });
  const [sentTo, setSentTo] = useState<string>();
  const submit = async ({ account }: z.output<typeof askSchema>) => {
    await signinApi.askReset({ account });
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
      <Form form={form} onSubmit={submit} label={t('signin.reset_title')}>
        <TextField
          form={form}
          name="account"
          label={t('signin.account')}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <SubmitButton form={form} fullWidth>
          {t('signin.reset_ask')}
        </SubmitButton>
      </Form>
    </FormCard>
  );
}

function Choose({ token }: { token: string }) {
  const { t } = useTranslation('signin');
  const navigate = useNavigate();
  const minimum = useShortestPassword();
  const schema = useMemo(() => newPasswordPair({}, newPasswordSentences, minimum), [minimum]);
  const form = useZodForm(schema, { password: '', confirm: '' });
  const submit = async ({ password }: z.output<typeof schema>) => {
    await signinApi.resetPassword({ token, password });
    // A user who was signed in here is signed out, because a reset ends every session of the account.
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
      <Form form={form} onSubmit={submit} label={t('signin.choose_title')}>
        <NewPasswordFields
          form={form}
          password="password"
          confirm="confirm"
          label={t('signin.new_password')}
          minimum={minimum}
        />
        <SubmitButton form={form} fullWidth>
          {t('signin.choose')}
        </SubmitButton>
      </Form>
    </FormCard>
  );
}
