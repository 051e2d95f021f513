// What a month would cost: a slider (or a typed quantity) updates the amount and its calculation, computed by
// the server like a bill.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import type { EstimateInput, Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { baseFeeOf } from '#features/selling/catalogue/rules.ts';
import { catalogueQueries, PriceSteps } from '#features/selling/catalogue/web/parts.ts';
import { decimal, isZero } from '#kernel/decimal.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { RateCardEstimate } from './RateCardEstimate.tsx';
import { QuantitySlider } from './QuantitySlider.tsx';
import { initialQuantity } from './quantity-scale.ts';

/**
 * The organization's own usage as quantities to choose: part of a feature that this one may not import; the
 * routes pass it in.
 */
export type OwnMonthsSlot = (props: {
  readonly serviceId: Service['id'];
  readonly onPick: (quantity: string) => void;
}) => ReactNode;

const noQuantities: Readonly<Record<string, string>> = {};

export type CostEstimateProps = {
  readonly service: Service;
  readonly ownMonths?: OwnMonthsSlot | undefined;
  /** The calculation is collapsed if there is little room. */
  readonly folded?: boolean;
  /** The quantity of each charge of a rate card; one of each if left out. */
  readonly quantities?: Readonly<Record<string, string>> | undefined;
  /** Shown below the amount, given the input of the estimate; undefined while there is none. */
  readonly beneath?: ((estimated: EstimateInput | undefined) => ReactNode) | undefined;
};

/** Whether a price has usage that is charged. */
export const dependsOnUsage = (pricing: Pricing): boolean =>
  pricing.model === 'rate_card'
    ? pricing.charges.some(({ kind }) => kind === 'usage')
    : pricing.model !== 'flat';

/** Whether a price has fees besides usage. */
export const hasFees = (pricing: Pricing): boolean =>
  pricing.model === 'rate_card'
    ? pricing.charges.some(({ kind }) => kind !== 'usage')
    : !isZero(decimal(baseFeeOf(pricing)));

/** The input of the estimate for a quantity of usage and quantities of charges. */
export const estimatedInput = (
  pricing: Pricing,
  quantity: string,
  quantities: Readonly<Record<string, string>>,
): EstimateInput => {
  // Flat prices and fees do not depend on usage.
  const used = dependsOnUsage(pricing) && unsignedDecimal.safeParse(quantity).success ? quantity : '0';
  // Fees of a rate card; the usage of its charges is entered by charge.
  return pricing.model === 'rate_card' ? { quantities } : { quantity: used };
};

/**
 * The estimate of a service for a quantity of usage and quantities of its charges, and whether it is still
 * that of an earlier quantity.
 */
export function useEstimate(
  service: Pick<Service, 'id' | 'pricing'>,
  quantity: string,
  quantities: Readonly<Record<string, string>> = {},
) {
  // Flat prices and fees do not depend on usage.
  const isFlat = !dependsOnUsage(service.pricing);
  const isRight = unsignedDecimal.safeParse(quantity).success;
  const query = usePagedQuery({
    ...catalogueQueries.estimate({
      serviceId: service.id,
      ...estimatedInput(service.pricing, quantity, quantities),
    }),
    enabled: isFlat || isRight,
  });
  return { query, isRight: isFlat || isRight };
}

export function CostEstimate(props: CostEstimateProps) {
  const { pricing } = props.service;
  // The usage of several charges is not a single quantity.
  return pricing.model === 'rate_card' && dependsOnUsage(pricing) ? (
    <RateCardEstimate
      service={props.service}
      pricing={pricing}
      quantities={props.quantities}
      beneath={props.beneath}
    />
  ) : (
    <QuantityEstimate {...props} />
  );
}

function QuantityEstimate({
  service,
  ownMonths: OwnMonths,
  folded = false,
  quantities,
  beneath,
}: CostEstimateProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const [typed, setTyped] = useState(() => initialQuantity(service));
  const [isOpen, setIsOpen] = useState(!folded);
  const wanted = typed.trim();
  const quantity = useDebounced(wanted);
  const chosen = useDebounced(quantities ?? noQuantities);
  const { query, isRight } = useEstimate(service, quantity, chosen);
  const isOld = query.isPlaceholderData || quantity !== wanted;
  const isFlat = !dependsOnUsage(service.pricing);
  const { unit } = service.meter;
  return (
    <Stack component="section" sx={{ gap: 1.5, padding: 2, bgcolor: 'sunken', borderRadius: '5px' }}>
      <Typography variant="h3">{t('subscriptions.estimate')}</Typography>
      {!isFlat && (
        <>
          <QuantitySlider
            service={service}
            quantity={wanted}
            amount={isOld || !query.data ? undefined : format.money(query.data.amount)}
            onChange={setTyped}
            label={t('subscriptions.estimate_slide')}
          />
          <Box sx={{ maxWidth: 320 }}>
            <TextBox
              name="quantity"
              label={t('subscriptions.estimate_quantity')}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={setTyped}
              end={unit}
              problem={unsignedDecimal.safeParse(wanted).success ? undefined : 'form.invalid'}
            />
          </Box>
          {OwnMonths && <OwnMonths serviceId={service.id} onPick={setTyped} />}
        </>
      )}
      {isRight && (
        <QueryState query={query}>
          {(estimate) => (
            <Stack aria-busy={isOld} sx={{ gap: 1, opacity: isOld ? 0.6 : 1 }}>
              <Typography variant="kpi" component="p" role="status">
                {t('subscriptions.estimate_monthly', { amount: format.money(estimate.amount) })}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                {t(
                  service.billingCycle === 'yearly'
                    ? 'subscriptions.estimate_help_yearly'
                    : 'subscriptions.estimate_help',
                )}
              </Typography>
              {estimate.once && estimate.once.minor !== 0n && (
                <Typography variant="body2">
                  {t('subscriptions.estimate_once', { amount: format.money(estimate.once) })}
                </Typography>
              )}
              {folded && estimate.lines.length > 0 && (
                <Button
                  size="small"
                  aria-expanded={isOpen}
                  onClick={() => setIsOpen(!isOpen)}
                  sx={{ alignSelf: 'flex-start', marginInlineStart: '-10px' }}
                >
                  {t(isOpen ? 'subscriptions.estimate_hide' : 'subscriptions.estimate_show')}
                </Button>
              )}
              {isOpen && estimate.lines.length > 0 && (
                <PriceSteps
                  steps={estimate.lines}
                  unit={unit}
                  exact={estimate.exact}
                  amount={estimate.amount}
                />
              )}
            </Stack>
          )}
        </QueryState>
      )}
      {beneath?.(isRight ? estimatedInput(service.pricing, quantity, chosen) : undefined)}
    </Stack>
  );
}
