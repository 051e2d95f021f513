// The amounts billed in each of the last twelve months, in the installation's currency; the table has the
// others.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { decimalText } from '#kernel/decimal.ts';
import { moneyDecimal, type Currency } from '#kernel/money.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { tickText } from '#features/metering/usage/web/parts.ts';
import type { BilledByMonth as Answer } from '../../console/contract.ts';
import { dashboardQueries } from './api.ts';

export function BilledByMonth() {
  const { t } = useTranslation('console');
  const format = useFormat();
  const navigate = useNavigate();
  const main = useBrand((brand) => brand.currency);
  const query = useQuery({ ...dashboardQueries.billedByMonth(), staleTime: 60_000 });
  const months = query.data?.months;
  const currencies = months ? currenciesOf(months, main) : [];
  const [shown] = currencies;
  const amounts = months?.map(({ billed }) => billed.find(({ currency }) => currency === shown));
  const others = currencies.slice(1);
  return (
    <ChartCard
      title={t('admin_dashboard.billed')}
      lead={format.sentences(
        t('admin_dashboard.billed_lead'),
        others.length > 0 && t('admin_dashboard.billed_others', { currencies: format.list(others) }),
      )}
      error={query.error}
      onRetry={() => void query.refetch()}
      table={
        months && {
          heads: [t('admin_dashboard.month'), ...currencies],
          rows: months.every(({ billed }) => billed.length === 0)
            ? []
            : months.map(({ month, billed }) => [
                format.month(month),
                ...currencies.map((currency) => {
                  const amount = billed.find((one) => one.currency === currency);
                  return amount ? format.money(amount) : '–';
                }),
              ]),
        }
      }
      empty={
        <EmptyState
          compact
          title={t('admin_dashboard.nothing_billed')}
          hint={t('admin_dashboard.nothing_billed_hint')}
        />
      }
    >
      {months && shown && amounts && (
        <TimeChart
          label={t('admin_dashboard.billed')}
          places={months.map(({ month }) => format.monthShort(month))}
          placeNames={months.map(({ month }) => format.month(month))}
          series={[
            {
              key: 'billed',
              label: t('admin_dashboard.billed_in', { currency: shown }),
              colour: 'brand',
              // For drawing only.
              values: amounts.map((amount) => (amount ? Number(decimalText(moneyDecimal(amount))) : null)),
              texts: amounts.map((amount) => (amount ? format.money(amount) : '')),
            },
          ]}
          formatTick={tickText(format, shown)}
          onSelect={(index) => {
            const chosen = months[index];
            if (chosen) void navigate(`/admin/billing?bills-month=${chosen.month}`);
          }}
        />
      )}
    </ChartCard>
  );
}

/** The installation's currency first, if anything was billed in it. */
function currenciesOf(months: Answer['months'], main: Currency): Currency[] {
  const found = [...new Set(months.flatMap(({ billed }) => billed.map(({ currency }) => currency)))];
  return found.toSorted((a, b) => Number(b === main) - Number(a === main) || a.localeCompare(b));
}
