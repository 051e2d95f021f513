// What a quantity would cost with the price being typed, calculated by the server like a bill.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import { unsignedDecimal } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import type { Pricing, Service } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { PriceSteps } from './PriceSteps.tsx';
import { PriceText } from './PriceText.tsx';

/** `pricing` is undefined while it is incomplete. */
export function PricePreview({
  pricing,
  unit,
  billingCycle,
}: {
  pricing: Pricing | undefined;
  unit: string;
  billingCycle: Service['billingCycle'];
}) {
  const { t } = useTranslation('catalogue');
  const [quantity, setQuantity] = useState('1000');
  const isNumber = z.safeParse(unsignedDecimal, quantity.trim()).success;
  return (
    <Box
      component="section"
      aria-label={t('catalogue.preview')}
      sx={{ padding: 2, bgcolor: 'sunken', borderRadius: '5px', display: 'grid', gap: 1.5 }}
    >
      {pricing && (
        <Box
          sx={{
            padding: '12px 16px',
            bgcolor: 'background.paper',
            border: '1px solid',
            borderColor: 'divider',
            borderRadius: '5px',
          }}
        >
          <Typography variant="caption" component="p" color="textSecondary">
            {t('catalogue.preview_card')}
          </Typography>
          <Typography component="p" variant="subtitle1">
            <PriceText
              service={{
                pricing,
                billingCycle,
                meter: { unit: unit === '' ? t('catalogue.unit') : unit },
                meterUnits: {},
              }}
            />
          </Typography>
        </Box>
      )}
      <Stack
        direction="row"
        sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap', justifyContent: 'space-between' }}
      >
        <Typography variant="subtitle2" component="h4">
          {t('catalogue.preview')}
        </Typography>
        <TextField
          label={t('catalogue.preview_quantity')}
          value={quantity}
          onChange={(event) => setQuantity(event.target.value)}
          error={!isNumber}
          sx={{ width: 220 }}
          autoComplete="off"
          slotProps={{
            htmlInput: { inputMode: 'decimal', maxLength: 40 },
            input: {
              endAdornment: unit === '' ? undefined : <InputAdornment position="end">{unit}</InputAdornment>,
            },
          }}
        />
      </Stack>
      {pricing === undefined || !isNumber ? (
        <Typography variant="body2" color="textSecondary">
          {t(pricing === undefined ? 'catalogue.preview_incomplete' : 'catalogue.preview_no_number')}
        </Typography>
      ) : (
        <Estimate pricing={pricing} quantity={quantity.trim()} unit={unit} />
      )}
    </Box>
  );
}

function Estimate({ pricing, quantity, unit }: { pricing: Pricing; quantity: string; unit: string }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const previewInput = useDebounced({ pricing, quantity });
  const query = usePagedQuery(catalogueQueries.previewPricing(previewInput));
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('catalogue.preview_computing')}
      </Typography>
    );
  const { amount, exact, lines } = query.data;
  return (
    <Box aria-busy={query.isPlaceholderData} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
      <Typography variant="kpi" role="status">
        {t('catalogue.preview_amount', { amount: format.money(amount) })}
      </Typography>
      {lines.length === 0 ? (
        <Alert severity="info">{t('catalogue.preview_nothing')}</Alert>
      ) : (
        <PriceSteps steps={lines} unit={unit} exact={exact} amount={amount} />
      )}
    </Box>
  );
}
