// Name and password of an invited person.
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import type * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import { text } from '#kernel/shape.ts';
import type { identity } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { identityApi } from './api.ts';
import { newPasswordPair } from './new-password.ts';

const fields = { name: text(120) };
const sentences = {
  short: 'identity.password_too_short',
  required: 'identity.confirm_required',
  differ: 'identity.passwords_differ',
};

export type Accepted = {
  readonly account: string;
  readonly password: string;
  readonly organization: string;
  /** Whether the address has to be confirmed through a mailed link before the first sign-in. */
  readonly mustConfirm: boolean;
};
export type InvitationFormProps = {
  readonly token: string;
  readonly invitation: Out<typeof identity.checkInvitation>;
  readonly onJoined: (joined: Accepted) => Promise<void>;
};

export function InvitationForm({
  token,
  invitation: { organization, email, role, shortestPassword },
  onJoined,
}: InvitationFormProps) {
  const { t } = useTranslation('identity');
  const language = useLanguage();
  const schema = useMemo(() => newPasswordPair(fields, sentences, shortestPassword), [shortestPassword]);
  const form = useZodForm(schema, { name: '', password: '', confirm: '' });
  const submit = async ({ name, password }: z.output<typeof schema>) => {
    const { user, mustConfirm } = await identityApi.acceptInvitation({ token, name, password, language });
    await onJoined({ account: user.account, password, organization, mustConfirm });
  };
  // used as: 'identity.role_*', 'identity.role_help_*'
  return (
    <Form form={form} onSubmit={submit} label={t('identity.invitation_title')}>
      <Box sx={{ marginBottom: 1.5 }}>
        <Facts
          items={[
            [t('identity.organization'), organization],
            [t('identity.account'), email],
            [t('identity.role'), `${t(`identity.role_${role}`)} · ${t(`identity.role_help_${role}`)}`],
          ]}
        />
      </Box>
      {/* Invisible: tells password managers which account the password belongs to. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField form={form} name="name" label={t('identity.name')} autoComplete="name" required autoFocus />
      <PasswordField
        form={form}
        name="password"
        label={t('identity.password')}
        help={t('identity.password_help', { minimum: shortestPassword })}
        autoComplete="new-password"
        required
        measured
      />
      <PasswordField
        form={form}
        name="confirm"
        label={t('identity.confirm_password')}
        autoComplete="new-password"
        required
      />
      <SubmitButton form={form} fullWidth>
        {t('identity.invitation_join')}
      </SubmitButton>
    </Form>
  );
}
