// What a month of a rate card would cost a customer: usage by charge (and by the values that its price
// depends on), priced by the server like a bill.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import type { EstimateInput, RateCardPricing, Service } from '#features/selling/catalogue/contract.ts';
import {
  CalculatorRows,
  catalogueQueries,
  EstimateCharges,
  estimateInputOf,
  isCounted,
  usualSamples,
  type SampleFields,
} from '#features/selling/catalogue/web/parts.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';

export type RateCardEstimateProps = {
  readonly service: Service;
  readonly pricing: RateCardPricing;
  /**
   * The quantity of each charge that has one, if chosen elsewhere; otherwise the quantities are also entered
   * here.
   */
  readonly quantities?: Readonly<Record<string, string>> | undefined;
  /** Shown below the amount, given the input of the estimate; undefined while there is none. */
  readonly beneath?: ((estimated: EstimateInput | undefined) => ReactNode) | undefined;
};

/** The properties of usage that a charge's price depends on. */
const dimensionsOf = (charge: Charge): string[] =>
  charge.model === 'matrix' ? [...new Set(charge.rates.flatMap(({ when }) => Object.keys(when)))] : [];

export function RateCardEstimate({ service, pricing, quantities, beneath }: RateCardEstimateProps) {
  const { t } = useTranslation('subscriptions');
  const language = useLanguage();
  const format = useFormat();
  const [usual] = useState(
    () => new Map(pricing.charges.map((charge) => [charge.key, usualSamples(charge)])),
  );
  const [typed, setTyped] = useState<ReadonlyMap<string, readonly SampleFields[]>>(() => new Map());
  const asked = pricing.charges
    .filter((charge) => isCounted(charge) && (quantities === undefined || charge.kind === 'usage'))
    .map((charge) => ({
      charge,
      samples: typed.get(charge.key) ?? usual.get(charge.key) ?? usualSamples(charge),
    }));
  const input = estimateInputOf(asked);
  const wanted = useDebounced({ ...input, quantities: { ...input.quantities, ...quantities } });
  const query = usePagedQuery(catalogueQueries.estimate({ serviceId: service.id, ...wanted }));
  const nameOf = (key: string): string =>
    inLanguage(pricing.charges.find((charge) => charge.key === key)?.name, language) ?? key;
  // A combination without a rate is a result of the pricing, not a failure.
  const isWithoutRate = query.error instanceof ApiError && query.error.status === 422;
  return (
    <Stack component="section" sx={{ gap: 1.5, padding: 2, bgcolor: 'sunken', borderRadius: '5px' }}>
      <Typography variant="h3">{t('subscriptions.estimate')}</Typography>
      <Box sx={{ display: 'grid', gap: '12px 16px' }}>
        {asked.map(({ charge, samples }) => (
          <CalculatorRows
            key={charge.key}
            name={inLanguage(charge.name, language)}
            charge={charge}
            dimensions={dimensionsOf(charge)}
            unit=""
            samples={samples}
            onChange={(next) => setTyped((before) => new Map(before).set(charge.key, next))}
          />
        ))}
      </Box>
      {isWithoutRate ? (
        <Alert severity="warning">{t('subscriptions.estimate_no_rate')}</Alert>
      ) : (
        <QueryState query={query}>
          {(estimate) => (
            <Stack
              aria-busy={query.isPlaceholderData}
              sx={{ gap: 1, opacity: query.isPlaceholderData ? 0.6 : 1 }}
            >
              <Typography variant="kpi" component="p" role="status">
                {t('subscriptions.estimate_monthly', { amount: format.money(estimate.amount) })}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                {t('subscriptions.estimate_help')}
              </Typography>
              {estimate.once && estimate.once.minor !== 0n && (
                <Typography variant="body2">
                  {t('subscriptions.estimate_once', { amount: format.money(estimate.once) })}
                </Typography>
              )}
              <EstimateCharges estimate={estimate} nameOf={nameOf} unitOf={() => ''} />
            </Stack>
          )}
        </QueryState>
      )}
      {beneath?.(isWithoutRate ? undefined : wanted)}
    </Stack>
  );
}
