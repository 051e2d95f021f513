// Creates or changes a custom role: its name, its built-in role, and its permissions.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { permissions as everyPermission, permissionsWithin } from '#kernel/permissions.ts';
import { roles } from '#kernel/roles.ts';
import { role as baseRole, optionalText, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { memberRoles } from '#features/access/identity/contract.ts';
import { KeyPermissions } from '#features/access/identity/web/parts.ts';
import type { CustomRole } from '../contract.ts';
import { rolesApi, rolesKey } from './api.ts';
import type { RoleScope } from './role-scope.ts';

const fields = z.strictObject({
  name: text(60),
  description: optionalText(300),
  baseRole,
  permissions: z.array(z.enum(everyPermission)).check(z.minLength(1, 'customroles.needs_permission')),
});
type Fields = z.output<typeof fields>;

export function RolePanel({
  scope,
  role,
  onClose,
}: {
  readonly scope: RoleScope;
  /** Undefined: a new one. */
  readonly role: CustomRole | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('customroles');
  const form = useZodForm(fields, {
    name: role?.name ?? '',
    description: role?.description ?? '',
    baseRole: role?.baseRole ?? 'User',
    permissions: role?.permissions ?? [],
  });
  const base = useWatch({ control: form.control, name: 'baseRole' });
  const possible = permissionsWithin(base);
  const saves = useSaves(scope);
  const submit = async ({ permissions, baseRole: chosen, ...rest }: Fields) => {
    // Permissions ticked before another built-in role was selected may not be possible with it.
    const sent = { ...rest, permissions: permissions.filter((one) => possible.includes(one)) };
    if (role) await saves.update({ roleId: role.id, ...sent });
    else await saves.create({ ...sent, baseRole: chosen });
    toast.success(t(role ? 'customroles.saved' : 'customroles.made', { name: rest.name }));
    onClose();
  };
  // used as: 'customroles.base_*'
  return (
    <FormPanel
      form={form}
      title={role ? t('customroles.edit_title', { name: role.name }) : t('customroles.add')}
      submitLabel={role ? t('ui.save') : t('customroles.create')}
      isEdit={role !== undefined}
      width={560}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <TextField form={form} name="name" label={t('customroles.name')} autoComplete="off" required />
        <TextField form={form} name="description" label={t('customroles.description')} autoComplete="off" />
        <SelectField
          form={form}
          name="baseRole"
          label={t('customroles.base')}
          help={t('customroles.base_help')}
          disabled={role !== undefined}
          options={(scope === 'platform' ? roles : memberRoles).map((value) => ({
            value,
            label: t(`customroles.base_${value}`),
          }))}
        />
        <KeyPermissions form={form} name="permissions" only={possible} />
        {role && role.people > 0 && <Alert severity="warning">{t('customroles.ends_sessions')}</Alert>}
      </Box>
    </FormPanel>
  );
}

function useSaves(scope: RoleScope) {
  const options = { invalidates: [rolesKey()] };
  const platform = {
    create: useCall(rolesApi.createRole, options),
    update: useCall(rolesApi.updateRole, options),
  };
  const own = {
    create: useCall(rolesApi.createOwnRole, options),
    update: useCall(rolesApi.updateOwnRole, options),
  };
  return {
    update: (scope === 'platform' ? platform : own).update.mutateAsync,
    create: ({ baseRole: chosen, ...rest }: Fields) =>
      scope === 'platform'
        ? platform.create.mutateAsync({ ...rest, baseRole: chosen })
        : own.create.mutateAsync({ ...rest, baseRole: chosen === 'Admin' ? 'User' : chosen }),
  };
}
