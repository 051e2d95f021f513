// Creates a user; a generated password is shown once, for the Admin to hand over.
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import { roles } from '#kernel/roles.ts';
import type { identity } from '../contract.ts';
import { minimumPasswordLength } from '../rules.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { PasswordField } from '#platform/web/form/PasswordField.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { identityApi, identityKey } from './api.ts';
import { OrganizationField } from './OrganizationPicker.tsx';
import { newUserFields, passwordWays } from './user-fields.ts';

type Made = Out<typeof identity.createUser>;
export function UserCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('identity');
  const [made, setMade] = useState<Made>();
  const form = useZodForm(newUserFields, {
    name: '',
    account: '',
    phone: '',
    role: 'User',
    organization: null,
    passwordWay: 'generated',
    password: '',
  });
  const create = useCall(identityApi.createUser, { invalidates: [identityKey('listUsers')] });
  const submit = async ({
    passwordWay,
    password,
    organization,
    ...fields
  }: z.output<typeof newUserFields>) => {
    const done = await create.mutateAsync({
      ...fields,
      ...(fields.role !== 'Admin' && organization && { organizationId: organization.id }),
      ...(passwordWay === 'own' && { password }),
    });
    toast.success(t('identity.user_made', { name: done.user.name }));
    if (done.password === null) onClose();
    else setMade(done);
  };
  if (made) return <PasswordHandOver made={made} onClose={onClose} />;
  return (
    <FormPanel
      form={form}
      title={t('identity.user_add')}
      submitLabel={t('identity.user_make')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormPanel>
  );
}

function Fields({ form }: { form: ReturnType<typeof useZodForm<typeof newUserFields>> }) {
  const { t } = useTranslation('identity');
  const role = useWatch({ control: form.control, name: 'role' });
  const passwordWay = useWatch({ control: form.control, name: 'passwordWay' });
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <TextField form={form} name="name" label={t('identity.name')} autoComplete="off" required />
      <TextField
        form={form}
        name="account"
        label={t('identity.account')}
        type="email"
        inputMode="email"
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="phone"
        label={t('identity.phone')}
        type="tel"
        inputMode="tel"
        autoComplete="off"
      />
      {/* used as: 'identity.role_help_*' */}
      <SelectField
        form={form}
        name="role"
        label={t('identity.role')}
        help={t(`identity.role_help_${role}`)}
        options={roles.map((one) => ({ value: one, label: t(`identity.role_${one}`) }))}
        required
      />
      {role !== 'Admin' && (
        <OrganizationField form={form} name="organization" label={t('identity.user_organization')} required />
      )}
      {/* used as: 'identity.password_way_*' */}
      <SelectField
        form={form}
        name="passwordWay"
        label={t('identity.password')}
        help={t(`identity.password_way_help_${passwordWay}`)}
        options={passwordWays.map((one) => ({ value: one, label: t(`identity.password_way_${one}`) }))}
      />
      {passwordWay === 'own' && (
        <PasswordField
          form={form}
          name="password"
          label={t('identity.first_password')}
          help={t('identity.password_help', { minimum: minimumPasswordLength })}
          autoComplete="new-password"
          required
          measured
        />
      )}
    </Box>
  );
}

/** Shows a generated password; it cannot be shown again. */
function PasswordHandOver({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('identity');
  return (
    <HandOver
      title={t('identity.user_made_title')}
      width={480}
      news={[t('identity.user_made', { name: made.user.name })]}
      onClose={onClose}
    >
      <Facts
        items={[
          [t('identity.account'), made.user.account],
          [t('identity.role'), t(`identity.role_${made.user.role}`)],
          ...(made.user.organization === null
            ? []
            : [[t('identity.user_organization'), made.user.organization] as const]),
        ]}
      />
      <HandedOver label={t('identity.generated_password')} note={t('identity.generated_password_once')}>
        <Secret text={made.password ?? ''} label={t('identity.copy_password')} />
      </HandedOver>
    </HandOver>
  );
}
