// Sign-in with account and password, and the one-time code when the account asks for it (R-SHELL-02, R-AUTH-02).
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Navigate, Link as RouterLink, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { identityPaths } from '#features/identity/contract.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { brandTitle, useBrand } from '#platform/web/brand.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { identityApi } from './api.ts';
import { useIdentityTexts } from './texts.ts';

const required = z.string().check(z.trim(), z.minLength(1, 'identity.required'), z.maxLength(254));
const schema = z.strictObject({ account: required, password: z.string().check(z.minLength(1, 'identity.required'), z.maxLength(1024)), otp: z.string() });

export type LoginScreenProps = {
  /** Where a role goes after signing in, given the path it came from. */
  readonly destinationOf: (role: string, returnTo: string | null) => string;
};

export function LoginScreen({ destinationOf }: LoginScreenProps) {
  const t = useIdentityTexts();
  const system = useBrand(brandTitle);
  const [params] = useSearchParams();
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const [asksOtp, setAsksOtp] = useState(false);
  const form = useZodForm(schema, { account: '', password: '', otp: '' });
  if (user) return <Navigate to={destinationOf(user.role, params.get('returnTo'))} replace />;

  const submit = async ({ account, password, otp }: z.output<typeof schema>) => {
    try {
      signIn(await identityApi.login({ account, password, ...(otp.trim() !== '' && { otp: otp.trim() }) }));
      toast.success(t('auth.login_success'));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'login.otp_required') setAsksOtp(true);
      throw error;
    }
  };
  return (
    <FormCard
      title={t('identity.login_title')}
      lead={t('identity.login_lead', { system })}
      footer={<>{t('identity.no_account')} <Link component={RouterLink} to={identityPaths.register}>{t('identity.to_register')}</Link></>}
    >
      <Form form={form} onSubmit={submit} label={t('identity.login_title')}>
        <TextField form={form} name="account" label={t('identity.account')} type="email" autoComplete="username" required autoFocus />
        <PasswordField form={form} name="password" label={t('identity.password')} autoComplete="current-password" required />
        {asksOtp && <TextField form={form} name="otp" label={t('identity.otp')} help={t('identity.otp_help')} autoComplete="one-time-code" inputMode="numeric" autoFocus />}
        <SubmitButton form={form} fullWidth>{t('identity.login')}</SubmitButton>
      </Form>
    </FormCard>
  );
}
