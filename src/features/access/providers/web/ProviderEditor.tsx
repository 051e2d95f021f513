// The form of an identity provider in its panel: creates or changes one.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { rolesQueries } from '#features/access/custom-roles/web/index.ts';
import type { CustomRole } from '#features/access/custom-roles/contract.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { MoreFields } from '#platform/web/form/MoreFields.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { mostGroups, providerKinds, type IdentityProvider } from '../contract.ts';
import { rolesOf } from '../rules.ts';
import { providersApi, providersKey } from './api.ts';
import { MetadataReader } from './MetadataReader.tsx';
import {
  fieldsOf,
  platform,
  providerFields,
  refuse,
  settingsOf,
  type ProviderFields,
  type ProviderForm,
} from './provider-fields.ts';

const attributeNames = ['emailAttribute', 'nameAttribute', 'groupsAttribute'] as const;

export function ProviderEditor({
  provider,
  onClose,
  onSaved,
}: {
  /** The provider to change; undefined for a new one. */
  readonly provider?: IdentityProvider;
  readonly onClose: () => void;
  readonly onSaved: (saved: IdentityProvider) => void;
}) {
  const { t } = useTranslation('providers');
  const form = useZodForm(providerFields, fieldsOf(provider));
  const kind = useWatch({ control: form.control, name: 'kind' });
  const [hasAttributes] = useState(() => form.getValues(attributeNames).some((name) => name !== ''));
  const customRoles = useCustomRoles(form);
  const invalidates = [providersKey()];
  const create = useCall(providersApi.createProvider, { invalidates });
  const update = useCall(providersApi.updateProvider, { invalidates });
  const submit = async (fields: ProviderFields) => {
    const settings = settingsOf(fields, customRoles);
    const organizationId = fields.belongsTo === platform ? null : (fields.organizationId?.id ?? null);
    const saved = provider
      ? await update.mutateAsync({ ...settings, providerId: provider.id })
      : await create.mutateAsync({ ...settings, kind: fields.kind, organizationId });
    toast.success(t(provider ? 'providers.saved' : 'providers.created'));
    onSaved(saved);
  };
  return (
    <FormPanel
      form={form}
      title={provider ? provider.name : t('providers.add')}
      submitLabel={t(provider ? 'providers.save' : 'providers.create')}
      isEdit={provider !== undefined}
      width={860}
      onSubmit={submit}
      onClose={onClose}
    >
      <Whose form={form} isNew={!provider} />
      {kind === 'saml' ? <SamlFields form={form} /> : <OidcFields form={form} provider={provider} />}
      <Groups form={form} customRoles={customRoles} />
      <FieldGroup title={t('providers.section_sign_in')}>
        <CheckField as="switch" form={form} name="isActive" label={t('providers.is_active')} />
        {provider && (
          <CheckField
            as="switch"
            form={form}
            name="mustUse"
            label={t('providers.must_use')}
            help={t('providers.must_use_hint')}
          />
        )}
        {kind === 'saml' && (
          <CheckField
            as="switch"
            form={form}
            name="allowsUnsolicited"
            label={t('providers.allows_unsolicited')}
            help={t('providers.allows_unsolicited_hint')}
          />
        )}
      </FieldGroup>
      <MoreFields
        form={form}
        names={attributeNames}
        inside={t('providers.more_attributes')}
        startsOpen={hasAttributes}
      >
        <FieldGroup title={t('providers.attributes')} lead={t('providers.attributes_hint')}>
          <Box sx={pairs}>
            <TextField form={form} name="emailAttribute" label={t('providers.email_attribute')} />
            <TextField form={form} name="nameAttribute" label={t('providers.name_attribute')} />
            <TextField form={form} name="groupsAttribute" label={t('providers.groups_attribute')} />
          </Box>
        </FieldGroup>
      </MoreFields>
    </FormPanel>
  );
}

function SamlFields({ form }: { form: ProviderForm }) {
  const { t } = useTranslation('providers');
  return (
    <FieldGroup title={t('providers.section_provider')}>
      <MetadataReader form={form} />
      <Box sx={pairs}>
        {/* Addresses are too long for half the width. */}
        <Box sx={whole}>
          <TextField form={form} name="entityId" label={t('providers.entity_id')} required />
        </Box>
        <Box sx={whole}>
          <TextField form={form} name="ssoUrl" label={t('providers.sso_url')} required />
        </Box>
        <Box sx={whole}>
          <TextField
            form={form}
            name="certificates"
            label={t('providers.certificates')}
            help={t('providers.certificates_hint')}
            rows={5}
            code
            required
          />
        </Box>
      </Box>
    </FieldGroup>
  );
}

