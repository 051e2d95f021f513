// The month's cost by service, as a radar or as bars.
import type { Statistics } from '../contract.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { maxAxes, RadarChart } from '#platform/web/chart/RadarChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

/** `onOpen`: opens the events of a subscription. */
export function ServiceShares({
  figures,
  onOpen,
}: {
  figures: Statistics | undefined;
  onOpen: (subscriptionId: string) => void;
}) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const costly = (figures?.services ?? []).filter((service) => Number(service.cost.amount) > 0);
  const top = costly.slice(0, maxAxes);
  // The biggest service reaches the rim, so that small ones can still be distinguished.
  const most = Math.max(0, ...top.map((service) => Number(service.cost.amount)));
  const share = (percent: number) => format.percent(percent / 100);
  return (
    <ChartCard
      title={t('usage.shares')}
      lead={costly.length > maxAxes ? t('usage.shares_top', { count: maxAxes }) : t('usage.shares_lead')}
      table={
        figures && {
          heads: [t('usage.service'), t('usage.cost'), t('usage.share')],
          rows: costly.map((service) => [
            service.serviceName,
            format.unitPrice(service.cost.amount, service.cost.currency),
            share(service.share),
          ]),
        }
      }
      empty={<EmptyState compact title={t('usage.empty')} hint={t('usage.shares_empty_hint')} />}
    >
      <RadarChart
        label={t('usage.shares')}
        axes={top.map((service) => ({
          key: service.subscriptionId,
          label: service.serviceName,
          share: Number(service.cost.amount) / most,
          text: share(service.share),
        }))}
        onSelect={onOpen}
      />
    </ChartCard>
  );
}
