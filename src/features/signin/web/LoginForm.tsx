// Account and password. Without the form library: this is the first page most people load, and it has two fields.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '#platform/web/api-error.ts';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { Refusal } from '#platform/web/form/Refusal.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { signinApi } from './api.ts';
import { useSigninTexts } from './texts.ts';

type Values = { readonly account: string; readonly password: string; readonly otp: string };
/** A field's problem once it has been left or sent empty. */
const emptyProblem = (value: string, isTouched: boolean): string | undefined => (isTouched && value.trim() === '' ? 'signin.required' : undefined);

export function LoginForm() {
  const t = useSigninTexts();
  const [values, setValues] = useState<Values>({ account: '', password: '', otp: '' });
  const [touched, setTouched] = useState<ReadonlySet<keyof Values>>(new Set());
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly asksOtp: boolean; readonly refusal?: string | undefined }>({ isBusy: false, asksOtp: false });
  const account = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const bind = (name: keyof Values) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    onBlur: () => setTouched((now) => (values[name] === '' ? now : new Set([...now, name]))),
  });
  const send = async () => {
    setState((now) => ({ ...now, isBusy: true, refusal: undefined }));
    try {
      const otp = values.otp.trim();
      signIn(await signinApi.login({ account: values.account.trim(), password: values.password, ...(otp !== '' && { otp }) }));
      toast.success(t('auth.login_success'));
    } catch (error) {
      const asksOtp = error instanceof ApiError && error.code === 'login.otp_required';
      const refusal = error instanceof Error && error.message !== '' ? error.message : t('login.incorrect');
      setState((now) => ({ isBusy: false, asksOtp: now.asksOtp || asksOtp, refusal }));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    setTouched(new Set(['account', 'password']));
    const empty = values.account.trim() === '' ? account : values.password === '' ? password : undefined;
    if (empty) empty.current?.focus();
    else void send();
  };
  return (
    <Stack component="form" noValidate aria-label={t('signin.login_title')} onSubmit={submit} sx={{ gap: 1.5 }}>
      <Refusal sentence={state.refusal} />
      <TextBox {...bind('account')} inputRef={account} label={t('signin.account')} type="email" autoComplete="username" required autoFocus problem={emptyProblem(values.account, touched.has('account'))} />
      <PasswordBox {...bind('password')} inputRef={password} label={t('signin.password')} autoComplete="current-password" required problem={emptyProblem(values.password, touched.has('password'))} />
      {state.asksOtp && <TextBox {...bind('otp')} label={t('signin.otp')} help={t('signin.otp_help')} autoComplete="one-time-code" inputMode="numeric" autoFocus />}
      <Button type="submit" variant="contained" size="large" fullWidth loading={state.isBusy}>{t('signin.login')}</Button>
    </Stack>
  );
}
