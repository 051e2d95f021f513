// The sections of a service's form: description, price, metering, and usage limits.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { MoreFields } from '#platform/web/form/MoreFields.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { SuggestManyField } from './SuggestManyField.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { aggregations } from '#features/selling/meters/contract.ts';
import { MeasuredFields, SchemaField, useAggregationWords } from '#features/selling/meters/web/parts.ts';
import { releaseStates, serviceStatuses, type Pricing } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { ChargesEditor } from './ChargesEditor.tsx';
import { PriceFormChoice } from './PriceFormChoice.tsx';
import { CardCalculator } from './CardCalculator.tsx';
import { PricingEditor } from './PricingEditor.tsx';
import { QuotaFields } from './QuotaFields.tsx';
import type { ServiceForm } from './service-form.ts';
import { releaseKeys } from './states.ts';

/**
 * The calculator is beside the form, and stays visible, if a panel of the screen's full width of 1200 px has
 * room for both.
 */
const besides = {
  display: 'grid',
  gap: 4,
  gridTemplateColumns: 'minmax(0, 1fr)',
  '@container (min-width: 1140px)': {
    gridTemplateColumns: 'minmax(0, 1fr) 384px',
    '& > .calculator': {
      position: 'sticky',
      top: 0,
      alignSelf: 'start',
      // Without the panel's header, footer and padding.
      maxHeight: 'calc(100dvh - 180px)',
      overflow: 'auto',
    },
  },
} as const;

/**
 * `priceNote` is above the price and explains the effect of changing it. `belowPrice` is below its preview.
 */
export function ServiceFormParts({
  form,
  isNew,
  priceNote,
  belowPrice,
}: {
  form: ServiceForm;
  isNew: boolean;
  priceNote: ReactNode;
  belowPrice?: ((pricing: Pricing) => ReactNode) | undefined;
}) {
  const { t } = useTranslation('catalogue');
  const isCard = useWatch({ control: form.control, name: 'priceForm' }) === 'card';
  // The charges of a rate card name their meters; the only schema shown here is one that was set on the
  // service itself.
  const [hasSchema] = useState(() => form.getValues('dataSchema') !== '');
  const hasMeter = !isCard || hasSchema;
  const parts = (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <FieldGroup title={t('catalogue.part_basic')}>
        <Basics form={form} />
      </FieldGroup>
      <PriceFormChoice form={form} />
      {/* The unit comes first, because the price below uses it. A usage charge names its meter itself. */}
      {hasMeter && (
        <FieldGroup title={t('catalogue.part_meter')}>
          {isNew ? <MeterFields form={form} /> : <MeterFacts form={form} />}
          <Schema form={form} />
        </FieldGroup>
      )}
      <FieldGroup title={t('catalogue.part_price')}>
        {priceNote}
        {isCard ? (
          <ChargesEditor form={form} fixedCurrency={!isNew} withCalculator={false} below={belowPrice} />
        ) : (
          <PricingEditor form={form} fixedCurrency={!isNew} below={belowPrice} />
        )}
      </FieldGroup>
      <FieldGroup title={t('catalogue.part_quota')}>
        <QuotaFields form={form} />
      </FieldGroup>
    </Box>
  );
  if (!isCard) return parts;
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Box sx={besides}>
        {parts}
        <Box className="calculator" sx={{ minWidth: 0 }}>
          <CardCalculator form={form} />
        </Box>
      </Box>
    </Box>
  );
}

