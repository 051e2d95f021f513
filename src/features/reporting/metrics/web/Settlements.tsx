// The payments and credit notes behind a customer's exchange gains in a month, in a panel.
import Box from '@mui/material/Box';
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
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { ExchangeGains, Settlement } from '../contract-exchange.ts';
import { metricsQueries } from './api.ts';
import { useRateText } from './use-rate-text.ts';

const names = ['settled-by', 'settled-in', 'settled-of'] as const;

/** Opens the settlements behind a row. */
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

/**
 * `period`: the days of the report; only a month's days within it are included. `nameOf`: the name of one of
 * its customers.
 */
export function Settlements({
  period,
  nameOf,
}: {
  period: { readonly from: LocalDay; readonly to: LocalDay };
  nameOf: (organizationId: string) => string;
}) {
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
    <SidePanel open title={`${nameOf(customer)} · ${format.month(month)}`} onClose={close} width={560}>
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
  const valued = (amount: Settlement['value'], used: Settlement['rate']) => (
    <Box component="span" sx={{ display: 'block' }}>
      {amount === null ? t('metrics.no_rate') : <Money amount={amount} />}
      {used !== null && (
        <Typography variant="caption" component="div" color="textSecondary">
          {rateText(used)}
        </Typography>
      )}
    </Box>
  );
  // used as: 'metrics.settlement_*'
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {items.map((one, index) => (
        <Box
          key={`${one.day}-${one.billId}-${index}`}
          component="li"
          sx={{ borderTop: '1px solid', borderColor: 'divider', paddingBlock: 2 }}
        >
          <Stack direction="row" sx={{ gap: 2, alignItems: 'baseline', justifyContent: 'space-between' }}>
            <Typography variant="subtitle2" component="h3">
              {t('metrics.settlement_on', {
                kind: t(`metrics.settlement_${one.kind}`),
                day: format.day(one.day),
              })}
              {one.number !== '' && ` · ${one.number}`}
            </Typography>
            <Typography variant="subtitle2" component="span" sx={{ whiteSpace: 'nowrap' }}>
              {one.gain === null ? t('metrics.no_rate') : format.moneyChange(one.gain)}
            </Typography>
          </Stack>
          <Link component={RouterLink} to={`${billingPaths.admin}?bill=${one.billId}`} variant="body2">
            {t('metrics.bill_of', { number: one.billNumber, day: format.day(one.billDay) })}
          </Link>
          <Box sx={{ marginTop: 1 }}>
            <Facts
              items={[
                [t('metrics.settled'), <Money key="amount" amount={one.amount} />],
                [t('metrics.exchange_booked'), <span key="booked">{valued(one.booked, one.billRate)}</span>],
                [t('metrics.exchange_value'), <span key="value">{valued(one.value, one.rate)}</span>],
              ]}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
