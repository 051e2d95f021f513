// Changes the user's own password; all their other sessions end.
import Box from '@mui/material/Box';
import { useEffect, useMemo } from 'react';
import * as z from 'zod/mini';
import { identityKey, newPasswordPair } from '#features/access/identity/web/parts.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { finished } from '#platform/web/form/problems.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { signinApi } from './api.ts';
import { NewPasswordFields, newPasswordSentences } from './NewPasswordFields.tsx';
import { useShortestPassword } from './use-password-rules.ts';

const fields = { current: z.string().check(z.minLength(1)) };

export function PasswordChange({ hasTwoFactor }: { hasTwoFactor: boolean }) {
  const { t } = useTranslation('signin');
  const minimum = useShortestPassword(hasTwoFactor);
  const schema = useMemo(() => newPasswordPair(fields, newPasswordSentences, minimum), [minimum]);
  const form = useZodForm(schema, { current: '', password: '', confirm: '' });
  const change = useCall(signinApi.changePassword, { invalidates: [identityKey('sessions')] });
  const submit = async ({ current, password }: z.output<typeof schema>) => {
    try {
      await change.mutateAsync({ current, next: password });
    } catch (error) {
      const problem =
        error instanceof ApiError ? error.errors.find((one) => one.field === 'next') : undefined;
      // The call's field is the form's "password".
      if (problem) form.setError('password', { type: 'server', message: finished(problem.message) });
      throw error;
    }
    toast.success(t('signin.password_changed'));
  };
  const isDone = form.formState.isSubmitSuccessful;
  useEffect(() => {
    if (isDone) form.reset();
  }, [isDone, form]);
  return (
    <Form form={form} onSubmit={submit} label={t('signin.change_password')}>
      <Box sx={{ display: 'grid', gap: 1, maxWidth: 440 }}>
        <PasswordField
          form={form}
          name="current"
          label={t('signin.current_password')}
          autoComplete="current-password"
          required
        />
        <NewPasswordFields
          form={form}
          password="password"
          confirm="confirm"
          label={t('signin.new_password')}
          minimum={minimum}
        />
        <Box>
          <SubmitButton form={form}>{t('signin.change_password')}</SubmitButton>
        </Box>
      </Box>
    </Form>
  );
}
