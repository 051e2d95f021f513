// The billing periods in force: their cost, how it is assigned, what was sold, and exchange rates.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { CostPeriod, CostSource } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';
import { CostAmounts, useAmountText } from './CostAmounts.tsx';
import { RateDialog } from './RateDialog.tsx';

export function Periods({ source }: { source: CostSource }) {
  const { t } = useTranslation('costs');
  const [rated, setRated] = useState<CostPeriod>();
  return (
    <Section title={t('costs.periods')} level={3}>
      {source.periods.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('costs.no_periods')}
        </Typography>
      ) : (
        <Stack sx={{ gap: 3 }}>
          {source.periods.map((period) => (
            <Period
              key={period.periodStart}
              source={source}
              period={period}
              onRate={() => setRated(period)}
            />
          ))}
        </Stack>
      )}
      {rated && <RateDialog source={source} period={rated} onClose={() => setRated(undefined)} />}
    </Section>
  );
}

function Period({ source, period, onRate }: { source: CostSource; period: CostPeriod; onRate: () => void }) {
  const { t } = useTranslation('costs');
  const format = useFormat();
  const amountText = useAmountText();
  const sell = useCall(costsApi.sellCostPeriod, {
    invalidates: [costsKey()],
    onSuccess: () => toast.success(t('costs.sold_again')),
    onError: toast.failure,
  });
  const { periodStart, notSold } = period;
  const rates = source.rates.filter((rate) => rate.periodStart === periodStart);
  const sides = (['cost', 'assigned', 'unassigned', 'ignored', 'tax', 'sold'] as const)
    .filter((name) => name === 'cost' || name === 'sold' || period[name].length > 0)
    // used as: 'costs.cost', 'costs.assigned', 'costs.unassigned', 'costs.ignored', 'costs.tax', 'costs.sold'
    .map((name) => [t(`costs.${name}`), <CostAmounts key={name} amounts={period[name]} />] as const);
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography variant="h4" component="h4">
        {format.month(periodStart.slice(0, 7))}
      </Typography>
      {period.isOutdated && <Alert severity="info">{t('costs.outdated')}</Alert>}
      {notSold.map(({ reason, message, ...amount }) => (
        <Alert key={`${reason} ${amount.currency}`} severity="warning">
          {t('costs.not_sold_because', { amount: amountText(amount).text, reason: message })}
        </Alert>
      ))}
      <Facts
        items={[
          ...sides,
          [
            t('costs.version'),
            <span key="version">
              {format.number(period.version)} · <Moment at={period.importedAt} as="dateTime" />
            </span>,
          ],
          ...rates.map(
            (rate) =>
              [
                t('costs.rate'),
                t('costs.rate_line', {
                  from: rate.from,
                  rate: rate.rate,
                  to: rate.to,
                  day: format.day(rate.asOf),
                }),
              ] as const,
          ),
        ]}
      />
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant={period.isOutdated ? 'contained' : 'outlined'}
          loading={sell.isPending}
          onClick={() => sell.mutate({ sourceId: source.id, periodStart })}
        >
          {t('costs.sell_again')}
        </Button>
        <Button aria-haspopup="dialog" variant="outlined" onClick={onRate}>
          {t('costs.set_rate')}
        </Button>
      </Stack>
    </Stack>
  );
}
