// Registration of a person together with a new organization (R-AUTH-01).
import Divider from '@mui/material/Divider';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { Link as RouterLink, Navigate } from 'react-router';
import * as z from 'zod/mini';
import { signinPaths } from '#features/signin/contract.ts';
import { minimumPasswordLength } from '#features/identity/rules.ts';
import { email, optionalText, text } from '#kernel/shape.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { signIn } from '#platform/web/session.ts';
import { toast } from '#platform/web/toasts.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { signinApi } from './api.ts';
import { newPasswordPair } from '#features/identity/web/parts.ts';
import { useSigninTexts } from './texts.ts';

const schema = newPasswordPair({
  email: z.string().check(z.trim(), z.minLength(1, 'signin.email_required'), z.regex(z.regexes.email, 'signin.email_invalid')),
  name: text(120),
  organization: text(160),
  phone: optionalText(40),
  agreeToTerms: z.boolean().check(z.refine((isAgreed) => isAgreed, 'signin.agree_required')),
}, { short: 'signin.password_too_short', required: 'signin.confirm_required', differ: 'signin.passwords_differ' });

export type RegisterScreenProps = { readonly destinationOf: (role: string) => string; readonly google?: ReactNode; readonly provider?: ReactNode };

export function RegisterScreen({ destinationOf, google, provider }: RegisterScreenProps) {
  const t = useSigninTexts();
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const form = useZodForm(schema, { email: '', name: '', organization: '', phone: '', agreeToTerms: false, password: '', confirm: '' });
  if (user) return <Navigate to={destinationOf(user.role)} replace />;

  const submit = async (values: z.output<typeof schema>) => {
    const { name, organization, phone, password } = values;
    const address = z.parse(email, values.email);
    await signinApi.register({ email: address, name, organization, password, agreeToTerms: true, ...(phone !== '' && { phone }) });
    signIn(await signinApi.login({ account: address, password }));
    toast.success(t('signin.registered'));
  };
  return (
    <FormCard
      title={t('signin.register_title')}
      lead={t('signin.register_lead')}
      footer={<>{t('signin.have_account')} <Link component={RouterLink} to={signinPaths.login}>{t('signin.to_login')}</Link></>}
    >
      <Form form={form} onSubmit={submit} label={t('signin.register_title')}>
        <TextField form={form} name="email" label={t('signin.email')} help={t('signin.email_help')} type="email" autoComplete="username" required autoFocus />
        <TextField form={form} name="name" label={t('signin.name')} autoComplete="name" required />
        <TextField form={form} name="organization" label={t('signin.organization')} autoComplete="organization" required />
        <TextField form={form} name="phone" label={t('signin.phone')} type="tel" autoComplete="tel" inputMode="tel" />
        <PasswordField form={form} name="password" label={t('signin.password')} help={t('signin.password_help', { minimum: minimumPasswordLength })} autoComplete="new-password" required measured />
        <PasswordField form={form} name="confirm" label={t('signin.confirm_password')} autoComplete="new-password" required />
        <CheckField form={form} name="agreeToTerms" label={t('signin.agree')} />
        <SubmitButton form={form} fullWidth>{t('signin.register')}</SubmitButton>
      </Form>
      {(google || provider) && <Stack sx={{ gap: 1.5, marginTop: 2 }}><Divider>{t('signin.or')}</Divider>{google}{provider}</Stack>}
    </FormCard>
  );
}
