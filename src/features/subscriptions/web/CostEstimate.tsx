// What a month would cost with a quantity the reader types, step by step, as the bill would count it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useState } from 'react';
import type { Service } from '#features/catalogue/contract.ts';
import { catalogueQueries, PriceSteps } from '#features/catalogue/web/parts.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { useSubscriptionsTexts } from './texts.ts';

const firstGuess = '100';

export function CostEstimate({ service }: { service: Service }) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const [typed, setTyped] = useState(firstGuess);
  const quantity = useDeferredValue(typed.trim());
  const isRight = unsignedDecimal.safeParse(quantity).success;
  // A flat price does not depend on the quantity.
  const isFlat = service.pricing.model === 'flat';
  const query = useQuery({ ...catalogueQueries.estimate({ serviceId: service.id, quantity: isFlat ? '0' : quantity }), enabled: isFlat || isRight, placeholderData: keepPreviousData });
  return (
    <Stack component="section" sx={{ gap: 1.5, padding: 2, bgcolor: 'sunken', borderRadius: '5px' }}>
      <Typography variant="h3">{t('subscriptions.estimate')}</Typography>
      {!isFlat && (
        <TextBox name="quantity" label={t('subscriptions.estimate_quantity')} inputMode="decimal" value={typed} onChange={setTyped} end={service.meter.unit} problem={isRight ? undefined : 'form.invalid'} />
      )}
      <QueryState query={query}>
        {(estimate) => (
          <Stack aria-busy={query.isPlaceholderData} sx={{ gap: 1, opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            <Typography variant="kpi" component="p" role="status">{t('subscriptions.estimate_monthly', { amount: format.money(estimate.amount) })}</Typography>
            <Typography variant="caption" color="textSecondary">{t('subscriptions.estimate_help')}</Typography>
            {estimate.lines.length > 0 && <PriceSteps steps={estimate.lines} unit={service.meter.unit} exact={estimate.exact} amount={estimate.amount} />}
          </Stack>
        )}
      </QueryState>
    </Stack>
  );
}
