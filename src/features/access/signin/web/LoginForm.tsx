// Account and password, then the second factor. The first page most people load.
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { Suspense, useState, type FormEvent } from 'react';
import { Link as RouterLink } from 'react-router';
import { signinPaths } from '../contract-paths.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { fetched } from '#platform/web/fetched.ts';
import { filled } from '#platform/web/form/checks.ts';
import { FormFrame } from '#platform/web/form/FormFrame.tsx';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { usePlainForm, type PlainField } from '#platform/web/form/use-plain-form.ts';
import { useTranslation } from '#platform/web/i18n.ts';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { rememberMethod } from './last-method.ts';
import { LastUsed } from './LastUsed.tsx';
import { logIn } from './open-calls.ts';

/** Few need it, and not before the password was right. */
const SecondStep = fetched(() => import('./SecondStep.tsx').then((module) => module.SecondStep)).Component;

const required = filled('signin.required');
const fields = [
  ['account', (value, valueOf) => required(value.trim(), valueOf)],
  ['password', required],
  ['otp'],
] as const satisfies readonly PlainField<'account' | 'password' | 'otp'>[];

export type LoginFormProps = {
  /** Whether the server can mail reset links. */
  readonly canReset: boolean;
  /** Told whether the second step is shown: then other ways in are out of place. */
  readonly onStep: (isSecond: boolean) => void;
};

export function LoginForm({ canReset, onStep }: LoginFormProps) {
  const { t } = useTranslation('signin');
  const form = usePlainForm(fields, { mayLeaveEmpty: true });
  const [asksOtp, setAsksOtp] = useState(false);

  const show = (isSecond: boolean) => {
    setAsksOtp(isSecond);
    onStep(isSecond);
  };
  const send = async () => {
    const otp = form.valueOf('otp').trim();
    try {
      signIn(
        await logIn({
          account: form.valueOf('account').trim(),
          password: form.valueOf('password'),
          ...(otp !== '' && { otp }),
        }),
      );
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      // Being asked for the second step is no failure.
      if (code === 'login.otp_required') return show(true);
      if (code === 'login.otp_wrong') form.setValue('otp', '');
      show(asksOtp && code !== 'login.incorrect');
      throw error instanceof Error && error.message !== '' ? error : new Error(t('login.incorrect'));
    }
    rememberMethod('password');
    toast.success(t('auth.login_success'));
  };
  const submit = (event: FormEvent) => {
    if (asksOtp && form.valueOf('otp').trim() === '') event.preventDefault();
    else form.submit(event, send);
  };
  const back = () => {
    form.setValue('otp', '');
    form.dismiss();
    show(false);
  };
  return (
    <FormFrame label={t('signin.login_title')} refusal={form.refusal} onSubmit={submit}>
      {asksOtp ? (
        <Suspense fallback={<Spinner />}>
          <SecondStep otp={form.bind('otp')} isBusy={form.isBusy} onBack={back} />
        </Suspense>
      ) : (
        <>
          <TextBox
            {...form.bind('account')}
            label={t('signin.account')}
            type="email"
            autoComplete="username"
            required
            autoFocus
          />
          <PasswordBox
            {...form.bind('password')}
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
            <Button type="submit" variant="contained" size="large" fullWidth loading={form.isBusy}>
              {t('signin.login')}
            </Button>
          </LastUsed>
        </>
      )}
    </FormFrame>
  );
}
