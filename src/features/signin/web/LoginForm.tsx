// Account and password, then the second factor. Without the form library: this is the first page most people load, and it has two fields.
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { Suspense, useRef, useState, type FormEvent } from 'react';
import { Link as RouterLink } from 'react-router';
import { signinPaths } from '#features/signin/contract.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { fetched } from '#platform/web/fetched.ts';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { Refusal } from '#platform/web/form/Refusal.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { signinApi } from './api.ts';
import { rememberMethod } from './last-method.ts';
import { LastUsed } from './LastUsed.tsx';
import { useSigninTexts } from './texts.ts';

/** Few need it, and not before the password was right. */
const SecondStep = fetched(() => import('./SecondStep.tsx').then((module) => module.SecondStep)).Component;

type Values = { readonly account: string; readonly password: string; readonly otp: string };
type State = { readonly isBusy: boolean; readonly asksOtp: boolean; readonly refusal?: string | undefined };
/** A field's problem once it has been left or sent empty. */
const emptyProblem = (value: string, isTouched: boolean): string | undefined => (isTouched && value.trim() === '' ? 'signin.required' : undefined);

export type LoginFormProps = {
  /** Whether the server can mail reset links. */
  readonly canReset: boolean;
  /** Told whether the second step is shown: then other ways in are out of place. */
  readonly onStep: (isSecond: boolean) => void;
};

export function LoginForm({ canReset, onStep }: LoginFormProps) {
  const t = useSigninTexts();
  const [values, setValues] = useState<Values>({ account: '', password: '', otp: '' });
  const [touched, setTouched] = useState<ReadonlySet<keyof Values>>(new Set());
  const [state, setState] = useState<State>({ isBusy: false, asksOtp: false });
  const account = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const bind = (name: keyof Values) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    onBlur: () => setTouched((now) => (values[name] === '' ? now : new Set([...now, name]))),
  });
  const show = (asksOtp: boolean, refusal?: string) => {
    setState({ isBusy: false, asksOtp, refusal });
    onStep(asksOtp);
  };
  const send = async () => {
    setState((now) => ({ ...now, isBusy: true, refusal: undefined }));
    try {
      const otp = values.otp.trim();
      signIn(await signinApi.login({ account: values.account.trim(), password: values.password, ...(otp !== '' && { otp }) }));
      rememberMethod('password');
      toast.success(t('auth.login_success'));
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      // Being asked for the second step is no failure.
      if (code === 'login.otp_required') return show(true);
      if (code === 'login.otp_wrong') setValues((now) => ({ ...now, otp: '' }));
      show(state.asksOtp && code !== 'login.incorrect', error instanceof Error && error.message !== '' ? error.message : t('login.incorrect'));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    setTouched(new Set(['account', 'password']));
    const empty = values.account.trim() === '' ? account : values.password === '' ? password : undefined;
    if (empty) empty.current?.focus();
    else if (!state.asksOtp || values.otp.trim() !== '') void send();
  };
  const back = () => {
    setValues((now) => ({ ...now, otp: '' }));
    show(false);
  };
  return (
    <Stack component="form" noValidate aria-label={t('signin.login_title')} onSubmit={submit} sx={{ gap: 1.5 }}>
      <Refusal sentence={state.refusal} />
      {state.asksOtp
        ? <Suspense fallback={<Spinner />}><SecondStep otp={bind('otp')} isBusy={state.isBusy} onBack={back} /></Suspense>
        : (
          <>
            <TextBox {...bind('account')} inputRef={account} label={t('signin.account')} type="email" autoComplete="username" required autoFocus problem={emptyProblem(values.account, touched.has('account'))} />
            <PasswordBox {...bind('password')} inputRef={password} label={t('signin.password')} autoComplete="current-password" required problem={emptyProblem(values.password, touched.has('password'))} />
            {canReset && <Link component={RouterLink} to={signinPaths.passwordReset} variant="body2" sx={{ alignSelf: 'flex-end', marginTop: -1 }}>{t('signin.forgot')}</Link>}
            <LastUsed method="password"><Button type="submit" variant="contained" size="large" fullWidth loading={state.isBusy}>{t('signin.login')}</Button></LastUsed>
          </>
        )}
    </Stack>
  );
}
