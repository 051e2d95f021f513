// Creates an API key and shows its secret, which cannot be shown again.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { text } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { typedList } from '#platform/web/form/typed-list.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useKeyCalls, type KeyOwner, type KeyWithSecret } from './key-calls.ts';
import { keyKinds, maxKeyAddresses } from '../contract.ts';
import { KeyPermissions } from './KeyPermissions.tsx';
import { KeyHandOver } from './KeyHandOver.tsx';
import { OrganizationField } from './OrganizationPicker.tsx';
import { chosenOrganization } from './user-fields.ts';

const expiries = ['never', '30', '90', '365'] as const;
const fields = z.strictObject({
  name: text(120),
  scope: z.enum(keyKinds),
  permissions: z.array(z.enum(everyPermission)),
  irreversible: z.boolean(),
  addresses: z.string().check(z.maxLength(60 * maxKeyAddresses)),
  organization: chosenOrganization,
  expiry: z.enum(expiries),
});
const withPermissions = fields.check((context) => {
  const { scope, permissions } = context.value;
  if (scope === 'permissions' && permissions.length === 0)
    context.issues.push({
      code: 'custom',
      input: permissions,
      path: ['permissions'],
      message: 'identity.key_needs_permission',
    });
});
const schemas = {
  organization: withPermissions,
  platform: withPermissions.check((context) => {
    const { scope, organization } = context.value;
    if (scope === 'read' && organization === null)
      context.issues.push({
        code: 'custom',
        input: null,
        path: ['organization'],
        message: 'identity.read_key_needs_organization',
      });
  }),
} as const;
export function ApiKeyCreate({ owner, onClose }: { owner: KeyOwner; onClose: () => void }) {
  const { t } = useTranslation('identity');
  const [made, setMade] = useState<KeyWithSecret>();
  const form = useZodForm(schemas[owner], {
    name: '',
    scope: 'metering',
    permissions: [],
    irreversible: false,
    addresses: '',
    organization: null,
    expiry: 'never',
  });
  const [scope, permissions] = useWatch({ control: form.control, name: ['scope', 'permissions'] });
  const actsForPerson = scope === 'permissions';
  const { create } = useKeyCalls(owner);
  const submit = async ({
    name,
    scope: chosen,
    organization,
    expiry,
    ...limits
  }: z.output<typeof fields>) => {
    const acts = chosen === 'permissions';
    const expiresAt =
      expiry === 'never' ? undefined : new Date(nowMs() + Number.parseInt(expiry, 10) * dayMs);
    setMade(
      await create.mutateAsync({
        name,
        scope: chosen,
        ...(acts && { ...limits, addresses: typedList(limits.addresses) }),
        ...(organization && !acts && { organizationId: organization.id }),
        ...(expiresAt && { expiresAt }),
      }),
    );
  };
  if (made)
    return (
      <KeyHandOver
        made={made}
        title={t('identity.key_made_title')}
        news={[t('identity.key_made', { name: made.key.name })]}
        onClose={onClose}
      />
    );
  return (
    <FormPanel
      form={form}
      title={t('identity.key_add')}
      submitLabel={t('identity.key_make')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <TextField
          form={form}
          name="name"
          label={t('identity.key_name')}
          help={t('identity.key_name_help')}
          autoComplete="off"
          required
        />
        <SelectField
          form={form}
          name="scope"
          label={t('identity.key_scope')}
          help={t(`identity.scope_help_${scope}`)}
          options={keyKinds.map((one) => ({ value: one, label: t(`identity.scope_${one}`) }))}
        />
        {actsForPerson && (
          <>
            <KeyPermissions form={form} name="permissions" />
            {permissions.includes('people:write') && (
              <Alert severity="warning">{t('identity.key_people_note')}</Alert>
            )}
            <CheckField
              form={form}
              name="irreversible"
              label={t('identity.key_irreversible')}
              help={t('identity.key_irreversible_help')}
            />
            <TextField
              form={form}
              name="addresses"
              label={t('identity.key_addresses')}
              help={t('identity.key_addresses_help')}
              autoComplete="off"
              rows={2}
            />
          </>
        )}
        {owner === 'platform' && !actsForPerson && (
          <OrganizationField
            form={form}
            name="organization"
            label={t('identity.user_organization')}
            help={t('identity.key_organization_help')}
            required={scope === 'read'}
          />
        )}
        {/* used as: 'identity.expiry_*' */}
        <SelectField
          form={form}
          name="expiry"
          label={t('identity.key_expires')}
          options={expiries.map((one) => ({ value: one, label: t(`identity.expiry_${one}`) }))}
        />
      </Box>
    </FormPanel>
  );
}
