// Where a connector reads, as whom, what and how often.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { pagings, sourceKinds, windowLengths, type Connector } from '../contract.ts';
import { credentialChoices, secretsOf, type ConnectorFields } from './connector-fields.ts';

export type Part = {
  readonly form: FormOf<ConnectorFields, ConnectorFields>;
  readonly connector: Connector | undefined;
};

export const pairs = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
} as const;
const whole = { gridColumn: { sm: '1 / -1' } } as const;

export function Group({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading} sx={{ marginBottom: 3 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', marginBottom: 1.5 }}>
        <Typography id={heading} variant="h3">
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Box>
  );
}

export function SourceFields({ form, connector }: Part) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  const isFixed = connector !== undefined && (connector.hasRead || connector.backfill !== null);
  return (
    <>
      <Group title={t('connectors.section_source')}>
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
      </Group>
      <Group title={t('connectors.section_query')}>
        <Box sx={pairs}>
          {kind === 'prometheus' ? <PromFields form={form} /> : <HttpFields form={form} />}
        </Box>
      </Group>
    </>
  );
}

function CredentialFields({ form, connector }: Part) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'credentials.kind' });
  const hasStored = connector !== undefined && connector.credentials !== 'none';
  const labels = {
    token: t('connectors.token'),
    user: t('connectors.user'),
    password: t('connectors.password'),
    name: t('connectors.header_name'),
    value: t('connectors.header_value'),
  };
  return (
    <>
      {/* used as: 'connectors.credentials_*' */}
      <SelectField
        form={form}
        name="credentials.kind"
        label={t('connectors.credentials')}
        help={t('connectors.credentials_help')}
        options={credentialChoices
          .filter((value) => value !== 'kept' || hasStored)
          .map((value) => ({ value, label: t(`connectors.credentials_${value}`) }))}
      />
      {secretsOf(kind).map((name) => (
        <TextField
          key={name}
          form={form}
          name={`credentials.${name}`}
          label={labels[name]}
          autoComplete="off"
          required
          {...(name !== 'user' && name !== 'name' && { type: 'password' as const })}
        />
      ))}
    </>
  );
}

function PromFields({ form }: Pick<Part, 'form'>) {
  const { t } = useTranslation('connectors');
  const mode = useWatch({ control: form.control, name: 'options.mode' });
  return (
    <>
      {/* used as: 'connectors.mode_*', 'connectors.query_help_*' */}
      <SelectField
        form={form}
        name="options.mode"
        label={t('connectors.mode')}
        options={(['counter', 'gauge'] as const).map((value) => ({
          value,
          label: t(`connectors.mode_${value}`),
        }))}
      />
      <TextField
        form={form}
        name="options.resourceLabels"
        label={t('connectors.resource_labels')}
        help={t('connectors.comma_help')}
        autoComplete="off"
        required
      />
      <Box sx={whole}>
        <TextField
          form={form}
          name="options.query"
          label={t('connectors.query')}
          help={t(`connectors.query_help_${mode}`, { example: 'network_bytes_total{job="edge"}' })}
          autoComplete="off"
          required
        />
      </Box>
    </>
  );
}

function HttpFields({ form }: Pick<Part, 'form'>) {
  const { t } = useTranslation('connectors');
  const paging = useWatch({ control: form.control, name: 'options.paging.kind' });
  return (
    <>
      <TextField
        form={form}
        name="options.items"
        label={t('connectors.items')}
        help={t('connectors.items_help')}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="options.resourceFields"
        label={t('connectors.resource_fields')}
        help={t('connectors.comma_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="options.timeField"
        label={t('connectors.time_field')}
        help={t('connectors.time_field_help')}
        autoComplete="off"
      />
      {/* used as: 'connectors.paging_*' */}
      <SelectField
        form={form}
        name="options.paging.kind"
        label={t('connectors.paging')}
        options={pagings.map((value) => ({ value, label: t(`connectors.paging_${value}`) }))}
      />
      {paging !== 'none' && paging !== 'link' && (
        <TextField
          form={form}
          name="options.paging.parameter"
          label={t('connectors.paging_parameter')}
          autoComplete="off"
          required
        />
      )}
      {paging === 'cursor' && (
        <TextField
          form={form}
          name="options.paging.cursorField"
          label={t('connectors.paging_cursor_field')}
          autoComplete="off"
          required
        />
      )}
    </>
  );
}
