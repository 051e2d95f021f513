// What a month would cost with a quantity the reader types, step by step, as the bill would count it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useState } from 'react';
import type { PriceStep } from '#features/catalogue/contract.ts';
import { catalogueQueries } from '#features/catalogue/web/parts.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { Calculation, type CalculationStep } from '#platform/web/ui/Calculation.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import type { Service } from './ServiceCard.tsx';
import { useSubscriptionsTexts } from './texts.ts';

type Step = Pick<PriceStep, 'kind' | 'from' | 'upTo' | 'quantity' | 'unitPrice' | 'amount'>;
const firstGuess = '100';

export function CostEstimate({ service }: { service: Service }) {
  const t = useSubscriptionsTexts();
  const [typed, setTyped] = useState(firstGuess);
  const quantity = useDeferredValue(typed.trim());
  const isRight = unsignedDecimal.safeParse(quantity).success;
  // A flat price does not depend on the quantity.
  const isFlat = service.pricing.model === 'flat';
  const query = useQuery({ ...catalogueQueries.estimate({ serviceId: service.id, quantity: isFlat ? '0' : quantity }), enabled: isFlat || isRight, placeholderData: keepPreviousData });
  const explain = useExplained(service);
  return (
    <Stack component="section" sx={{ gap: 1.5, padding: 2, bgcolor: 'sunken', borderRadius: '5px' }}>
      <Typography variant="h3">{t('subscriptions.estimate')}</Typography>
      {!isFlat && (
        <TextBox name="quantity" label={t('subscriptions.estimate_quantity')} inputMode="decimal" value={typed} onChange={setTyped} end={service.meter.unit} problem={isRight ? undefined : 'form.invalid'} help={t('subscriptions.estimate_help')} />
      )}
      <QueryState query={query}>
        {(estimate) => (
          <Box aria-live="polite" aria-busy={query.isPlaceholderData}>
            <Calculation
              label={t('subscriptions.estimate')}
              heads={{ step: t('subscriptions.estimate_step'), amount: t('subscriptions.estimate_amount', { currency: estimate.amount.currency }) }}
              steps={[...estimate.lines.map(explain), { sign: '=', label: t('subscriptions.estimate_exact'), amount: estimate.exact, isResult: true }]}
            />
            <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'baseline', gap: 2, marginTop: 1 }}>
              <Typography variant="body2">{t('subscriptions.estimate_rounded')}</Typography>
              <Typography variant="h3" component="p"><Money amount={estimate.amount} strong /></Typography>
            </Stack>
          </Box>
        )}
      </QueryState>
    </Stack>
  );
}

/** A step of the price as a line that can be read: what is charged, and how many at which price. */
function useExplained({ meter: { unit }, pricing }: Service): (step: Step, index: number) => CalculationStep {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  return (step, index) => {
    const { kind, from, upTo } = step;
    const price = format.unitPrice(step.unitPrice, pricing.currency);
    const range = from === null ? ''
      : upTo === null ? t('subscriptions.tier_last', { from: format.quantity(from, unit) })
        : from === '0' ? t('subscriptions.tier_first', { upTo: format.quantity(upTo, unit) }) : t('subscriptions.tier_between', { from: format.quantity(from), upTo: format.quantity(upTo, unit) });
    // used as: 'subscriptions.step_*'
    const label = t(`subscriptions.step_${kind}`, { range });
    const counted = kind === 'unit' || kind === 'tier' ? t('subscriptions.times', { quantity: format.quantity(step.quantity, unit), price }) : kind === 'package' ? t('subscriptions.times', { quantity: format.quantity(step.quantity), price }) : undefined;
    const note = kind === 'minimum' ? t('subscriptions.price_minimum', { amount: price }) : counted;
    return { sign: index === 0 ? '' : '+', label, amount: step.amount, ...(note !== undefined && { note }) };
  };
}
