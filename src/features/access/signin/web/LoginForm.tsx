// Account and password, then the second factor. For most users, this is the first page they load, so it must
// stay small.
import Link from '@mui/material/Link';
import { Suspense, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { signinPaths } from '../contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { signinApi } from './api.ts';
import { rememberMethod } from './last-method.ts';
import { LastUsed } from './LastUsed.tsx';
import { loginFields, type LoginFields } from './login-fields.ts';

/** Loaded on demand: few users have a second step, and only after the password. */
const SecondStep = lazyComponent(() =>
  import('./SecondStep.tsx').then((module) => module.SecondStep),
).Component;

export type LoginFormProps = {
  /** Whether the server can mail reset links. */
  readonly canReset: boolean;
  /** Called when the second step is entered or left: during it, other sign-in methods are hidden. */
  readonly onStep: (isSecond: boolean) => void;
};

export function LoginForm({ canReset, onStep }: LoginFormProps) {
  const { t } = useTranslation('signin');
  // Not validated on blur: users leave an empty field to copy from their password manager.
  const form = useZodForm(loginFields, { account: '', password: '', otp: '' }, 'onChange');
  const [asksOtp, setAsksOtp] = useState(false);

  const show = (isSecond: boolean) => {
    setAsksOtp(isSecond);
    onStep(isSecond);
  };
  const submit = async ({ account, password, otp }: LoginFields) => {
    if (asksOtp && otp === '') return;
    try {
      signIn(await signinApi.login({ account, password, ...(otp !== '' && { otp }) }));
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      // The second step is not shown as an error.
      if (code === 'login.otp_required') return show(true);
      if (code === 'login.otp_wrong') form.setValue('otp', '');
      show(asksOtp && code !== 'login.incorrect');
      throw error instanceof Error && error.message !== '' ? error : new Error(t('login.incorrect'));
    }
    rememberMethod('password');
    toast.success(t('auth.login_success'));
  };
  const back = () => {
    form.setValue('otp', '');
    form.clearErrors('root');
    show(false);
  };
  return (
    <Form form={form} onSubmit={submit} label={t('signin.login_title')} hasSummary={false}>
      {asksOtp ? (
        <Suspense fallback={<Spinner />}>
          <SecondStep form={form} onBack={back} />
        </Suspense>
      ) : (
        <>
          <TextField
            form={form}
            name="account"
            label={t('signin.account')}
            type="email"
            autoComplete="username"
            required
            autoFocus
          />
          <PasswordField
            form={form}
            name="password"
            label={t('signin.password')}
            autoComplete="current-password"
            required
          />
          {canReset && (
            <Link
              component={RouterLink}
              to={signinPaths.passwordReset}
              variant="body2"
              sx={{ alignSelf: 'flex-end', marginTop: -1 }}
            >
              {t('signin.forgot')}
            </Link>
          )}
          <LastUsed method="password">
            <SubmitButton form={form} fullWidth>
              {t('signin.login')}
            </SubmitButton>
          </LastUsed>
        </>
      )}
    </Form>
  );
}
