// Registration of a user together with a new organization (R-AUTH-01).
import Link from '@mui/material/Link';
import { useMemo, useState, type ReactNode } from 'react';
import { Link as RouterLink, Navigate } from 'react-router';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { signinPaths } from '../contract.ts';
import { newPasswordPair } from '#features/access/identity/web/parts.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useAuthStore, type SessionUser } from '#platform/web/session/auth-store.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { signinApi } from './api.ts';
import { emailField } from './email-field.ts';
import { NewPasswordFields, newPasswordSentences } from './NewPasswordFields.tsx';
import { OtherWays } from './OtherWays.tsx';
import { useShortestPassword } from './use-password-rules.ts';

const fields = {
  email: emailField,
  name: text(120),
  organization: text(160),
  phone: optionalText(40),
  agreeToTerms: z.boolean().check(z.refine((isTicked) => isTicked, 'signin.agree_required')),
};
const empty = {
  email: '',
  name: '',
  organization: '',
  phone: '',
  agreeToTerms: false,
  password: '',
  confirm: '',
};

export type RegisterScreenProps = {
  readonly destinationOf: (user: SessionUser) => string;
  /** Whether the e-mail must be confirmed through a mailed link before the first sign-in. */
  readonly mustConfirm: boolean;
  /** Buttons of other sign-in methods. */
  readonly google?: ReactNode;
  readonly provider?: ReactNode;
};

export function RegisterScreen({ destinationOf, mustConfirm, google, provider }: RegisterScreenProps) {
  const { t } = useTranslation('signin');
  const minimum = useShortestPassword();
  const schema = useMemo(() => newPasswordPair(fields, newPasswordSentences, minimum), [minimum]);
  const form = useZodForm(schema, empty);
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const [sentTo, setSentTo] = useState<string>();
  if (user) return <Navigate to={destinationOf(user)} replace />;
  if (sentTo !== undefined) return <Sent to={sentTo} mustConfirm={mustConfirm} />;

  const submit = async ({ email, name, organization, phone, password }: z.output<typeof schema>) => {
    const account = email.toLowerCase();
    await signinApi.register({
      email: account,
      name,
      organization,
      password,
      agreeToTerms: true,
      ...(phone !== '' && { phone }),
    });
    if (mustConfirm) return setSentTo(account);
    try {
      signIn(await signinApi.login({ account, password }));
      toast.success(t('signin.registered'));
    } catch (error) {
      // A 401 means that the account exists or existed. The page shows the same as for a new account, so that
      // it does not reveal which accounts exist.
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      setSentTo(account);
    }
  };
  return (
    <FormCard
      title={t('signin.register_title')}
      lead={t('signin.register_lead')}
      footer={
        <>
          {t('signin.have_account')}{' '}
          <Link component={RouterLink} to={signinPaths.login}>
            {t('signin.to_login')}
          </Link>
        </>
      }
    >
      <Form form={form} onSubmit={submit} label={t('signin.register_title')}>
        <TextField
          form={form}
          name="email"
          label={t('signin.email')}
          help={t('signin.email_help')}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField form={form} name="name" label={t('signin.name')} autoComplete="name" required />
        <TextField
          form={form}
          name="organization"
          label={t('signin.organization')}
          autoComplete="organization"
          required
        />
        <TextField
          form={form}
          name="phone"
          label={t('signin.phone')}
          type="tel"
          autoComplete="tel"
          inputMode="tel"
        />
        <NewPasswordFields
          form={form}
          password="password"
          confirm="confirm"
          label={t('signin.password')}
          minimum={minimum}
        />
        <CheckField form={form} name="agreeToTerms" label={t('signin.agree')} />
        <SubmitButton form={form} fullWidth>
          {t('signin.register')}
        </SubmitButton>
      </Form>
      <OtherWays google={google} provider={provider} />
    </FormCard>
  );
}

function Sent({ to, mustConfirm }: { to: string; mustConfirm: boolean }) {
  const { t } = useTranslation('signin');
  return (
    <FormCard
      title={t(mustConfirm ? 'signin.check_mail' : 'signin.registration_taken')}
      footer={
        <Link component={RouterLink} to={signinPaths.login}>
          {t('signin.to_login')}
        </Link>
      }
    >
      <p role="status">
        {t(mustConfirm ? 'signin.check_mail_text' : 'signin.registration_taken_text', { account: to })}
      </p>
    </FormCard>
  );
}
