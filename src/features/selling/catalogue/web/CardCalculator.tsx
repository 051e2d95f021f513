// What a customer of a rate card would pay in a month: quantities and usage by charge, priced by the server.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Estimate, Pricing, RateCardPricing } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { isAmount } from './charge-fields.ts';
import { PriceSteps } from './PriceSteps.tsx';

/** `pricing` is undefined while a field of a charge is missing or wrong. */
export function CardCalculator({ pricing }: { pricing: Pricing | undefined }) {
  const { t } = useTranslation('catalogue');
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
      <Typography variant="h4" component="h4" sx={{ fontWeight: 700, marginBottom: 1.5 }}>
        {t('catalogue.calculator')}
      </Typography>
      {pricing?.model === 'rate_card' ? (
        <Calculated card={pricing} />
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t('catalogue.calculator_waits')}
        </Typography>
      )}
    </Box>
  );
}

function Calculated({ card }: { card: RateCardPricing }) {
  const { t } = useTranslation('catalogue');
  const language = useLanguage();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const counted = card.charges.filter(({ kind, model }) => kind === 'usage' || model !== 'flat');
  const valueOf = (key: string): string => typed[key] ?? '1';
  const inputs = (isUsage: boolean): Record<string, string> =>
    Object.fromEntries(
      counted
        .filter(({ kind }) => (kind === 'usage') === isUsage)
        .map(({ key }) => [key, isAmount(valueOf(key)) ? valueOf(key).trim() : '0']),
    );
  const input = useDebounced({ pricing: card, quantities: inputs(false), usage: inputs(true) });
  const query = useQuery({ ...catalogueQueries.previewPricing(input), placeholderData: keepPreviousData });
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {counted.length > 0 && (
        <Box
          sx={{
            display: 'grid',
            gap: '12px 16px',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          {counted.map(({ key, kind, name }) => (
            <MuiTextField
              key={key}
              size="small"
              label={t(kind === 'usage' ? 'catalogue.calculator_usage' : 'catalogue.calculator_quantity', {
                charge: name[language],
              })}
              value={valueOf(key)}
              error={!isAmount(valueOf(key))}
              onChange={(event) => setTyped((before) => ({ ...before, [key]: event.target.value }))}
              slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
            />
          ))}
        </Box>
      )}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Result estimate={query.data} isOld={query.isPlaceholderData} />}
    </Box>
  );
}

function Result({ estimate, isOld }: { estimate: Estimate; isOld: boolean }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const language = useLanguage();
  const monthly = (estimate.charges ?? []).filter(({ kind }) => kind !== 'one_time');
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
      <Box
        component="dl"
        sx={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: '4px 16px', margin: 0 }}
      >
        {monthly.map(({ key, name, amount }) => (
          <Box key={key} sx={{ display: 'contents' }}>
            <dt>{name[language]}</dt>
            <Box component="dd" sx={{ margin: 0, textAlign: 'end' }}>
              <Money amount={amount} />
            </Box>
          </Box>
        ))}
      </Box>
      {estimate.lines.length === 0 ? (
        <Alert severity="info">{t('catalogue.preview_nothing')}</Alert>
      ) : (
        <details>
          <summary>{t('catalogue.steps')}</summary>
          <PriceSteps steps={estimate.lines} unit="" exact={estimate.exact} amount={estimate.amount} />
        </details>
      )}
    </Box>
  );
}