function Basics({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const used = useQuery(catalogueQueries.serviceTypes());
  const [isMoreUsed] = useState(() => form.getValues(moreNames).some(isSet));
  return (
    <Box sx={pairs}>
      <Box sx={whole}>
        <TextField form={form} name="name" label={t('catalogue.name')} autoComplete="off" required />
      </Box>
      <SuggestField
        form={form}
        name="type"
        label={t('catalogue.type')}
        help={t('catalogue.type_help')}
        suggestions={used.data?.types ?? []}
        required
      />
      <SuggestField
        form={form}
        name="category"
        label={t('catalogue.category')}
        suggestions={used.data?.categories ?? []}
        required
      />
      <Box sx={whole}>
        <TextField form={form} name="description" label={t('catalogue.description')} rows={2} />
      </Box>
      {/* used as: 'catalogue.status_*', 'catalogue.release_*' */}
      <SelectField
        form={form}
        name="status"
        label={t('catalogue.status')}
        help={t('catalogue.status_help')}
        options={serviceStatuses.map((one) => ({ value: one, label: t(`catalogue.status_${one}`) }))}
      />
      <SelectField
        form={form}
        name="releaseState"
        label={t('catalogue.release')}
        help={t('catalogue.release_help')}
        options={releaseStates.map((one) => ({ value: one, label: t(releaseKeys[one]) }))}
      />
      <Box sx={whole}>
        <MoreFields form={form} names={moreNames} inside={t('catalogue.more_basics')} startsOpen={isMoreUsed}>
          <MoreBasics form={form} families={used.data?.families ?? []} />
        </MoreFields>
      </Box>
    </Box>
  );
}

/** Plans and add-ons, what the catalog says about the service, and whether it needs prepaid credit. */
const moreNames = [
  'family',
  'addOnTo',
  'features',
  'tags',
  'popular',
  'recommended',
  'requiresPrepaidCredit',
] as const;
const isSet = (value: string | boolean | readonly string[]): boolean =>
  typeof value === 'boolean' ? value : value.length > 0;

function MoreBasics({ form, families }: { form: ServiceForm; families: readonly string[] }) {
  const { t } = useTranslation('catalogue');
  return (
    <Box sx={pairs}>
      <Box sx={whole}>
        <SuggestField
          form={form}
          name="family"
          label={t('catalogue.family')}
          help={t('catalogue.family_help')}
          suggestions={families}
        />
      </Box>
      <Box sx={whole}>
        <SuggestManyField
          form={form}
          name="addOnTo"
          label={t('catalogue.add_on_to')}
          help={t('catalogue.add_on_to_help')}
          suggestions={families}
        />
      </Box>
      <TextField
        form={form}
        name="features"
        label={t('catalogue.features')}
        help={t('catalogue.features_help')}
        rows={3}
      />
      <TextField
        form={form}
        name="tags"
        label={t('catalogue.tags')}
        help={t('catalogue.tags_help')}
        rows={3}
      />
      <CheckField form={form} name="popular" as="switch" label={t('catalogue.popular')} />
      <CheckField form={form} name="recommended" as="switch" label={t('catalogue.recommended')} />
      <Box sx={whole}>
        <CheckField
          form={form}
          name="requiresPrepaidCredit"
          as="switch"
          label={t('catalogue.requires_prepaid')}
          help={t('catalogue.requires_prepaid_help')}
        />
      </Box>
    </Box>
  );
}

function MeterFields({ form }: { form: ServiceForm }) {
  const aggregation = useWatch({ control: form.control, name: 'aggregation' });
  return (
    <MeasuredFields
      form={form}
      names={{ eventType: 'eventType', unit: 'unit', aggregation: 'aggregation', property: 'property' }}
      aggregation={aggregation}
      aggregations={aggregations}
    />
  );
}

/** The meter cannot be changed, because that would change the meaning of past usage. */
function MeterFacts({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const { nameOf } = useAggregationWords();
  const { eventType, aggregation, property, unit } = form.getValues();
  return (
    <>
      <Facts
        items={[
          [t('catalogue.event_type'), eventType],
          [t('catalogue.aggregation'), nameOf(aggregation)],
          ...(property === '' ? [] : [[t('catalogue.property'), property] as const]),
          [t('catalogue.unit'), unit],
        ]}
      />
      <Typography variant="caption" component="p" color="textSecondary" sx={{ marginTop: 1 }}>
        {t('catalogue.meter_fixed')}
      </Typography>
    </>
  );
}

function Schema({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const [written, property] = useWatch({ control: form.control, name: ['dataSchema', 'property'] });
  return (
    <MoreFields
      form={form}
      names={['dataSchema']}
      inside={t('catalogue.more_meter')}
      startsOpen={form.formState.defaultValues?.dataSchema !== ''}
    >
      <SchemaField
        form={form}
        name="dataSchema"
        written={written}
        property={property}
        onExample={(example) =>
          form.setValue('dataSchema', example, { shouldDirty: true, shouldValidate: true })
        }
      />
    </MoreFields>
  );
}
