// The payments and credit notes behind a customer's exchange gains of a month, in a panel.
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId } from '#kernel/ids.ts';
import { isCurrency } from '#kernel/money.ts';
import { isMonth, type LocalDay } from '#kernel/shape.ts';
import { daysOfMonth } from '#kernel/time.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { ExchangeGains, Settlement } from '../contract-exchange.ts';
import { metricsQueries } from './api.ts';
import { useRateText } from './use-rate-text.ts';

const names = ['settled-by', 'settled-in', 'settled-of'] as const;

/** Opens what is behind a row. */
export function useOpenSettlements(): (row: Pick<ExchangeGains, 'organizationId' | 'month' | 'of'>) => void {
  const [, setParams] = useAddressParams();
  return ({ organizationId, month, of }) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [index, value] of [organizationId, month, of].entries())
          next.set(names[index] ?? '', value);
        return next;
      },
      { preventScrollReset: true },
    );
}

/** `period`: the days of the report; of a month only those within. */
export function Settlements({ period }: { period: { readonly from: LocalDay; readonly to: LocalDay } }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [params, setParams] = useAddressParams();
  const [customer, month, of] = names.map((name) => params.get(name) ?? undefined);
  const close = () =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const name of names) next.delete(name);
        return next;
      },
      { preventScrollReset: true },
    );
  if (!isId('org', customer) || !isMonth(month) || of === undefined || !isCurrency(of)) return null;
  const days = daysOfMonth(month);
  const [first, last] = [days[0] ?? period.from, days.at(-1) ?? period.to];
  const within = {
    from: first > period.from ? first : period.from,
    to: last < period.to ? last : period.to,
  };
  return (
    <SidePanel open title={format.month(month)} onClose={close} width={880}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('metrics.settlements_lead')}
      </Typography>
      <OfCustomer asked={{ ...within, organizationId: customer, of }} />
    </SidePanel>
  );
}

function OfCustomer({ asked }: { asked: Parameters<typeof metricsQueries.settlements>[0] }) {
  const { t } = useTranslation('metrics');
  const query = useQuery(metricsQueries.settlements(asked));
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState compact title={t('metrics.exchange_empty')} />
        ) : (
          <Listed items={items} />
        )
      }
    </QueryState>
  );
}

function Listed({ items }: { items: readonly Settlement[] }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const rateText = useRateText();
  const rate = (label: string, used: Settlement['rate']) => (
    <Typography variant="caption" color="textSecondary" component="div">
      {t('metrics.rate_of', { what: label, rate: used === null ? t('metrics.no_rate') : rateText(used) })}
    </Typography>
  );
  // used as: 'metrics.settlement_*'
  return (
    <PlainTable
      label={t('metrics.settlements_lead')}
      words={1}
      heads={[
        t('metrics.settlement'),
        t('metrics.settled'),
        t('metrics.exchange_booked'),
        t('metrics.exchange_value'),
        t('metrics.exchange_gain'),
      ]}
      rows={items.map((one, index) => ({
        key: `${one.day}-${one.billId}-${index}`,
        cells: [
          <Stack key="what" sx={{ whiteSpace: 'normal', paddingBlock: '6px' }}>
            <span>
              {t('metrics.settlement_on', {
                kind: t(`metrics.settlement_${one.kind}`),
                day: format.day(one.day),
              })}
              {one.number !== '' && ` · ${one.number}`}
            </span>
            <Link component={RouterLink} to={`${billingPaths.admin}?bill=${one.billId}`} variant="caption">
              {t('metrics.bill_of', { number: one.billNumber, day: format.day(one.billDay) })}
            </Link>
            {rate(t('metrics.rate_bill'), one.billRate)}
            {rate(t('metrics.rate_own'), one.rate)}
          </Stack>,
          <Money key="amount" amount={one.amount} />,
          one.booked === null ? t('metrics.no_rate') : <Money key="booked" amount={one.booked} />,
          one.value === null ? t('metrics.no_rate') : <Money key="value" amount={one.value} />,
          one.gain === null ? '' : format.moneyChange(one.gain),
        ],
      }))}
    />
  );
}
