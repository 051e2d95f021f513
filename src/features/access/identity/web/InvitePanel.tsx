// Invites a person into the user's organization, and shows the link, which cannot be shown again.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import { email, id } from '#kernel/shape.ts';
import { memberRoles, type identity } from '../contract.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { identityApi, identityKey } from './api.ts';

type Sent = Out<typeof identity.invite>;
/** A built-in role, or a custom one by its id. */
const schema = z.strictObject({ email, role: z.union([z.enum(memberRoles), id('rol')]) });
/** The custom roles that an invited person can get. */
export type RoleChoice = { readonly id: Id<'rol'>; readonly name: string; readonly baseRole: Role };

export function InvitePanel({
  customRoles,
  onClose,
}: {
  readonly customRoles: readonly RoleChoice[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('identity');
  const [sent, setSent] = useState<Sent>();
  const form = useZodForm(schema, { email: '', role: 'ReadOnly' });
  const role = useWatch({ control: form.control, name: 'role' });
  const invite = useCall(identityApi.invite, { invalidates: [identityKey('invitations')] });
  const chosen = customRoles.find(({ id: roleId }) => roleId === role);
  const base = memberRoles.find((one) => one === (chosen?.baseRole ?? role)) ?? 'ReadOnly';
  const submit = async ({ email: address, role: given }: z.output<typeof schema>) => {
    const custom = customRoles.find(({ id: roleId }) => roleId === given);
    const builtIn = memberRoles.find((one) => one === (custom?.baseRole ?? given)) ?? 'ReadOnly';
    setSent(
      await invite.mutateAsync({
        email: address,
        role: builtIn,
        ...(custom && { customRoleId: custom.id }),
      }),
    );
  };
  if (sent) return <InvitationHandOver sent={sent} onClose={onClose} />;
  return (
    <FormPanel
      form={form}
      title={t('identity.invite_add')}
      submitLabel={t('identity.invite_send')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <TextField
          form={form}
          name="email"
          label={t('identity.email')}
          help={t('identity.invite_email_help')}
          type="email"
          inputMode="email"
          autoComplete="off"
          required
        />
        {/* used as: 'identity.role_help_*' */}
        <SelectField
          form={form}
          name="role"
          label={t('identity.role')}
          help={t(`identity.role_help_${base}`)}
          options={[
            ...memberRoles.map((one) => ({ value: one, label: t(`identity.role_${one}`) })),
            ...customRoles.map(({ id: value, name }) => ({ value, label: name })),
          ]}
        />
      </Box>
    </FormPanel>
  );
}

/** Shows the link; it cannot be shown again. */
export function InvitationHandOver({ sent, onClose }: { sent: Sent; onClose: () => void }) {
  const { t } = useTranslation('identity');
  return (
    <HandOver
      title={t('identity.invite_made_title')}
      width={560}
      news={[t('identity.invite_made', { email: sent.invitation.email })]}
      onClose={onClose}
    >
      <Typography variant="body2">
        {t(sent.mailed ? 'identity.invite_mailed' : 'identity.invite_not_mailed')}
      </Typography>
      <HandedOver label={t('identity.invite_link')} note={t('identity.invite_link_once')}>
        <Secret text={sent.link} label={t('identity.copy_link')} />
      </HandedOver>
    </HandOver>
  );
}
