// The month's cost by service: a ring and a list with the amounts.
import { useNavigate } from 'react-router';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { sumMoney } from '#kernel/money.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { DonutChart } from '#platform/web/chart/DonutChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { BillingDashboard } from '../../console/contract.ts';

type Part = BillingDashboard['statistics']['services'][number];

/**
 * The page with a slice's usage: the events of its only subscription, or the service in the usage explorer.
 */
function behind(month: string, parts: readonly Part[]): string {
  const [first, second] = parts;
  return `/usage/statistics?${new URLSearchParams({ month, ...(first && (second ? { only: first.serviceId } : { service: first.subscriptionId })) }).toString()}`;
}

export function ServiceDistribution({ figures }: { figures: BillingDashboard['statistics'] }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const go = useNavigate();
  const { currency } = figures;
  const byService = new Map<string, Part[]>(
    Map.groupBy(
      figures.services.filter((service) => !decimal(service.cost.amount).eq('0')),
      (service) => service.serviceId,
    ),
  );
  const slices = [...byService].map(([key, parts]) => {
    const exact = decimalText(sumDecimals(parts.map((part) => decimal(part.cost.amount))));
    const amount = sumMoney(
      parts.map(({ billed }) => billed),
      currency,
    );
    return {
      key,
      label: parts[0]?.serviceName ?? key,
      value: Number(exact),
      text: format.money(amount),
      exact,
      amount,
    };
  });
  const amountOf = new Map(slices.map((slice) => [slice.key, slice.amount]));
  return (
    <ChartCard
      title={t('billing_dashboard.distribution')}
      table={{
        heads: [t('billing_dashboard.service'), t('billing_dashboard.exact_cost')],
        rows: slices.map((slice) => [slice.label, format.unitPrice(slice.exact, currency)]),
      }}
      empty={
        <EmptyState
          compact
          title={t('billing_dashboard.no_cost')}
          hint={t('billing_dashboard.no_cost_hint')}
        />
      }
    >
      <DonutChart
        label={t('billing_dashboard.distribution')}
        slices={slices}
        restText={(_, parts) =>
          format.money(
            sumMoney(
              parts.flatMap((part) => amountOf.get(part.key) ?? []),
              currency,
            ),
          )
        }
        onSelect={(key) => void go(behind(figures.month, byService.get(key) ?? []))}
        centre={{
          label: t('billing_dashboard.cost'),
          text: format.money(figures.billed),
        }}
      />
    </ChartCard>
  );
}
