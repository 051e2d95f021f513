// Changing the own password; all other sessions end.
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { minimumPasswordLength } from '#features/identity/rules.ts';
import { identityKey } from '#features/identity/web/index.ts';
import { newPasswordPair } from '#features/identity/web/parts.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { signinApi } from './api.ts';
import { useSigninTexts } from './texts.ts';

const schema = newPasswordPair({ current: z.string().check(z.minLength(1)) }, { short: 'signin.password_too_short', required: 'signin.confirm_required', differ: 'signin.passwords_differ' });

export function PasswordChange() {
  const t = useSigninTexts();
  const form = useZodForm(schema, { current: '', password: '', confirm: '' });
  const change = useCall(signinApi.changePassword, { invalidates: [identityKey('sessions')] });
  const submit = async ({ current, password }: z.output<typeof schema>) => {
    await change.mutateAsync({ current, next: password });
    form.reset();
    toast.success(t('signin.password_changed'));
  };
  return (
    <Form form={form} onSubmit={submit}>
      <Box sx={{ display: 'grid', gap: 1, maxWidth: 440 }}>
        <PasswordField form={form} name="current" label={t('signin.current_password')} autoComplete="current-password" required />
        <PasswordField form={form} name="password" label={t('signin.new_password')} help={t('signin.password_help', { minimum: minimumPasswordLength })} autoComplete="new-password" required measured />
        <PasswordField form={form} name="confirm" label={t('signin.confirm_password')} autoComplete="new-password" required />
        <Box><SubmitButton form={form} size="medium">{t('signin.change_password')}</SubmitButton></Box>
      </Box>
    </Form>
  );
}
