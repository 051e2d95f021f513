// The form of a cost source in its panel: where its files are, who pays, and how cost is sold.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import { currencyCodes } from '#kernel/money.ts';
import { BucketFields } from '#platform/web/form/BucketFields.tsx';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { CostSource } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';
import { RuleFields } from './RuleFields.tsx';
import { SellingFields } from './SellingFields.tsx';
import {
  changesOf,
  fieldsOf,
  newSourceOf,
  sourceFields,
  type SourceFields,
  type SourceForm,
} from './source-fields.ts';

export function SourceEditor({
  source,
  onClose,
  onSaved,
}: {
  /** The source to change; undefined to create one. */
  source?: CostSource;
  onClose: () => void;
  onSaved: (saved: CostSource) => void;
}) {
  const { t } = useTranslation('costs');
  const form = useZodForm(sourceFields, fieldsOf(source));
  const invalidates = [costsKey()];
  const create = useCall(costsApi.createCostSource, { invalidates });
  const update = useCall(costsApi.updateCostSource, { invalidates });
  const submit = async (fields: SourceFields) => {
    const saved = source
      ? await update.mutateAsync(changesOf(source, fields))
      : await create.mutateAsync(newSourceOf(fields));
    toast.success(t(source ? 'costs.saved' : 'costs.created', { name: fields.name }));
    onSaved(saved);
  };
  const title = source ? t('costs.edit_title', { name: source.name }) : t('costs.add');
  return (
    <FormPanel
      form={form}
      title={title}
      submitLabel={t(source ? 'ui.save' : 'costs.create')}
      isEdit={source !== undefined}
      width={860}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlaceFields form={form} source={source} />
      <RuleFields form={form} />
      <SellingFields form={form} />
    </FormPanel>
  );
}

function PlaceFields({ form, source }: { form: SourceForm; source: CostSource | undefined }) {
  const { t } = useTranslation('costs');
  const kind = useWatch({ control: form.control, name: 'kind' });
  const isKept = source?.place.kind === 'bucket' && source.place.accessKeyId !== null;
  return (
    <FieldGroup title={t('costs.section_source')}>
      <Box sx={pairs}>
        <TextField form={form} name="name" label={t('costs.name')} autoComplete="off" required />
        <SelectField
          form={form}
          name="kind"
          label={t('costs.kind')}
          disabled={source !== undefined}
          // used as: 'costs.kind_*'
          options={(['upload', 'bucket', 'folder'] as const).map((value) => ({
            value,
            label: t(`costs.kind_${value}`),
          }))}
        />
        <Box sx={whole}>
          <SelectField
            form={form}
            name="assumedCurrency"
            label={t('costs.assumed_currency')}
            help={t('costs.assumed_currency_help')}
            options={[
              { value: '', label: t('costs.assumed_currency_none') },
              ...currencyCodes.map((code) => ({ value: code, label: code })),
            ]}
          />
        </Box>
        {kind === 'folder' && (
          <Box sx={whole}>
            <TextField
              form={form}
              name="path"
              label={t('costs.folder')}
              help={t('costs.folder_help')}
              autoComplete="off"
            />
          </Box>
        )}
        {kind === 'bucket' && (
          <BucketFields
            form={form}
            nameOf={(field) => field}
            secretName="secretAccessKey"
            prefixHelp={t('costs.prefix_help')}
            accessKeyHelp={t('costs.access_key_help')}
            isKept={isKept}
          />
        )}
      </Box>
    </FieldGroup>
  );
}
