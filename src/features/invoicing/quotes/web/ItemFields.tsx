// The services of a quote: which, how many, and the expected monthly usage of each charge.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useController, useFieldArray, useWatch } from 'react-hook-form';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { chargeUnit } from '#features/selling/catalogue/rules.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { useChargeWords } from '#features/selling/rating/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Entries, type Part } from './form-parts.tsx';
import { emptyItem } from './quote-fields.ts';

const shown = 20;

export function Items({ form }: Part) {
  const { t } = useTranslation('quotes');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'content.items' });
  return (
    <Entries
      title={t('quotes.service')}
      add={t('quotes.add_service')}
      ids={fields.map(({ id }) => id)}
      onAdd={() => append(emptyItem)}
      onRemove={remove}
    >
      {(index) => <Item form={form} index={index} />}
    </Entries>
  );
}

function Item({ form, index }: Part & { index: number }) {
  const { t } = useTranslation('quotes');
  const chosen = useWatch({ control: form.control, name: `content.items.${index}.serviceId` });
  return (
    <>
      <Box
        sx={{
          ...pairs,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) 128px' },
          marginTop: '4px',
        }}
      >
        <ServiceField form={form} index={index} />
        <TextField
          form={form}
          name={`content.items.${index}.quantity`}
          label={t('quotes.quantity')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      </Box>
      {chosen && <Charges form={form} index={index} serviceId={chosen.id} />}
    </>
  );
}

function ServiceField({ form, index }: Part & { index: number }) {
  const { t } = useTranslation('quotes');
  const { field, fieldState } = useController({
    control: form.control,
    name: `content.items.${index}.serviceId`,
  });
  const label = t('quotes.service');
  const { search, onType } = useSearchText(field.value?.name);
  const found = usePagedQuery(
    catalogueQueries.adminListServices({
      limit: shown,
      status: 'active',
      ...(search !== '' && { q: search }),
    }),
  );
  return (
    <SearchPicker
      label={label}
      value={field.value}
      options={found.data?.items.map(({ id, name, category }) => ({ id, name, hint: category })) ?? []}
      onChange={(next) => {
        field.onChange(next && { id: next.id, name: next.name });
        // Another service has different charges.
        form.setValue(`content.items.${index}.quantities`, {});
        form.setValue(`content.items.${index}.usage`, {});
      }}
      onType={onType}
      onBlur={field.onBlur}
      inputRef={field.ref}
      isLoading={found.isFetching}
      none={t('quotes.no_service_found')}
      required
      problem={useProblemText(label, fieldState.error?.message)}
    />
  );
}

/** The charges whose quantity can be chosen, and those whose usage can be estimated. */
function Charges({
  form,
  index,
  serviceId,
}: Part & { index: number; serviceId: Parameters<typeof catalogueQueries.adminGetService>[0]['serviceId'] }) {
  const { t } = useTranslation('quotes');
  const { data: service } = useQuery(catalogueQueries.adminGetService({ serviceId }));
  if (!service) return null;
  const { charges, pricing } = service;
  const counted =
    pricing.model === 'rate_card'
      ? charges.filter(({ kind, model }) => kind !== 'usage' && model !== 'flat')
      : [];
  const used = charges.filter(({ kind }) => kind === 'usage');
  if (counted.length + used.length === 0) return null;
  return (
    <Box sx={pairs}>
      {counted.map((charge) => (
        <ChargeField
          key={charge.key}
          form={form}
          name={`content.items.${index}.quantities`}
          charge={charge}
          service={service}
          label={(name) => t('quotes.quantity_of', { name })}
        />
      ))}
      {used.map((charge) => (
        <ChargeField
          key={charge.key}
          form={form}
          name={`content.items.${index}.usage`}
          charge={charge}
          service={service}
          label={(name) => t('quotes.usage_of', { name })}
        />
      ))}
      <Typography variant="caption" color="textSecondary" sx={{ gridColumn: '1 / -1', marginTop: '-12px' }}>
        {t('quotes.usage_help')}
      </Typography>
    </Box>
  );
}

/** A figure for one charge; charge keys may contain dots, so the form stores all of them as one value. */
function ChargeField({
  form,
  name,
  charge,
  service,
  label,
}: Part & {
  name: `content.items.${number}.quantities` | `content.items.${number}.usage`;
  charge: Charge;
  service: Service;
  label: (name: string) => string;
}) {
  const { field } = useController({ control: form.control, name });
  const words = useChargeWords(service.pricing.currency)(charge, chargeUnit(charge, service));
  return (
    <TextBox
      name={`${name} ${charge.key}`}
      label={label(words.name)}
      wraps
      help={words.price}
      value={field.value[charge.key] ?? ''}
      inputMode="decimal"
      autoComplete="off"
      onChange={(typed) => field.onChange({ ...field.value, [charge.key]: typed })}
      onBlur={field.onBlur}
    />
  );
}
