// Invites a person into an organization; the link cannot be shown again.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { email } from '#kernel/shape.ts';
import { memberRoles, type identity } from '#features/access/identity/contract.ts';
import { identityApi } from '#features/access/identity/web/parts.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';

const schema = z.strictObject({ email, role: z.enum(memberRoles) });

export function InviteDialog({
  organizationId,
  onClose,
}: {
  organizationId: Id<'org'>;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const [sent, setSent] = useState<Out<typeof identity.inviteFor>>();
  const form = useZodForm(schema, { email: '', role: 'User' });
  const invite = useCall(identityApi.inviteFor);
  const submit = async (values: z.output<typeof schema>): Promise<void> =>
    setSent(await invite.mutateAsync({ organizationId, ...values }));
  return (
    <Modal
      open
      width="xs"
      title={t('users.invite')}
      onClose={form.formState.isSubmitting ? undefined : onClose}
    >
      {sent ? (
        <Stack sx={{ gap: 1.5 }}>
          <Alert severity="success" role="status">
            {t(sent.mailed ? 'users.invited_mailed' : 'users.invited', { email: sent.invitation.email })}
          </Alert>
          <Secret text={sent.link} label={t('users.copy_invitation')} />
          <DialogButtons>
            <Button variant="contained" onClick={onClose}>
              {t('ui.done')}
            </Button>
          </DialogButtons>
        </Stack>
      ) : (
        <DialogForm
          form={form}
          label={t('users.invite')}
          confirm={t('users.invite')}
          onSubmit={submit}
          onClose={onClose}
        >
          <TextField
            form={form}
            name="email"
            label={t('users.email')}
            type="email"
            inputMode="email"
            autoComplete="off"
            required
            autoFocus
          />
          <SelectField
            form={form}
            name="role"
            label={t('users.column_role')}
            options={memberRoles.map((one) => ({ value: one, label: t(`users.role_${one}`) }))}
          />
        </DialogForm>
      )}
    </Modal>
  );
}
