// Step 2: the first Admin.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type * as z from 'zod/mini';
import { email, text } from '#kernel/shape.ts';
import { minimumPasswordLength } from '#features/access/identity/rules.ts';
import { newPasswordPair } from '#features/access/identity/web/parts.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

const schema = newPasswordPair(
  { account: email, name: text(120) },
  {
    short: 'administration.password_short',
    required: 'administration.confirm_required',
    differ: 'administration.passwords_differ',
  },
);
export type AdminValues = z.output<typeof schema>;

export function SetupAdmin({
  onBack,
  onFinish,
}: {
  onBack: () => void;
  onFinish: (values: AdminValues) => Promise<void>;
}) {
  const { t } = useTranslation('administration');
  const { t: p } = useTranslation('platform');
  const form = useZodForm(schema, { account: '', name: '', password: '', confirm: '' });
  return (
    <Form form={form} onSubmit={onFinish}>
      <TextField
        form={form}
        name="account"
        label={t('administration.admin_account')}
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField
        form={form}
        name="name"
        label={t('administration.admin_name')}
        autoComplete="name"
        required
      />
      <PasswordField
        form={form}
        name="password"
        label={t('administration.admin_password')}
        help={t('administration.password_help', { minimum: minimumPasswordLength })}
        autoComplete="new-password"
        required
        measured
      />
      <PasswordField
        form={form}
        name="confirm"
        label={t('administration.admin_confirm')}
        autoComplete="new-password"
        required
      />
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}>
        <Button onClick={onBack} size="large" variant="outlined">
          {p('ui.back')}
        </Button>
        <SubmitButton form={form} size="large">
          {t('administration.finish')}
        </SubmitButton>
      </Box>
    </Form>
  );
}
