// What a customer with a rate card would pay in a month: quantities and usage by charge, priced by the
// server.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { Estimate, Pricing } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { CalculatorRows } from './CalculatorRows.tsx';
import { isAmount, pricedCharge, type ChargeFields } from './charge-fields.ts';
import { useKnownMeters } from './known-meters.ts';
import { EstimateCharges, type ChargeNaming } from './EstimateCharges.tsx';
import { estimateInputOf, isCounted, usualSamples, type SampleFields } from './samples.ts';
import type { ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';

/** A charge complete enough to be priced, with a key that only the calculator uses. */
type Asked = {
  readonly fields: ChargeFields;
  readonly charge: Charge;
  readonly samples: readonly SampleFields[];
};

export function CardCalculator({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  // The values typed here, by charge; until then, the charge's sample is used.
  const [typed, setTyped] = useState<ReadonlyMap<string, readonly SampleFields[]>>(() => new Map());
  const [usual] = useState(() => new Map<string, readonly SampleFields[]>());
  const priced = fields.charges.flatMap((each, index): Asked[] => {
    const charge = pricedCharge(each, `c${index}`);
    if (!charge) return [];
    const begins = each.samples.length > 0 ? each.samples : (usual.get(each.uid) ?? usualSamples(charge));
    usual.set(each.uid, begins);
    return [{ fields: each, charge, samples: typed.get(each.uid) ?? begins }];
  });
  const left = fields.charges.length - priced.length;
  return (
    <Box
      component="section"
      aria-label={t('catalogue.calculator')}
      sx={{
        padding: 2,
        borderRadius: '5px',
        border: '1px solid',
        borderColor: 'divider',
        bgcolor: 'background.default',
      }}
    >
      <Typography variant="h3" component="h3" sx={{ marginBottom: 1.5 }}>
        {t('catalogue.calculator')}
      </Typography>
      {priced.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('catalogue.calculator_waits')}
        </Typography>
      ) : (
        <Calculated
          form={form}
          fields={fields}
          asked={priced}
          onType={(uid, samples) => setTyped((before) => new Map(before).set(uid, samples))}
        />
      )}
      {priced.length > 0 && left > 0 && (
        <Typography variant="caption" component="p" color="warning" sx={{ marginTop: 1 }}>
          {t('catalogue.calculator_left', { count: left })}
        </Typography>
      )}
    </Box>
  );
}

function Calculated({
  form,
  fields,
  asked,
  onType,
}: {
  form: ServiceForm;
  fields: ServiceFields;
  asked: readonly Asked[];
  onType: (uid: string, samples: readonly SampleFields[]) => void;
}) {
  const { t } = useTranslation('catalogue');
  const nameOf = useChargeFieldsName(fields.charges);
  const { meters } = useKnownMeters(
    form,
    asked.flatMap(({ charge, fields: { meter } }) => (charge.kind === 'usage' ? meter : [])),
  );
  const unitOf = ({ charge, fields: { meter } }: Asked): string =>
    charge.kind === 'usage' ? (meters.get(meter)?.unit ?? '') : '';
  const pricing = cardOf(fields, asked);
  const counted = asked.filter(({ charge }) => isCounted(charge));
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {counted.length > 0 && (
        <Box sx={{ display: 'grid', gap: '12px 16px' }}>
          {counted.map((each) => (
            <CalculatorRows
              key={each.fields.uid}
              name={nameOf(each.fields)}
              charge={each.charge}
              dimensions={meters.get(each.fields.meter)?.dimensions ?? []}
              unit={unitOf(each)}
              samples={each.samples}
              onChange={(samples) => onType(each.fields.uid, samples)}
            />
          ))}
          <Typography variant="caption" color="textSecondary" component="p">
            {t('catalogue.calculator_product')}
          </Typography>
        </Box>
      )}
      <Priced
        pricing={pricing}
        asked={asked}
        nameOf={(key) => {
          const of = asked.find(({ charge }) => charge.key === key);
          return of ? nameOf(of.fields) : key;
        }}
        unitOf={(key) => {
          const of = asked.find(({ charge }) => charge.key === key);
          return of ? unitOf(of) : '';
        }}
      />
    </Box>
  );
}

/** The rate card of the complete charges, with its monthly limits if they are numbers. */
function cardOf({ currency, minimum, maximum }: ServiceFields, asked: readonly Asked[]): Pricing {
  return {
    model: 'rate_card',
    currency,
    charges: asked.map(({ charge }) => charge),
    ...(isAmount(minimum) && { minimum: minimum.trim() }),
    ...(isAmount(maximum) && { maximum: maximum.trim() }),
  };
}

function Priced({
  pricing,
  asked,
  ...named
}: { readonly pricing: Pricing; readonly asked: readonly Asked[] } & ChargeNaming) {
  const input = useDebounced({ pricing, ...estimateInputOf(asked) });
  const query = usePagedQuery(catalogueQueries.previewPricing(input));
  // A combination without a rate is a result of the pricing, not a failure.
  if (query.error instanceof ApiError && query.error.status === 422)
    return <Alert severity="warning">{query.error.message}</Alert>;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Result estimate={query.data} isOld={query.isPlaceholderData} {...named} /> : null;
}

function Result({ estimate, isOld, nameOf, unitOf }: { estimate: Estimate; isOld: boolean } & ChargeNaming) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  return (
    <Box aria-busy={isOld} sx={{ opacity: isOld ? 0.6 : 1, display: 'grid', gap: 1 }}>
      <Typography variant="kpi" role="status">
        {t('catalogue.preview_amount', { amount: format.money(estimate.amount) })}
      </Typography>
      {estimate.once && estimate.once.minor !== 0n && (
        <Typography variant="body2">
          {t('catalogue.calculator_once', { amount: format.money(estimate.once) })}
        </Typography>
      )}
      <EstimateCharges estimate={estimate} nameOf={nameOf} unitOf={unitOf} />
    </Box>
  );
}

/** The name of a charge in the form, or its number while it has none. */
function useChargeFieldsName(charges: readonly ChargeFields[]): (charge: ChargeFields) => string {
  const { t } = useTranslation('catalogue');
  const language = useLanguage();
  return ({ uid, name }) =>
    inLanguage(name, language) ||
    name.enUS ||
    name.zhTW ||
    t('catalogue.charge_unnamed', { number: charges.findIndex((each) => each.uid === uid) + 1 });
}
