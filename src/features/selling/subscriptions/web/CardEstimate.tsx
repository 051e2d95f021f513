// The estimate on a card: a slider that sends no request before it is moved. The details have the full
// estimate.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useEstimate } from './CostEstimate.tsx';
import { QuantitySlider } from './QuantitySlider.tsx';

export function CardEstimate({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  // Empty until the user moves the slider, so that a page of services does not request unused prices.
  const [chosen, setChosen] = useState('');
  const rested = useDebounced(chosen);
  const { query } = useEstimate(service, rested);
  const isOld = chosen !== rested || query.isPlaceholderData || !query.data;
  const amount = query.data && format.money(query.data.amount);
  return (
    <Box sx={{ marginTop: 1 }}>
      <QuantitySlider
        service={service}
        quantity={chosen === '' ? '0' : chosen}
        amount={isOld ? undefined : amount}
        onChange={setChosen}
        label={t('subscriptions.estimate')}
        smallNamed={t('subscriptions.estimate_of', { service: service.name })}
      />
      <Typography
        variant="body2"
        component="p"
        role="status"
        className="tabular"
        color={chosen === '' ? 'textSecondary' : undefined}
        sx={{ minHeight: '1.6em', opacity: chosen !== '' && isOld ? 0.6 : 1 }}
      >
        {chosen === ''
          ? t('subscriptions.estimate_card_start', { quantity: format.quantity('0', service.meter.unit) })
          : amount !== undefined &&
            t('subscriptions.estimate_card', {
              quantity: format.quantity(chosen, service.meter.unit),
              amount,
            })}
      </Typography>
    </Box>
  );
}
