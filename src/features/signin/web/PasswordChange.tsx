// Changing the own password; all other sessions end.
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { identityKey } from '#features/identity/web/index.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { finished } from '#platform/web/form/problems.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { signinApi } from './api.ts';
import { NewPasswordFields, useNewPasswordSchema } from './NewPasswordFields.tsx';
import { useSigninTexts } from './texts.ts';
import { useShortestPassword } from './use-password-rules.ts';

const fields = { current: z.string().check(z.minLength(1)) };

export function PasswordChange({ hasTwoFactor }: { hasTwoFactor: boolean }) {
  const t = useSigninTexts();
  const minimum = useShortestPassword(hasTwoFactor);
  const schema = useNewPasswordSchema(fields, minimum);
  const form = useZodForm(schema, { current: '', password: '', confirm: '' });
  const change = useCall(signinApi.changePassword, { invalidates: [identityKey('sessions')] });
  const submit = async ({ current, password }: z.output<typeof schema>) => {
    try {
      await change.mutateAsync({ current, next: password });
    } catch (error) {
      const problem = error instanceof ApiError ? error.errors.find((one) => one.field === 'next') : undefined;
      // The call's field is the form's "password".
      if (problem) form.setError('password', { type: 'server', message: finished(problem.message) });
      throw error;
    }
    form.reset();
    toast.success(t('signin.password_changed'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('signin.change_password')}>
      <Box sx={{ display: 'grid', gap: 1, maxWidth: 440 }}>
        <PasswordField form={form} name="current" label={t('signin.current_password')} autoComplete="current-password" required />
        <NewPasswordFields form={form} label={t('signin.new_password')} minimum={minimum} />
        <Box><SubmitButton form={form} size="medium">{t('signin.change_password')}</SubmitButton></Box>
      </Box>
    </Form>
  );
}
