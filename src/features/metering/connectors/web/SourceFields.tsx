// Where a connector reads, with which credentials, what and how often.
import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { windowLengths } from '../contract.ts';
import { sourceKinds } from '../contract-sources.ts';
import { choicesFor, secretsOf, type SecretName } from './connector-fields.ts';
import type { Part } from './form-parts.ts';
import { QueryFields } from './QueryFields.tsx';

export function SourceFields({ form, connector }: Part) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  const isFixed = connector !== undefined && (connector.hasRead || connector.backfill !== null);
  return (
    <>
      <FieldGroup title={t('connectors.section_source')}>
        <Box sx={pairs}>
          <TextField form={form} name="name" label={t('connectors.name')} autoComplete="off" required />
          {/* used as: 'connectors.kind_*', 'connectors.address_help_*', 'connectors.window_*' */}
          <SelectField
            form={form}
            name="options.kind"
            label={t('connectors.kind')}
            disabled={connector !== undefined}
            options={sourceKinds.map((value) => ({ value, label: t(`connectors.kind_${value}`) }))}
          />
          <Box sx={whole}>
            <TextField
              form={form}
              name="address"
              label={t('connectors.address')}
              help={t(`connectors.address_help_${kind}`, {
                places: '{start}, {end}, {startUnix}, {endUnix}',
              })}
              autoComplete="off"
              required
            />
          </Box>
          <SelectField
            form={form}
            name="windowSeconds"
            label={t('connectors.window')}
            disabled={isFixed}
            options={windowLengths.map((value) => ({
              value: String(value),
              label: t(`connectors.window_${value}`),
            }))}
          />
          <TextField
            form={form}
            name="settleSeconds"
            label={t('connectors.settle')}
            help={t('connectors.settle_help')}
            inputMode="numeric"
            end={t('connectors.seconds')}
            autoComplete="off"
            required
          />
          <CredentialFields form={form} connector={connector} />
        </Box>
      </FieldGroup>
      <QueryFields form={form} />
    </>
  );
}

/** Fields that are readable while typing: names, not secrets. */
const readable: ReadonlySet<SecretName> = new Set([
  'user',
  'name',
  'userDomain',
  'project',
  'projectDomain',
  'applicationId',
  'tokenId',
]);

function CredentialFields({ form, connector }: Part) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'credentials.kind' });
  const source = useWatch({ control: form.control, name: 'options.kind' });
  const choices = choicesFor(source, connector !== undefined && connector.credentials !== 'none');
  const [first] = choices;
  const fits = choices.includes(kind);
  useEffect(() => {
    if (!fits && first) form.setValue('credentials.kind', first);
  }, [fits, first, form]);
  const labels = {
    token: t('connectors.token'),
    user: t('connectors.user'),
    password: t('connectors.password'),
    name: t('connectors.header_name'),
    value: t('connectors.header_value'),
    userDomain: t('connectors.user_domain'),
    project: t('connectors.project'),
    projectDomain: t('connectors.project_domain'),
    applicationId: t('connectors.application_id'),
    secret: t('connectors.secret'),
    tokenId: t('connectors.token_id'),
  };
  return (
    <>
      {/* used as: 'connectors.credentials_*' */}
      <SelectField
        form={form}
        name="credentials.kind"
        label={t('connectors.credentials')}
        help={t('connectors.credentials_help')}
        options={choices.map((value) => ({ value, label: t(`connectors.credentials_${value}`) }))}
      />
      {secretsOf(kind).map((name) => (
        <TextField
          key={name}
          form={form}
          name={`credentials.${name}`}
          label={labels[name]}
          autoComplete="off"
          required
          {...(!readable.has(name) && { type: 'password' as const })}
        />
      ))}
    </>
  );
}
