// Registration of a person together with a new organization (R-AUTH-01).
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink, Navigate } from 'react-router';
import { signinPaths } from '../contract-paths.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { emailAddress, filled, optionalTextUpTo, textUpTo } from '#platform/web/form/checks.ts';
import { FormFrame } from '#platform/web/form/FormFrame.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { TickBox } from '#platform/web/form/TickBox.tsx';
import { usePlainForm } from '#platform/web/form/use-plain-form.ts';
import { useTranslation } from '#platform/web/i18n.ts';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { newPasswordFields, NewPasswordFields } from './NewPasswordFields.tsx';
import { logIn, register } from './open-calls.ts';
import { OtherWays } from './OtherWays.tsx';
import { useShortestPassword } from './use-password-rules.ts';

const fields = [
  ['email', emailAddress({ required: 'signin.email_required', invalid: 'signin.email_invalid' })],
  ['name', textUpTo(120)],
  ['organization', textUpTo(160)],
  ['phone', optionalTextUpTo(40)],
  ['agreeToTerms', filled('signin.agree_required')],
] as const;

export type RegisterScreenProps = {
  readonly destinationOf: (role: string) => string;
  /** Whether the e-mail has to be confirmed by a mailed link before the first sign-in. */
  readonly mustConfirm: boolean;
  /** Buttons of other ways in. */
  readonly google?: ReactNode;
  readonly provider?: ReactNode;
};

export function RegisterScreen({ destinationOf, mustConfirm, google, provider }: RegisterScreenProps) {
  const { t } = useTranslation('signin');
  const minimum = useShortestPassword();
  const form = usePlainForm([...fields, ...newPasswordFields(minimum)], { summary: t('form.check') });
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const [sentTo, setSentTo] = useState<string>();
  if (user) return <Navigate to={destinationOf(user.role)} replace />;
  if (sentTo !== undefined) return <Sent to={sentTo} mustConfirm={mustConfirm} />;

  const send = async () => {
    const typed = (name: Parameters<typeof form.valueOf>[0]) => form.valueOf(name).trim();
    const [address, phone, password] = [
      typed('email').toLowerCase(),
      typed('phone'),
      form.valueOf('password'),
    ];
    await register({
      email: address,
      name: typed('name'),
      organization: typed('organization'),
      password,
      agreeToTerms: true,
      ...(phone !== '' && { phone }),
    });
    if (mustConfirm) return setSentTo(address);
    try {
      signIn(await logIn({ account: address, password }));
      toast.success(t('signin.registered'));
    } catch (error) {
      // The account exists, or somebody had it before: the answer does not tell, so neither does the page.
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      setSentTo(address);
    }
  };
  const agree = form.bind('agreeToTerms');
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
      <FormFrame
        label={t('signin.register_title')}
        refusal={form.refusal}
        onSubmit={(event) => form.submit(event, send)}
      >
        <TextBox
          {...form.bind('email')}
          label={t('signin.email')}
          help={t('signin.email_help')}
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextBox {...form.bind('name')} label={t('signin.name')} autoComplete="name" required />
        <TextBox
          {...form.bind('organization')}
          label={t('signin.organization')}
          autoComplete="organization"
          required
        />
        <TextBox
          {...form.bind('phone')}
          label={t('signin.phone')}
          type="tel"
          autoComplete="tel"
          inputMode="tel"
        />
        <NewPasswordFields form={form} label={t('signin.password')} minimum={minimum} />
        <TickBox
          {...agree}
          isOn={agree.value !== ''}
          onChange={(isOn) => agree.onChange(isOn ? 'yes' : '')}
          label={t('signin.agree')}
        />
        <Button type="submit" variant="contained" size="large" fullWidth loading={form.isBusy}>
          {t('signin.register')}
        </Button>
      </FormFrame>
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
