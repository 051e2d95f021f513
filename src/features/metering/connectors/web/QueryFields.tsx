// What a connector requests from its source, by kind.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { openStackInterfaces, openStackItems, openStackReads, pagings } from '../contract-sources.ts';
import { itemFieldNames } from './option-fields.ts';
import type { Part } from './form-parts.ts';

type OfForm = Pick<Part, 'form'>;

export function QueryFields({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  return (
    <>
      <FieldGroup title={t('connectors.section_query')}>
        <Box sx={pairs}>
          {kind === 'prometheus' && <PromFields form={form} />}
          {kind === 'http_json' && <HttpFields form={form} />}
          {kind === 'openstack' && <OpenStackFields form={form} />}
          {kind === 'opencost' && (
            <TextField
              form={form}
              name="options.aggregate"
              label={t('connectors.aggregate')}
              help={t('connectors.aggregate_help')}
              autoComplete="off"
              required
            />
          )}
        </Box>
        <GivenFields form={form} />
      </FieldGroup>
      {(kind === 'prometheus' || kind === 'http_json') && <InventoryFields form={form} />}
      {kind === 'openstack' && (
        <FieldGroup title={t('connectors.section_inventory')}>
          <Typography variant="body2" color="textSecondary">
            {t('connectors.inventory_lead')}
          </Typography>
          {/* used as: 'connectors.item_*' */}
          {openStackItems.map((each) => (
            <CheckField
              key={each}
              form={form}
              name={`options.wanted.${each}`}
              label={t(`connectors.item_${each}`)}
            />
          ))}
        </FieldGroup>
      )}
    </>
  );
}

/** The fields of readings that quantities, dimensions and rules can use. */
function GivenFields({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  const reads = useWatch({ control: form.control, name: 'options.reads' });
  const given = {
    prometheus: 'value, valueSeconds, max, last, labels.*',
    http_json: '',
    openstack: {
      servers: 'seconds, size, vcpus, memoryMb, diskGb, state, name, project',
      gnocchi: 'valueSeconds, sum, max, last, size, name, project',
      cloudkitty: 'quantity, unit, rating.price, size, project, groupby.*, metadata.*',
    }[reads],
    proxmox:
      'runningSeconds, cpuCoreSeconds, memoryByteSeconds, netInBytes, netOutBytes, diskReadBytes, diskWriteBytes, size, vcpus, memoryBytes, diskBytes, project, node, tags, name',
    opencost: 'cpuCoreHours, ramByteHours, gpuHours, pvByteHours, networkTransferBytes, properties.namespace',
  }[kind];
  if (given === '') return null;
  return (
    <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {t('connectors.given_fields', { fields: given })}
    </Typography>
  );
}

function OpenStackFields({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const reads = useWatch({ control: form.control, name: 'options.reads' });
  return (
    <>
      {/* used as: 'connectors.reads_*' */}
      <SelectField
        form={form}
        name="options.reads"
        label={t('connectors.reads')}
        options={openStackReads.map((value) => ({ value, label: t(`connectors.reads_${value}`) }))}
      />
      <TextField
        form={form}
        name="options.region"
        label={t('connectors.region')}
        help={t('connectors.region_help')}
        autoComplete="off"
      />
      {/* used as: 'connectors.interface_*' */}
      <SelectField
        form={form}
        name="options.interface"
        label={t('connectors.interface')}
        options={openStackInterfaces.map((value) => ({ value, label: t(`connectors.interface_${value}`) }))}
      />
      {reads !== 'servers' && (
        <TextField
          form={form}
          name="options.metric"
          label={t('connectors.metric')}
          help={t('connectors.metric_help')}
          autoComplete="off"
          required
        />
      )}
      {reads === 'gnocchi' && (
        <>
          <TextField
            form={form}
            name="options.resourceType"
            label={t('connectors.resource_type')}
            help={t('connectors.resource_type_help')}
            autoComplete="off"
            required
          />
          <TextField
            form={form}
            name="options.aggregation"
            label={t('connectors.aggregation')}
            help={t('connectors.aggregation_help')}
            autoComplete="off"
            required
          />
          <TextField
            form={form}
            name="options.granularitySeconds"
            label={t('connectors.granularity')}
            inputMode="numeric"
            end={t('connectors.seconds')}
            autoComplete="off"
            required
          />
        </>
      )}
    </>
  );
}

/** Where a Prometheus or an HTTP API lists existing resources, for reconciliation. */
function InventoryFields({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  const { query, address } = useWatch({ control: form.control, name: 'options.inventory' });
  const hasInventory = (kind === 'prometheus' ? query : address).trim() !== '';
  return (
    <FieldGroup title={t('connectors.section_inventory')}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1.5 }}>
        {t('connectors.inventory_lead')}
      </Typography>
      <Box sx={pairs}>
        <Box sx={whole}>
          {kind === 'prometheus' ? (
            <TextField
              form={form}
              name="options.inventory.query"
              label={t('connectors.inventory_query')}
              help={t('connectors.inventory_query_help')}
              autoComplete="off"
            />
          ) : (
            <TextField
              form={form}
              name="options.inventory.address"
              label={t('connectors.inventory_address')}
              help={t('connectors.inventory_address_help')}
              autoComplete="off"
            />
          )}
        </Box>
        {kind === 'http_json' && hasInventory && (
          <TextField
            form={form}
            name="options.inventory.items"
            label={t('connectors.items')}
            help={t('connectors.items_help')}
            autoComplete="off"
          />
        )}
        {/* used as: 'connectors.item_field_*' */}
        {hasInventory &&
          itemFieldNames.map((each) => (
            <TextField
              key={each}
              form={form}
              name={`options.inventory.fields.${each}`}
              label={t(`connectors.item_field_${each}`)}
              autoComplete="off"
            />
          ))}
      </Box>
    </FieldGroup>
  );
}

function PromFields({ form }: OfForm) {
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

function HttpFields({ form }: OfForm) {
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
