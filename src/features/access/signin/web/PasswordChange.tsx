// Changing the own password; all other sessions end.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { filled } from '#platform/web/form/checks.ts';
import { FormFrame } from '#platform/web/form/FormFrame.tsx';
import { PasswordBox } from '#platform/web/form/PasswordBox.tsx';
import { finished } from '#platform/web/form/problems.ts';
import { usePlainForm } from '#platform/web/form/use-plain-form.ts';
import { useTranslation } from '#platform/web/i18n.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { signinApi } from './api.ts';
import { newPasswordFields, NewPasswordFields } from './NewPasswordFields.tsx';
import { useShortestPassword } from './use-password-rules.ts';

export function PasswordChange({ hasTwoFactor }: { hasTwoFactor: boolean }) {
  const { t } = useTranslation('signin');
  const minimum = useShortestPassword(hasTwoFactor);
  const form = usePlainForm([['current', filled()], ...newPasswordFields(minimum)], {
    summary: t('form.check'),
  });
  const change = useCall(signinApi.changePassword, { invalidates: [identityKey('sessions')] });
  const send = async () => {
    try {
      await change.mutateAsync({ current: form.valueOf('current'), next: form.valueOf('password') });
    } catch (error) {
      const problem =
        error instanceof ApiError ? error.errors.find((one) => one.field === 'next') : undefined;
      // The call's field is the form's "password".
      if (problem) form.setProblem('password', finished(problem.message));
      throw error;
    }
    form.reset();
    toast.success(t('signin.password_changed'));
  };
  return (
    <FormFrame
      label={t('signin.change_password')}
      refusal={form.refusal}
      onSubmit={(event) => form.submit(event, send)}
    >
      <Box sx={{ display: 'grid', gap: 1, maxWidth: 440 }}>
        <PasswordBox
          {...form.bind('current')}
          label={t('signin.current_password')}
          autoComplete="current-password"
          required
        />
        <NewPasswordFields form={form} label={t('signin.new_password')} minimum={minimum} />
        <Box>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {t('signin.change_password')}
          </Button>
        </Box>
      </Box>
    </FormFrame>
  );
}