function OidcFields({ form, provider }: { form: ProviderForm; provider: IdentityProvider | undefined }) {
  const { t } = useTranslation('providers');
  return (
    <FieldGroup title={t('providers.section_provider')}>
      <Box sx={pairs}>
        <TextField
          form={form}
          name="entityId"
          label={t('providers.issuer')}
          help={t('providers.issuer_hint')}
          required
        />
        <TextField form={form} name="clientId" label={t('providers.client_id')} required />
        <TextField
          form={form}
          name="clientSecret"
          type="password"
          autoComplete="off"
          label={t('providers.client_secret')}
          help={t(
            provider?.hasClientSecret ? 'providers.client_secret_kept' : 'providers.client_secret_hint',
          )}
        />
      </Box>
    </FieldGroup>
  );
}

/** Whose people sign in through it; an existing provider keeps its organization. */
function Whose({ form, isNew }: { form: ProviderForm; isNew: boolean }) {
  const { t } = useTranslation('providers');
  const belongsTo = useWatch({ control: form.control, name: 'belongsTo' });
  return (
    // used as: 'providers.kind_*'
    <Box sx={{ ...pairs, marginBottom: 2 }}>
      <TextField form={form} name="name" label={t('providers.name')} required />
      <SelectField
        form={form}
        name="kind"
        label={t('providers.kind')}
        disabled={!isNew}
        options={providerKinds.map((value) => ({ value, label: t(`providers.kind_${value}`) }))}
      />
      <SelectField
        form={form}
        name="belongsTo"
        label={t('providers.belongs_to')}
        disabled={!isNew}
        options={[
          { value: 'organization', label: t('providers.organization') },
          { value: platform, label: t('providers.platform') },
        ]}
      />
      {belongsTo !== platform && (
        <OrganizationField
          form={form}
          name="organizationId"
          label={t('providers.organization')}
          disabled={!isNew}
          required
        />
      )}
    </Box>
  );
}

/** The custom roles that the provider's people can get: the platform's, and their organization's. */
function useCustomRoles(form: ProviderForm): readonly CustomRole[] {
  const [belongsTo, organization] = useWatch({
    control: form.control,
    name: ['belongsTo', 'organizationId'],
  });
  const isPlatform = belongsTo === platform;
  const { data } = useQuery(
    rolesQueries.listRoles(isPlatform || !organization ? {} : { organizationId: organization.id }),
  );
  const bases = rolesOf(isPlatform ? null : 'organization');
  return data?.items.filter(({ baseRole }) => bases.includes(baseRole)) ?? [];
}

function Groups({ form, customRoles }: { form: ProviderForm; customRoles: readonly CustomRole[] }) {
  const { t } = useTranslation('providers');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'groups' });
  const belongsTo = useWatch({ control: form.control, name: 'belongsTo' });
  const roles = rolesOf(belongsTo === platform ? null : 'organization');
  // used as: 'providers.roles_*'
  const options = roles.map((value) => ({ value, label: t(`providers.roles_${value}`) }));
  return (
    <FieldGroup
      title={t('providers.groups')}
      lead={t('providers.groups_hint')}
      action={
        <AddEntry
          label={t('providers.group_add')}
          count={fields.length}
          most={mostGroups}
          onAdd={() => append({ group: '', role: roles[0] ?? 'User' })}
        />
      }
    >
      {fields.map((field, index) => (
        <Stack key={field.id} direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
          <TextField form={form} name={`groups.${index}.group`} label={t('providers.group')} required />
          <SelectField
            form={form}
            name={`groups.${index}.role`}
            label={t('providers.role')}
            options={[...options, ...customRoles.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          <IconAction
            size="small"
            label={t('providers.group_remove', { group: field.group || index + 1 })}
            onClick={() => remove(index)}
          >
            <DeleteOutlined fontSize="small" />
          </IconAction>
        </Stack>
      ))}
      <SelectField
        form={form}
        name="defaultRole"
        label={t('providers.default_role')}
        options={[{ value: refuse, label: t('providers.default_refuse') }, ...options]}
      />
    </FieldGroup>
  );
}
